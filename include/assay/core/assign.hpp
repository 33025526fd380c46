#pragma once

#include <type_traits>
#include <utility>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// `to = from`. nvcc takes the reference that an assignment of results gives, in a template, for a result that is
/// thrown away.
template <class T>
void assign(Result<T>& to, std::type_identity_t<Result<T>> from) {
  static_cast<void>(to = std::move(from));
}

}  // namespace assay::inline v0::detail
