#pragma once

#include <cstddef>

#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Puts the answers that were due in the place of those that were given.
inline void write_right_answers(const DiagnosedCase& of, ChangedOperands& right) {
  if (of.answer) {
    for (std::size_t position = 0; position < of.specs.size(); ++position)
      if (of.specs[position].role != OperandRole::input && of.specs[position].present)
        right.own(static_cast<int>(position));
    if (of.answer(right.array())) return;
  }
  for (const FailingOutput& output : of.outputs)
    for (std::size_t position = 0; position < of.specs.size(); ++position)
      if (of.specs[position].name == output.name) {
        const Operand& operand = right.own(static_cast<int>(position));
        for (std::size_t i = 0; i < output.size(); ++i) operand.store(static_cast<Index>(i), output.expected[i]);
      }
}

}  // namespace assay::inline v0::detail
