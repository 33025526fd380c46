#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/fleet/capacity/model_architecture.hpp"

namespace assay::inline v0 {

/// A model as its config.json (Hugging Face transformers) tells it.
struct ModelConfig {
  ModelArchitecture model;
  std::string model_type;          ///< as config.json names it, but "gemma3_text" for "gemma3"; empty: not said
  std::string stored;              ///< "bf16", "f16", "f32", or the method of quantization; empty: not said
  std::vector<std::string> notes;  ///< what was left out of the count: vision towers, heads for further tokens
};

/// Model types whose weights are counted exactly.
[[nodiscard]] std::vector<std::string> known_model_types();

/// Reads a config.json. A member that is missing and has no default in its family is refused; an unknown `model_type`
/// is, too, unless `as` names the family to read it by. Errors: `malformed`, `not_found` (an unknown type, with the
/// nearest), `invalid` (heads that do not divide, …).
[[nodiscard]] Result<ModelConfig> parse_model_config(std::string_view json, const std::string& as = {});

/// The same from a file, or from the folder that holds config.json. Errors: also `io`, `not_found`.
[[nodiscard]] Result<ModelConfig> read_model_config(const std::filesystem::path& path, const std::string& as = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/model_config.ipp"
#endif
