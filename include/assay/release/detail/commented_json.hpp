#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/release/detail/form_reader.hpp"
#include "assay/report/json.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0::detail {

/// Reads a document that a person wrote: JSON, with // and /* */ comments; a member may stand once. `read(reader,
/// json)` makes the value. Errors: `malformed`; `what` names the kind of document.
template <class Read>
[[nodiscard]] auto read_form(std::string_view text, const std::string& what, Read read)
    -> Result<decltype(read(std::declval<FormReader<nlohmann::json>&>(), std::declval<const nlohmann::json&>()))> {
  JsonBuilder builder;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder, nlohmann::json::input_format_t::json, true, true);
  if (!builder.error.empty()) return failure(ErrorKind::malformed, "no " + what + ": " + builder.error);
  FormReader<nlohmann::json> reader;
  auto value = read(reader, builder.root);
  if (!reader.error.empty()) return failure(ErrorKind::malformed, "no " + what + ": " + reader.error);
  return value;
}

/// `parse(text)` of a file; messages name the file.
template <class Parse>
[[nodiscard]] auto read_form_file(const std::filesystem::path& path, Parse parse) -> decltype(parse(std::string())) {
  const auto text = read_file(path);
  if (!text) return text.propagate();
  auto value = parse(text.value());
  if (!value) return failure(value.error().kind, "'" + path.string() + "': " + value.error().message);
  return value;
}

}  // namespace assay::inline v0::detail
