#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "assay/core/result.hpp"

namespace assay::detail {

/// What `parse` makes of a file's text. Errors: `io`, with what to name instead, or as `parse`; the message names the file.
template <class Parse>
[[nodiscard]] auto read_parsed(const std::filesystem::path& path, const std::string& wanted, Parse parse) -> decltype(parse(std::string())) {
  std::ifstream file(path, std::ios::binary);
  std::error_code unknown;
  const bool readable = file && !std::filesystem::is_directory(path, unknown);  // reading a folder throws
  const std::string text = readable ? std::string(std::istreambuf_iterator<char>(file), {}) : std::string();
  if (!readable || !file) return failure(ErrorKind::io, "cannot read '" + path.string() + "'; name " + wanted);
  auto parsed = parse(text);
  if (!parsed) return failure(parsed.error().kind, path.string() + ": " + parsed.error().message);
  return parsed;
}

}  // namespace assay::detail
