#pragma once

#include <string>

#include "assay/kernels/operation.hpp"
#include "assay/suite/case.hpp"

namespace assay::inline v0::detail {

/// A case without its function: labels and id <operation>/<backend>/<formats>/<shape>/<data>.
template <Operation Op>
[[nodiscard]] Case operation_case(const std::string& backend, const typename Op::Problem& problem,
                                  const std::string& data) {
  Case entry;
  std::string operation = Op::name();
  if constexpr (requires { Op::operation_of(problem); }) operation = Op::operation_of(problem);
  const std::string formats = Op::formats_of(problem), name = Op::name_of(problem);
  entry.labels = {
      {"operation", operation}, {"backend", backend}, {"formats", formats}, {"shape", name}, {"data", data}};
  entry.id = operation + "/" + backend + "/" + formats + "/" + name + "/" + data;
  return entry;
}

}  // namespace assay::inline v0::detail
