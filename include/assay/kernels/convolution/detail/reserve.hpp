#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "assay/backends/backend.hpp"
#include "assay/core/index.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// Room for `count` elements, whose values are unspecified: the buffer as it is where that suffices, else another in
/// its place. Errors as `allocate`.
template <Backend B, class Buffer>
[[nodiscard]] Result<void> reserve(B& backend, Buffer& buffer, Index count) {
  using Element = std::remove_pointer_t<decltype(buffer.data())>;
  if (static_cast<Index>(buffer.size()) >= count && count > 0) return {};
  auto made = backend.template allocate<Element>(static_cast<std::size_t>(count));
  if (!made) return made.propagate();
  buffer = std::move(made).value();
  return {};
}

}  // namespace assay::inline v0::detail
