#pragma once

#include "assay/core/result.hpp"
#include "assay/suite/case_record.hpp"
#include "assay/tensor/fill_kind.hpp"

namespace assay::inline v0::detail {

/// The pattern of data that a record without operands names. `ErrorKind::malformed`: there is none of that name.
[[nodiscard]] inline Result<FillKind> recorded_pattern(const CaseRecord& record) {
  const auto kind = fill_kind_named(record.data);
  if (!kind)
    return failure(ErrorKind::malformed,
                   "the record has neither operands nor a pattern of data: '" + record.data + "' is none");
  return *kind;
}

}  // namespace assay::inline v0::detail
