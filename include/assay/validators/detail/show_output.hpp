#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "assay/compare/any_expectation.hpp"
#include "assay/compare/operand_chunk.hpp"
#include "assay/suite/observed_output.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0::detail {

/// Shows an output in host memory to an observer; `expected` is null where nothing is expected element by element.
/// O(elements).
void show_output(const OutputObserver& observer, std::string name, const Operand& output,
                 const AnyExpectation* expected, const ChosenTolerance& tolerance);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/validators/detail/show_output.ipp"
#endif
