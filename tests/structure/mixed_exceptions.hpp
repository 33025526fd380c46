#pragma once

#include <string>

/// What mixed_exceptions_unit.cpp has, compiled with exceptions and without.
#define DECLARE_UNIT(unit)                     \
  namespace unit {                             \
  bool may_throw();                            \
  double sum_of_rounded();                     \
  void misuse_a_result();                      \
  std::string verdict_of_case(void (*body)()); \
  }
DECLARE_UNIT(with_exceptions)
DECLARE_UNIT(without_exceptions)
