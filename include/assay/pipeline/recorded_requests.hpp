#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/pipeline/data_loading.hpp"
#include "assay/pipeline/split_pipeline.hpp"

namespace assay::inline v0 {

/// Requests of JSON lines: `id`, `begin`, `end`, `spans` (a list of `stage`, `place`, `begin`, `end`), and where there
/// are any `cut`, `fell_back`, `answer`, `reference`: whole numbers are ids, other numbers a tensor, texts are texts, a
/// list or one alone. Times are in seconds. Errors: `malformed`, with the line.
[[nodiscard]] Result<std::vector<SplitRequest>> parse_split_requests(std::string_view text, const std::string& name);

/// A promise, a JSON object of `stages` and `deadline`, and where there are any `fallback`, `late_share`,
/// `stage_deadlines`, `cost_per_second` (objects of numbers), `answers`, `fallback_answers` (bounds, as
/// `parse_stage_bounds`). Errors: `malformed`, with the member, and the nearest of one that is not known.
[[nodiscard]] Result<SplitPromise> parse_split_promise(std::string_view text, const std::string& name);

/// Epochs of JSON lines: `samples`, and where there are any `checksums`, `seconds`, `stalled_seconds`. Errors:
/// `malformed`, with the line.
[[nodiscard]] Result<std::vector<LoadedEpoch>> parse_loaded_epochs(std::string_view text, const std::string& name);

/// What a loader promises, a JSON object of `dataset`, a list of ids or a count of 0, 1, 2, …, at most 10⁸, and where
/// there are any `batch`, `in_order`, `drops_last`, `deterministic`. Errors: `malformed`, as above.
[[nodiscard]] Result<LoaderPromise> parse_loader_promise(std::string_view text, const std::string& name);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/pipeline/recorded_requests.ipp"
#endif
