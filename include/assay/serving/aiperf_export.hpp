#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/request_record.hpp"

/// What AIPerf has measured, computed again: its raw export (`--export-level raw`, profile_export_raw.jsonl, version
/// 0.13) has every chunk of every answer with the client's own time.
namespace assay::inline v0 {

/// Whether the beginning of a file is that of such an export. O(text).
[[nodiscard]] bool is_aiperf_export(std::string_view text);

/// A request of the export; its user is AIPerf's session. Latencies count from the client's start, as AIPerf's do: when
/// the request was due is not told on the clock of its chunks. Chunks have the time at which Python saw them. Error
/// `malformed` with the member that is wrong.
[[nodiscard]] Result<RequestRecord> record_of_aiperf_line(std::string_view line);

/// Reads an export; requests of the warm-up are left out, as AIPerf leaves them out. A last line without its end is
/// passed over where it is no JSON. Errors: `not_found`, `io`, `malformed` with the line's number.
[[nodiscard]] Result<std::vector<RequestRecord>> read_aiperf_export(const std::filesystem::path& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/aiperf_export.ipp"
#endif
