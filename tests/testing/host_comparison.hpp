#pragma once

#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"

// Comparison on the host is compiled once for all tests, in testing/host_comparison.cpp: it takes most of a minute.
extern template struct assay::OperandComparison<assay::Host>;
