#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"

template assay::Result<assay::Comparison> assay::detail::compare_any<assay::Host>(assay::Host&, assay::Host::Stream&, const assay::Operand&,
                                                                                  const assay::AnyExpectation&,
                                                                                  const assay::ChosenTolerance&);
