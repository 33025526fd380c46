#pragma once

#include "assay/performance/history_jsonl.hpp"

#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
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

/// Lines that were seen, by 96 bits of hash and checksum: of a million different ones, two are taken for one once in
/// 10^17 histories. 12 bytes a line, and no copy of it.
class SeenLines {
 public:
  /// Whether it is seen for the first time.
  bool add(std::string_view line, std::uint32_t checksum) {
    if (2 * ++count_ > keys_.size()) grow();
    return insert({std::hash<std::string_view>()(line) | 1, checksum});
  }

 private:
  struct Key {
    std::uint64_t hash = 0;  ///< 0: free
    std::uint32_t checksum = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  bool insert(const Key& key) {
    for (std::size_t at = key.hash * 0x9E3779B97F4A7C15u >> 20 & (keys_.size() - 1);;
         at = (at + 1) & (keys_.size() - 1)) {
      if (keys_[at] == key) return false;
      if (keys_[at].hash == 0) return keys_[at] = key, true;
    }
  }
  void grow() {
    std::vector<Key> old(std::max<std::size_t>(64, 4 * keys_.size()));
    old.swap(keys_);
    for (const Key& key : old)
      if (key.hash != 0) insert(key);
  }

  std::vector<Key> keys_;
  std::size_t count_ = 0;
};

/// Reads a history line by line, so that its text is never whole in memory.
class HistoryLines {
 public:
  explicit HistoryLines(std::string name) : name_(std::move(name)), scanner_(history_) {}

  /// The first failure ends it.
  [[nodiscard]] std::optional<Failure> add(std::string_view line) {
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);  // as an editor of Windows or a version control left it
    const auto checksum = line_checksum(line);
    if (checksum && line.substr(0, line_head.size()) == line_head && line.substr(0, head_.size()) != head_)
      return damaged(number_,
                     "its form is '" +
                         clipped(visible(line.substr(11, std::min<std::size_t>(line.find('"', 11) - 11, 60))), 60) +
                         "', and this version of Assay reads '" + history_schema +
                         "'; read it with the version that wrote it, or a newer one");
    if (!checksum) {
      unfinished_.emplace_back(number_, line);
      return std::nullopt;
    }
    if (!unfinished_.empty()) {
      if (line != marker_) return damaged(unfinished_.front().first, unended);
      if (auto wrong = torn_only()) return wrong;
    }
    if (crc32(line.substr(0, line.size() - line_end_length)) != *checksum)
      return damaged(number_,
                     "its checksum says that it was changed since it was written; restore it from a copy, or delete "
                     "the line to do without that run");
    if (line == marker_) return std::nullopt;
    if (!seen_.add(line, *checksum)) {
      if (repeated_++ == 0) first_repeated_ = number_;
      return std::nullopt;
    }
    if (line.substr(0, head_.size()) != head_)
      return damaged(number_, "it is not a line of a history: one begins with " + head_);
    if (const std::string wrong = scanner_.read(line, line_end_length); !wrong.empty()) return damaged(number_, wrong);
    return std::nullopt;
  }

  [[nodiscard]] Result<History> finish() {
    if (auto wrong = torn_only()) return *wrong;
    if (repeated_ > 0)
      history_.warnings.push_back("'" + name_ + "': " + std::to_string(repeated_) +
                                  " lines stand there already, the first is line " + std::to_string(first_repeated_) +
                                  "; a run is evidence once, and they are left out");
    return std::move(history_);
  }

 private:
  static constexpr const char* unended =
      "it does not end with a checksum as every line of a history does; part of it is missing or was changed";

  [[nodiscard]] Failure damaged(std::size_t number, const std::string& why) const {
    return failure(ErrorKind::malformed, "'" + name_ + "', line " + std::to_string(number) + ": " + why);
  }

  /// Behind a torn line stand nothing but beginnings of the marker that later writers tried to set.
  [[nodiscard]] std::optional<Failure> torn_only() {
    for (std::size_t i = 0; i < unfinished_.size(); ++i) {
      const auto& [number, line] = unfinished_[i];
      if (i > 0 && line != std::string_view(marker_).substr(0, line.size())) return damaged(number, unended);
      history_.warnings.push_back("'" + name_ + "', line " + std::to_string(number) +
                                  " is torn: its writer was stopped after " + std::to_string(line.size()) +
                                  " bytes, and what it was to keep was never acknowledged");
    }
    unfinished_.clear();
    return std::nullopt;
  }

  std::string name_;
  History history_;
  HistoryLineScanner scanner_;
  SeenLines seen_;
  const std::string marker_ = torn_marker(), head_ = std::string("{\"schema\":\"") + history_schema + "\"";
  std::vector<std::pair<std::size_t, std::string>>
      unfinished_;  ///< number and text of lines that do not end as such do
  std::size_t number_ = 0, repeated_ = 0, first_repeated_ = 0;
};

ASSAY_DETAIL_HEADER_INLINE Result<History> read_history_lines(std::string_view text, const std::string& name) {
  HistoryLines lines(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto wrong = lines.add(text.substr(0, end))) return *wrong;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines.finish();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> JsonlHistory::append(std::span<const HistoryRun> runs) {
  std::string text;
  for (const HistoryRun& run : runs) {
    if (const auto checked = check_history_run(run); !checked) return checked;
    text += detail::history_line(run) + "\n";
  }
  if (text.empty()) return {};
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
  detail::HistoryLines lines(path_.string());
  constexpr std::size_t piece = 1 << 20;
  std::string text;  // the beginning of a line that is not whole yet, and what was read behind it
  auto left = static_cast<std::size_t>(status.st_size);
  while (left > 0) {
    const std::size_t before = text.size(), wanted = std::min(piece, left);
    text.resize(before + wanted);
    const ssize_t count = ::read(file.number(), text.data() + before, wanted);
    if (count < 0 && errno != EINTR) return refused("reading failed", "read");
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) break;
    left -= static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    std::size_t begin = 0;
    for (std::size_t end = text.find('\n', before); end != text.npos; end = text.find('\n', begin)) {
      if (auto wrong = lines.add(std::string_view(text).substr(begin, end - begin))) return *wrong;
      begin = end + 1;
    }
    text.erase(0, begin);
  }
  if (!text.empty())
    if (auto wrong = lines.add(text)) return *wrong;
  return lines.finish();
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
