#pragma once

#include <cstdio>
#include <string>

/// Checks of programs that a test framework cannot be in, since a unit of theirs is compiled without exceptions.

/// How many checks did not hold: the program's exit code is 1 where there are any.
inline int failed_checks = 0;

/// Says what does not hold.
inline void check(bool held, const std::string& what) {
  if (held) return;
  std::printf("does not hold: %s\n", what.c_str());
  ++failed_checks;
}
