#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"

template struct assay::OperandComparison<assay::Host>;
