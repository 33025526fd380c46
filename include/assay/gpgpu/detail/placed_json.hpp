#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/gpgpu/kernels/described_kernel.hpp"

namespace assay::inline v0::detail {

/// A value of a JSON document, and where it begins.
struct PlacedJson {
  enum class Kind { null, truth, number, text, list, object };
  Kind kind = Kind::null;
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<PlacedJson> elements;       ///< of a list
  std::vector<PlacedJson> names, values;  ///< of an object's members
  FilePlace place;

  [[nodiscard]] const PlacedJson* find(std::string_view name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].text == name) return &values[i];
    return nullptr;
  }
};

/// Errors: `malformed`, with line and column: what is no JSON, a member that stands twice, nesting deeper than 32.
[[nodiscard]] Result<PlacedJson> parse_placed_json(std::string_view text, const std::string& file);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/gpgpu/detail/placed_json.ipp"
#endif
