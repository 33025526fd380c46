#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "assay/core/result.hpp"
#include "assay/release/detail/form_reader.hpp"
#include "assay/report/json.hpp"

namespace assay::detail {

/// Reads a document that a person wrote: JSON, with // and /* */ comments; a member may stand once. `read(reader, json)` makes the value.
/// Errors: `malformed`; `what` names the kind of document.
template <class Read>
[[nodiscard]] auto read_form(std::string_view text, const std::string& what, Read read) -> Result<decltype(read(std::declval<FormReader<nlohmann::json>&>(), std::declval<const nlohmann::json&>()))> {
  JsonBuilder builder;
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder, nlohmann::json::input_format_t::json, true, true);
  if (!builder.error.empty()) return failure(ErrorKind::malformed, "no " + what + ": " + builder.error);
  FormReader<nlohmann::json> reader;
  auto value = read(reader, builder.root);
  if (!reader.error.empty()) return failure(ErrorKind::malformed, "no " + what + ": " + reader.error);
  return value;
}

/// The whole of a file. Errors: `not_found`, `io`.
[[nodiscard]] inline Result<std::string> text_of_file(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return failure(ErrorKind::not_found, "cannot read '" + path.string() + "': there is no such file");
  if (std::filesystem::is_directory(path, code)) return failure(ErrorKind::io, "cannot read '" + path.string() + "': it is a folder; name a file in it");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) return failure(ErrorKind::io, "cannot read '" + path.string() + "': opening or reading it failed; check its permissions");
  return text;
}

/// `parse(text)` of a file; messages name the file.
template <class Parse>
[[nodiscard]] auto read_form_file(const std::filesystem::path& path, Parse parse) -> decltype(parse(std::string())) {
  const auto text = text_of_file(path);
  if (!text) return text.propagate();
  auto value = parse(text.value());
  if (!value) return failure(value.error().kind, "'" + path.string() + "': " + value.error().message);
  return value;
}

}  // namespace assay::detail
