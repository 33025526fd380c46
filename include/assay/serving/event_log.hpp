#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/result.hpp"
#include "assay/serving/request_record.hpp"

/// Raw events of requests as JSON lines, a request a line: whoever doubts a number computes it again from them.
namespace assay::inline v0 {

/// The record as a line, without its newline. Times are in nanoseconds from `origin_ns`, so that logs of different runs
/// look alike. O(events).
[[nodiscard]] std::string event_line(const RequestRecord& record, std::int64_t origin_ns = 0);

/// Reads a line back. Error `malformed` with the member that is wrong.
[[nodiscard]] Result<RequestRecord> record_of_line(std::string_view line);

/// Reads a file of lines, or a raw export of AIPerf (aiperf_export.hpp); empty lines are passed over. A last line
/// without its end, as a run leaves that was killed, is passed over as well where it is no JSON. Errors: `not_found`,
/// `io`, `malformed` with the line's number.
[[nodiscard]] Result<std::vector<RequestRecord>> read_event_log(const std::filesystem::path& path);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/event_log.ipp"
#endif
