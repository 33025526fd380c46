#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace assay::inline v0 {

/// Whether the stream is a terminal that can rewrite a line: TERM is set, and not "dumb".
[[nodiscard]] inline bool can_rewrite_lines([[maybe_unused]] std::FILE* stream) {
#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
  const char* kind = std::getenv("TERM");
  return ::isatty(::fileno(stream)) == 1 && kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
#else
  return false;
#endif
}

/// Whether colors are welcome on the stream: such a terminal, and NO_COLOR (https://no-color.org) is unset or empty.
[[nodiscard]] inline bool colors_welcome(std::FILE* stream) {
  const char* refused = std::getenv("NO_COLOR");
  return can_rewrite_lines(stream) && (refused == nullptr || *refused == '\0');
}

/// Whether the user's locale is "C" or "POSIX" by its own words (LC_ALL, else LC_CTYPE, else LANG), which has no letters
/// beyond ASCII. Where none of them is set, nobody said so.
[[nodiscard]] inline bool ascii_asked_for() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    return locale == "C" || locale == "POSIX";
  }
  return false;
}

/// The width of the terminal; 80 where nobody knows.
[[nodiscard]] inline std::size_t terminal_columns([[maybe_unused]] std::FILE* stream) {
#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
  return 80;
}

/// The width that tables are to fit: of the terminal; on files and pipes what COLUMNS says, or 0, any width.
[[nodiscard]] inline std::size_t table_columns([[maybe_unused]] std::FILE* stream) {
#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
  if (::isatty(::fileno(stream)) == 1) return terminal_columns(stream);
#endif
  const char* const told = std::getenv("COLUMNS");
  const long columns = told == nullptr ? 0 : std::strtol(told, nullptr, 10);
  return columns >= 20 && columns < 10000 ? static_cast<std::size_t>(columns) : 0;
}

}  // namespace assay::inline v0
