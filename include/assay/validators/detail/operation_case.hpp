#pragma once

#include <string>

#include "assay/kernels/operation.hpp"
#include "assay/suite/case.hpp"

namespace assay::inline v0::detail {

/// The name in case ids: of the family's member where one type is a family.
template <Operation Op>
[[nodiscard]] std::string operation_name(const typename Op::Problem& problem) {
  if constexpr (requires { Op::operation_of(problem); })
    return Op::operation_of(problem);
  else
    return Op::name();
}

/// A case without its function: labels and id <operation>/<backend>/<formats>/<shape>/<data>.
template <Operation Op>
[[nodiscard]] Case operation_case(const std::string& backend, const typename Op::Problem& problem,
                                  const std::string& data) {
  Case entry;
  const std::string operation = operation_name<Op>(problem);
  const std::string formats = Op::formats_of(problem), name = Op::name_of(problem);
  entry.labels = {
      {"operation", operation}, {"backend", backend}, {"formats", formats}, {"shape", name}, {"data", data}};
  entry.id = operation + "/" + backend + "/" + formats + "/" + name + "/" + data;
  return entry;
}

}  // namespace assay::inline v0::detail
