#pragma once

// Path 3 of README.md: a new store for baselines.

#include <sys/file.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/baselines/file_operations.hpp"
#include "assay/baselines/store.hpp"

namespace custom {

using namespace assay;

/// Records in one file that only grows, on POSIX systems. An entry is a line "+ key size sum sum", the record and an
/// end of line; "-" says that the key was erased. The first sum is the record's, the second the line's. What a killed
/// writer left unfinished at the end is ignored, and cut off by the next one; any other damage is an error. Processes
/// take turns by flock. A `Store`.
class LogStore {
 public:
  /// Reads the whole file, once. Errors: `not_found`, `io`, `malformed`.
  [[nodiscard]] static Result<LogStore> open(const std::filesystem::path& path, StoreAccess access) {
    LogStore store;
    store.state_->path = path.string();
    const int file =
        ::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | (access == StoreAccess::create ? O_CREAT : 0), 0666);
    store.state_->file = file;
    if (file < 0) return store.refused(std::strerror(errno), errno == ENOENT ? ErrorKind::not_found : ErrorKind::io);
    if (const int cause =
            PosixFileOperations().synchronize_folder(path.has_parent_path() ? path.parent_path().string() : "."))
      return store.refused(std::strerror(cause));
    if (auto listed = store.list(); !listed) return listed.propagate();
    return Result<LogStore>(std::move(store));
  }

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const {
    expect_store_key(key);
    return in_turn(LOCK_SH, [&]() -> Result<std::optional<std::string>> {
      const auto found = state_->records.find(key);
      if (found == state_->records.end()) return std::optional<std::string>();
      std::string record(found->second.second, '\0');
      if (!read(found->second.first, record)) return refused("the record " + key + " cannot be read");
      return std::optional<std::string>(std::move(record));
    });
  }
  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) {
    expect_store_key(key);
    return in_turn(LOCK_EX, [&]() -> Result<bool> {
      return mode == SaveMode::create && state_->records.count(key) > 0 ? Result<bool>(false)
                                                                        : append('+', key, record);
    });
  }
  [[nodiscard]] Result<std::vector<std::string>> list() const {
    return in_turn(LOCK_SH, [&]() -> Result<std::vector<std::string>> {
      std::vector<std::string> keys;
      for (const auto& [key, place] : state_->records) keys.push_back(key);
      return keys;
    });
  }
  [[nodiscard]] Result<bool> erase(const std::string& key) {
    expect_store_key(key);
    return in_turn(LOCK_EX,
                   [&] { return state_->records.count(key) > 0 ? append('-', key, "") : Result<bool>(false); });
  }
  [[nodiscard]] std::string describe() const { return "the log " + state_->path; }

 private:
  struct State {
    std::mutex mutex;
    std::string path;
    int file = -1;
    std::size_t end = 0;                                                 ///< of the last whole entry
    std::map<std::string, std::pair<std::size_t, std::size_t>> records;  ///< where each begins, and its size
    ~State() { ::close(file); }
  };

  [[nodiscard]] Failure refused(const std::string& what, ErrorKind kind = ErrorKind::io) const {
    return failure(kind, describe() + ": " + what);
  }

  /// Does `work` when it is this thread's and this process's turn, with all known that others wrote.
  template <class Work>
  [[nodiscard]] auto in_turn(int kind, Work work) const -> decltype(work()) {
    const std::lock_guard<std::mutex> turn(state_->mutex);
    if (::flock(state_->file, kind) != 0) return refused(std::strerror(errno));
    const auto known = read_on();
    auto result = known ? work() : decltype(work())(known.propagate());
    return ::flock(state_->file, LOCK_UN), result;
  }
  [[nodiscard]] bool read(std::size_t place, std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const auto got = ::pread(state_->file, &text[done], text.size() - done, static_cast<off_t>(place + done));
      if (got == 0 || (got < 0 && errno != EINTR)) return false;
      done += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return true;
  }
  /// Takes in what was written since, as far as it is whole.
  [[nodiscard]] Result<void> read_on() const {
    struct ::stat status {};
    if (::fstat(state_->file, &status) != 0 || status.st_nlink == 0) return refused("the file is gone");
    if (static_cast<std::size_t>(status.st_size) < state_->end) return refused("it was cut off", ErrorKind::malformed);
    std::string fresh(static_cast<std::size_t>(status.st_size) - state_->end, '\0');
    if (!read(state_->end, fresh)) return refused("it cannot be read");
    for (std::size_t at = 0, line_end; (line_end = fresh.find('\n', at)) != std::string::npos;) {
      const std::string line = fresh.substr(at, line_end - at),
                        damaged = "it is damaged at byte " + std::to_string(state_->end);
      const std::size_t sums = line.size() < 38 ? 0 : line.size() - 34, key_end = line.find(' ', 2);
      if (sums == 0 || line.substr(sums + 18) != sum_of(line.substr(0, sums + 17)))
        return refused(damaged, ErrorKind::malformed);
      const std::string key = line.substr(2, key_end - 2);
      const std::size_t size = std::stoull(line.substr(key_end)), begin = line_end + 1;
      if (fresh.size() - begin < size + 1) break;  // its writer was killed
      if (line.substr(sums + 1, 16) != sum_of(std::string_view(fresh).substr(begin, size)))
        return refused(damaged, ErrorKind::malformed);
      state_->records[key] = {state_->end + begin - at, size};
      if (line[0] == '-') state_->records.erase(key);
      state_->end += begin + size + 1 - at, at = begin + size + 1;
    }
    return {};
  }
  [[nodiscard]] Result<bool> append(char kind, const std::string& key, std::string_view record) {
    std::string entry = std::string(1, kind) + " " + key + " " + std::to_string(record.size()) + " " + sum_of(record);
    entry += " " + sum_of(entry) + "\n";
    const std::size_t line = entry.size();
    const auto end = static_cast<off_t>(state_->end);
    int cause = ::ftruncate(state_->file, end) == 0
                    ? PosixFileOperations().write(state_->file, entry.append(record).append("\n"))
                    : errno;
    if (cause == 0) cause = PosixFileOperations().synchronize_file(state_->file);
    if (cause != 0)
      return static_cast<void>(!::ftruncate(state_->file, end)),
             refused("nothing was saved: " + std::string(std::strerror(cause)));
    state_->records[key] = {state_->end + line, record.size()};
    if (kind == '-') state_->records.erase(key);
    state_->end += entry.size();
    return true;
  }
  /// FNV-1a of 64 bits, as 16 digits.
  [[nodiscard]] static std::string sum_of(std::string_view text) {
    unsigned long long sum = 0xCBF29CE484222325U;
    for (const char byte : text) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    char digits[17];
    return std::snprintf(digits, sizeof digits, "%016llx", sum), digits;
  }

  std::unique_ptr<State> state_ = std::make_unique<State>();
};
static_assert(Store<LogStore>);

}  // namespace custom
