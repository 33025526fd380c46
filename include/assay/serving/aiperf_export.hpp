#pragma once

#include <optional>
#include <string_view>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/request_record.hpp"

/// What AIPerf has measured, computed again: its raw export (`--export-level raw`, profile_export_raw.jsonl, version
/// 0.13) has every chunk of every answer with the client's own time. `read_event_log` reads its files.
namespace assay::inline v0 {

/// Whether the beginning of a file is that of such an export. O(text).
[[nodiscard]] bool is_aiperf_export(std::string_view text);

/// A request of the export, whose user is AIPerf's session; nothing where it belongs to the warm-up, as AIPerf leaves
/// it out. Latencies count from the client's start, as AIPerf's do: when the request was due is not told on the clock
/// of its chunks. Chunks have the time at which Python saw them. Error `malformed` with the member that is wrong.
[[nodiscard]] Result<std::optional<RequestRecord>> record_of_aiperf_line(std::string_view line);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/aiperf_export.ipp"
#endif
