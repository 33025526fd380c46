#pragma once

#include <algorithm>
#include <vector>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/fault.hpp"

namespace assay::inline v0 {

/// By what a fault of a collective is noticed.
enum class FaultSymptom {
  values,    ///< elements that are not what they should be, on at least one rank
  memory,    ///< memory altered that is not the output
  order,     ///< values within their bounds that differ between ranks or between runs
  mismatch,  ///< ranks that call different things
  absence,   ///< a rank that does not come, or does not wait
  time       ///< a rank or link slower than the others
};

/// A fault, and the calls in which it can be noticed. `operations` of the base are names of operations.
struct CollectiveFault : Fault {
  FaultSymptom symptom = FaultSymptom::values;
  std::vector<ReductionOperator> reductions = {};  ///< of operations that reduce; empty: every one
  std::vector<ElementType> types = {};             ///< empty: every one

  [[nodiscard]] bool fits(CollectiveOperation operation) const { return Fault::fits(name_of(operation)); }
  /// The reduction counts only where the operation reduces, the type only where it has data.
  [[nodiscard]] bool fits(CollectiveOperation operation, ReductionOperator reduction, ElementType type) const {
    const auto among = [](const auto& entries, auto entry) {
      return entries.empty() || std::find(entries.begin(), entries.end(), entry) != entries.end();
    };
    return fits(operation) && (!reduces(operation) || among(reductions, reduction)) &&
           (operation == CollectiveOperation::barrier || among(types, type));
  }
};

}  // namespace assay::inline v0
