#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/io/safetensors_type.hpp"

namespace assay::inline v0 {

/// A tensor in memory that is to be written to a safetensors file.
struct SafetensorsData {
  std::string name;  ///< unique in its file
  SafetensorsType type = SafetensorsType::f32;
  std::vector<Index> shape;  ///< outermost first
  const void* data =
      nullptr;  ///< contiguous, the last dimension the fastest, codes below 8 bits packed; must outlive the writing
};

/// A tensor whose elements are stored in format T, one after another.
/// Misuse: a format that safetensors has no dtype for, or packs (F4, F6): pack the codes and name the type.
template <Format T>
[[nodiscard]] SafetensorsData safetensors_data(std::string name, const T* data, std::vector<Index> shape) {
  const SafetensorsType type = safetensors_type_of<T>();
  expect(safetensors_facts(type).bits == static_cast<int>(8 * sizeof(T)), [&] {
    return std::string("safetensors packs ") + safetensors_facts(type).name + ", " +
           std::to_string(safetensors_facts(type).bits) +
           " bits an element; pack the codes and name the type in a SafetensorsData";
  });
  return {std::move(name), type, std::move(shape), data};
}

}  // namespace assay::inline v0
