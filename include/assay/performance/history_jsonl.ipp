#pragma once

#include "assay/performance/history_jsonl.hpp"

#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <optional>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The checksum that ends a line; nothing if the line does not end as ours do: then it was not written to its end.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint32_t> line_checksum(std::string_view line) noexcept {
  if (line.size() < line_end_length) return std::nullopt;
  const std::string_view end = line.substr(line.size() - line_end_length);
  std::uint32_t value = 0;
  const std::string_view digits = end.substr(checksum_head.size(), 8);
  if (end.substr(0, checksum_head.size()) != checksum_head || end.substr(18) != "\"}" ||
      digits.find_first_not_of("0123456789abcdef") != digits.npos)
    return std::nullopt;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

ASSAY_DETAIL_HEADER_INLINE std::string history_line(const HistoryRun& run) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", history_schema}, {"time", utc_time_text(run.origin.time)}, {"labels", run.origin.labels}};
  if (!run.origin.environment.empty()) json["environment"] = run.origin.environment;
  if (!run.origin.clocks.empty()) json["clocks"] = run.origin.clocks;
  Json& points = json["points"] = Json::array();
  for (const HistoryPoint& point : run.points) {
    Json& own = points.emplace_back(Json{{"name", point.name}});
    if (!point.configuration.empty()) own["configuration"] = point.configuration;
    own["metric"] = point.metric.name;
    own["unit"] = point.metric.unit;
    own["direction"] = name_of(point.metric.direction);
    own["samples"] = point.metric.samples;
    if (!point.metric.note.empty()) own["note"] = point.metric.note;
  }
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  return checked_line(std::move(text));
}

