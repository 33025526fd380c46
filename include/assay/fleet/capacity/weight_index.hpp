#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/fleet/capacity/model_config.hpp"

namespace assay::inline v0 {

/// What files of weights say of their size.
struct WeightIndex {
  double bytes = 0;       ///< of all tensors
  double parameters = 0;  ///< elements; 0: an index tells bytes alone
  Index tensors = 0;      ///< how many there are
  std::string file;       ///< the path of what was read: an index or a .safetensors file
};

/// Reads model.safetensors.index.json (its total_size), or a .safetensors file (its header), or looks for either in a
/// folder. Errors: `not_found`, `io`, `malformed`.
[[nodiscard]] Result<WeightIndex> read_weight_index(const std::filesystem::path& path);

/// Holds a count of weights against what files say: parameters where they are known, else bytes by the format that the
/// configuration names. `pass` within 0.01 % (buffers are stored with weights); `inconclusive` where the configuration
/// does not say how weights are stored, or notes that something is not counted. The id is `capacity/weights/NAME`.
[[nodiscard]] Outcome check_weights(const ModelConfig& config, const WeightIndex& index);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/capacity/weight_index.ipp"
#endif
