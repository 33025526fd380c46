#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/report/write_file.hpp"
#include "assay/validators/envelope/envelope.hpp"
#include "assay/validators/read_parsed.hpp"

/// An envelope as JSON.
namespace assay::inline v0 {

/// The first member of every such file; readers refuse other values.
inline constexpr const char* envelope_schema = "assay-envelope/1";

/// Limits that are infinite are left out.
[[nodiscard]] std::string envelope_text(const Envelope& envelope);

/// Errors: `malformed`, with what was found.
[[nodiscard]] Result<Envelope> read_envelope_text(std::string_view text);

/// Errors: `io`, or as `read_envelope_text`; the message names the file.
[[nodiscard]] inline Result<Envelope> read_envelope(const std::filesystem::path& path) {
  return detail::read_parsed(path, "an envelope that assay envelope learn wrote", read_envelope_text);
}

/// Errors as `write_file`.
[[nodiscard]] inline Result<void> write_envelope(const std::filesystem::path& path, const Envelope& envelope) {
  return write_file(path, envelope_text(envelope));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/envelope/envelope_file.ipp"
#endif
