#pragma once

#include "assay/io/npy_array.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double NpyArray::value(Index position) const {
  expect(position >= 0 && position < size(), [&] {
    return "position " + std::to_string(position) + " is outside an array of " + std::to_string(size()) + " elements";
  });
  expect(type.kind != NpyKind::raw, [&] {
    return "elements of dtype " + type.description() +
           " are raw bytes; say which format they hold with values<T>(), e.g. values<bfloat16>()";
  });
  switch (type.kind) {
    case NpyKind::boolean: return stored<std::uint8_t>(position) != 0 ? 1.0 : 0.0;
    case NpyKind::signed_integer:
      switch (type.size) {
        case 1: return stored<std::int8_t>(position);
        case 2: return stored<std::int16_t>(position);
        case 4: return stored<std::int32_t>(position);
        default: return static_cast<double>(stored<std::int64_t>(position));
      }
    case NpyKind::unsigned_integer:
      switch (type.size) {
        case 1: return stored<std::uint8_t>(position);
        case 2: return stored<std::uint16_t>(position);
        case 4: return stored<std::uint32_t>(position);
        default: return static_cast<double>(stored<std::uint64_t>(position));
      }
    default:
      switch (type.size) {
        case 2: return decode(stored<float16>(position));
        case 4: return decode(stored<float32>(position));
        default: return stored<float64>(position);
      }
  }
}

}  // namespace assay::inline v0