ASSAY_DETAIL_HEADER_INLINE Result<History> read_history_lines(std::string_view text, const std::string& name) {
  History history;
  HistoryLineScanner scanner(history);
  const std::string marker = torn_marker(), head = std::string("{\"schema\":\"") + history_schema + "\"";
  std::vector<std::pair<std::size_t, std::string_view>>
      unfinished;  // number and text of lines that do not end as lines do
  const auto damaged = [&](std::size_t number, const std::string& why) {
    return failure(ErrorKind::malformed, "'" + name + "', line " + std::to_string(number) + ": " + why);
  };
  // Behind a torn line stand nothing but beginnings of the marker that later writers tried to set.
  const auto torn_only = [&]() -> std::optional<Failure> {
    for (std::size_t i = 0; i < unfinished.size(); ++i) {
      const auto& [number, line] = unfinished[i];
      if (i > 0 && line != std::string_view(marker).substr(0, line.size()))
        return damaged(
            number,
            "it does not end with a checksum as every line of a history does; part of it is missing or was changed");
      history.warnings.push_back("'" + name + "', line " + std::to_string(number) +
                                 " is torn: its writer was stopped after " + std::to_string(line.size()) +
                                 " bytes, and what it was to keep was never acknowledged");
    }
    unfinished.clear();
    return std::nullopt;
  };

  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.substr(0, line_head.size()) == line_head && line.substr(0, head.size()) != head && line_checksum(line))
      return damaged(number,
                     "its form is '" +
                         clipped(visible(line.substr(11, std::min<std::size_t>(line.find('"', 11) - 11, 60))), 60) +
                         "', and this version of Assay reads '" + history_schema +
                         "'; read it with the version that wrote it, or a newer one");
    const auto checksum = line_checksum(line);
    if (!checksum) {
      unfinished.emplace_back(number, line);
      continue;
    }
    if (!unfinished.empty()) {
      if (line != marker)
        return damaged(
            unfinished.front().first,
            "it does not end with a checksum as every line of a history does; part of it is missing or was changed");
      if (auto wrong = torn_only()) return *wrong;
    }
    const std::string_view body = line.substr(0, line.size() - line_end_length);
    if (crc32(body) != *checksum)
      return damaged(number,
                     "its checksum says that it was changed since it was written; restore it from a copy, or delete "
                     "the line to do without that run");
    if (line == marker) continue;
    if (line.substr(0, head.size()) != head)
      return damaged(number, "it is not a line of a history: one begins with " + head);
    if (const std::string wrong = scanner.read(line, line_end_length); !wrong.empty()) return damaged(number, wrong);
  }
  if (auto wrong = torn_only()) return *wrong;
  return history;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> JsonlHistory::append(const HistoryRun& run) {
  if (const auto checked = check_history_run(run); !checked) return checked;
  std::string text = detail::history_line(run) + "\n";
  std::error_code code;
  const bool present = std::filesystem::exists(path_, code);
  const detail::FileDescriptor file(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!file) return refused("it cannot be opened for writing");
  if (!lock(file.number(), LOCK_EX)) return refused("it cannot be locked");
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return refused("its size cannot be told");
  if (!S_ISREG(status.st_mode))
    return failure(ErrorKind::io, "cannot append to '" + path_.string() + "': it is not a regular file");
  if (status.st_size > 0) {
    const auto mended = beginning_after(file.number(), static_cast<std::size_t>(status.st_size));
    if (!mended) return mended.propagate();
    text.insert(0, mended.value());
  }
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(file.number(), text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int cause = count == 0 ? ENOSPC : errno;
      const bool restored = ::ftruncate(file.number(), status.st_size) == 0;
      errno = cause;
      return refused("writing " + std::to_string(text.size()) + " bytes failed" +
                     (restored ? ", and the file is as before" : ""));
    }
    written += static_cast<std::size_t>(count);
  }
  if (options_.to_medium) {
    if (::fsync(file.number()) != 0) return refused("flushing it to the medium failed");
    if (!present)
      detail::synchronize_folder(path_.has_parent_path() ? path_.parent_path() : std::filesystem::path("."));
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<History> JsonlHistory::load() const {
  const detail::FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file && errno == ENOENT) return History();
  if (!file) return refused("it cannot be opened for reading", "read");
  if (!lock(file.number(), LOCK_SH)) return refused("it cannot be locked", "read");
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return refused("its size cannot be told", "read");
  if (!S_ISREG(status.st_mode))
    return failure(ErrorKind::io, "cannot read '" + path_.string() + "': it is not a regular file");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t read = 0; read < text.size();) {
    const ssize_t count = ::read(file.number(), text.data() + read, text.size() - read);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return refused("reading failed", "read");
    if (count == 0) text.resize(read);
    read += static_cast<std::size_t>(count);
  }
  return detail::read_history_lines(text, path_.string());
}

ASSAY_DETAIL_HEADER_INLINE Result<std::string> JsonlHistory::beginning_after(int file, std::size_t size) const {
  const auto bytes = [&](std::size_t from, std::size_t count) {
    std::string text(count, '\0');
    const ssize_t read = ::pread(file, text.data(), count, static_cast<off_t>(from));
    text.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
    return text;
  };
  const std::string head = std::string("{\"schema\":\"") + history_schema + "\"";
  const std::string first = bytes(0, std::min(size, head.size() + 16));
  const std::size_t known = std::min(first.size(), head.size());
  if (first.compare(0, known, head, 0, known) != 0)
    return failure(ErrorKind::malformed,
                   "cannot append to '" + path_.string() + "': it begins with '" + clipped(visible(first), 60) +
                       "', and a history that this version writes with " + head + "; name another file");
  const std::size_t look = std::min(size, detail::line_end_length + 1);
  std::string last = bytes(size - look, look);
  const bool ended = !last.empty() && last.back() == '\n';
  if (ended)
    last.pop_back();
  else if (last.size() > detail::line_end_length)
    last.erase(0, last.size() - detail::line_end_length);
  const std::string newline = ended ? "" : "\n";
  return detail::line_checksum(last) ? newline : newline + detail::torn_marker() + "\n";
}

}  // namespace assay::inline v0
