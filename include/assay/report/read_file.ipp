#pragma once

#include "assay/report/read_file.hpp"

#include <cerrno>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Appends what is left of an open file. Returns errno of the read that failed, 0 if none did.
ASSAY_DETAIL_HEADER_INLINE int read_to_end(std::FILE* file, std::string& text) {
  constexpr std::size_t piece = 1 << 16;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    errno = 0;
    const std::size_t got = std::fread(text.data() + before, 1, piece, file);
    const int cause = errno;
    text.resize(before + got);
    if (got == piece) continue;
    return std::ferror(file) == 0 ? 0 : cause != 0 ? cause : EIO;
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::string> read_file(const std::filesystem::path& path, std::string_view wanted) {
  namespace fs = std::filesystem;
  const auto refused = [&](const std::string& why, ErrorKind kind = ErrorKind::io) {
    return failure(kind, "cannot read '" + path.string() + "': " + why);
  };
  const std::string name_another = "; name " + std::string(wanted);
  if (path.empty()) return refused("the path is empty" + name_another);

  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found)
    return refused("there is no such file" + name_another, ErrorKind::not_found);
  if (fs::is_directory(status)) return refused("it is a folder" + name_another);
  std::FILE* const file = std::fopen(path.string().c_str(), "rb");
  if (file == nullptr)
    return refused("opening it failed: " + std::string(std::strerror(errno)) + "; check its permissions, or name " +
                   std::string(wanted));

  const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(path, code) : 0;
  std::string text;
  if (!code) text.reserve(size);
  const int cause = detail::read_to_end(file, text);
  std::fclose(file);
  if (cause != 0)
    return refused("reading failed after " + std::to_string(text.size()) + " bytes: " + std::strerror(cause) +
                   name_another);
  if (!code && text.size() < size)
    return refused("it ended after " + std::to_string(text.size()) + " of " + std::to_string(size) +
                   " bytes; wait until nobody writes it, and read it again");
  return text;
}

}  // namespace assay::inline v0
