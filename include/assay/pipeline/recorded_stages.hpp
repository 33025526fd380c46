#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/pipeline/pipeline.hpp"

namespace assay::inline v0 {

/// The stages that a folder has recorded, in their order: a file a stage, `<stage>.npy` or `<stage>.json`, ordered by
/// the number that a name begins with, then by name. Errors: `not_found`, `io`; `malformed`: no stage, or one twice.
[[nodiscard]] Result<std::vector<std::string>> recorded_stage_names(const std::filesystem::path& folder);

/// One stage's output: numbers of an npy file; of JSON a list of whole numbers (ids), of texts, or of objects with
/// `bbox`, and where they have them `score`, `category_id` and `image_id` (boxes). Errors: `not_found`, `io`,
/// `malformed`, `unsupported`, with the file.
[[nodiscard]] Result<StageValue> read_recorded_stage(const std::filesystem::path& folder, const std::string& stage);

/// Outputs of these stages; one that cannot be read has its error as its value.
[[nodiscard]] std::vector<StageOutput> read_recorded_stages(const std::filesystem::path& folder,
                                                            const std::vector<std::string>& stages);

/// Bounds by stage, of a JSON object {"resize": {"absolute": 1, "wrong_share": 0.01}, "*": {"relative": 1e-5}}: members
/// are those of `StageBound`; "*" is of stages that are not named. Errors: `malformed`, with what is not known and the
/// nearest name.
[[nodiscard]] Result<std::vector<StageBound>> parse_stage_bounds(std::string_view text, const std::string& name,
                                                                 const std::vector<std::string>& stages,
                                                                 const StageBound& otherwise);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/recorded_stages.ipp"
#endif
