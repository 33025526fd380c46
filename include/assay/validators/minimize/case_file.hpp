#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/enum_name.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/verdict.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/report/write_file.hpp"
#include "assay/suite/case_record.hpp"
#include "assay/validators/read_parsed.hpp"

/// A recorded case as JSON, to be read by people, changed by hand, and run again.
namespace assay::inline v0 {

/// The first member of every such file. Readers refuse other values; members that a reader does not know, it skips.
inline constexpr const char* case_schema = "assay-case/1";

namespace detail {

[[nodiscard]] inline std::string case_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace detail

/// The text of the file, a field or operand a line. What is as usual is left out. Precondition: formats of operands
/// that have names.
[[nodiscard]] std::string case_text(const CaseRecord& record);

/// Errors: `malformed`, with what was found.
[[nodiscard]] Result<CaseRecord> read_case_text(std::string_view text);

/// Errors: `io`, or as `read_case_text`; the message names the file.
[[nodiscard]] inline Result<CaseRecord> read_case(const std::filesystem::path& path) {
  return detail::read_parsed(path, "a case that assay minimize wrote", read_case_text);
}

/// Errors as `write_file`.
[[nodiscard]] inline Result<void> write_case(const std::filesystem::path& path, const CaseRecord& record) {
  return write_file(path, case_text(record));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/minimize/case_file.ipp"
#endif
