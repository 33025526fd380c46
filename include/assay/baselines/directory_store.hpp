#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/baselines/file_operations.hpp"
#include "assay/baselines/store.hpp"

namespace assay::inline v0 {

/// Records as files of a folder, `<first two characters of the key>/<key>.baseline`: the store that needs no server and
/// no library. A `Store`, for many processes, on file systems with hard links whose fsync keeps its promise.
///
/// A save writes a temporary file, synchronizes it, gives it its name (link to create, rename to replace: both atomic)
/// and synchronizes the folder. The file `assay-baselines` marks the store: a folder without it is none, so that a
/// mount point whose file system is absent is a failure, not an empty store. A lookup opens one file, however many
/// there are; one that finds nothing two.
template <FileOperations Files = PosixFileOperations>
class BasicDirectoryStore {
 public:
  static constexpr const char* marker_name = "assay-baselines";  ///< the file that marks a folder as a store
  /// What the marker says to people.
  static constexpr std::string_view marker_text =
      "assay baseline store, layout 1\nRecords are <first two characters of the key>/<key>.baseline and begin with "
      "readable metadata.\n";

  /// Errors: `not_found` if there is no store and `access` makes none (nor parents of a folder), `invalid` if the
  /// folder holds other things, `unsupported` for the layout of a newer version, `io`.
  [[nodiscard]] static Result<BasicDirectoryStore> open(std::string folder, StoreAccess access, Files files = {}) {
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    if (folder.empty()) return failure(ErrorKind::invalid, "the folder of a baseline store has no name; name one");
    BasicDirectoryStore store(std::move(folder), std::move(files));
    const Result<bool> marked = store.read_marker();
    if (!marked) return marked.propagate();
    if (!marked.value() && access == StoreAccess::existing)
      return failure(ErrorKind::not_found, "'" + store.state_->folder + "' is no baseline store: it has no file '" +
                                               marker_name +
                                               "'; name the folder of a store, or record a first baseline to make one");
    if (!marked.value())
      if (const Result<void> made = store.make(); !made) return made.propagate();
    return store;
  }

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const {
    expect_store_key(key);
    std::string record;
    const int cause = state_->files.read(path_of(key), record);
    if (cause == 0) return std::optional<std::string>(std::move(record));
    if (cause != ENOENT) return refused("load", key, "reading its file", cause);
    if (const Result<void> there = require_marker(); !there) return there.propagate();
    return std::optional<std::string>();
  }

  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) {
    expect_store_key(key);
    const std::string folder = fan_out(key), path = path_of(key);
    if (const Result<void> ready = prepare(folder, key); !ready) return ready.propagate();
    std::string temporary;
    int descriptor = -1;
    if (int cause = create_temporary(folder, temporary, descriptor); cause != 0)
      return refused("save", key, "making a file", cause);

    int cause = state_->files.write(descriptor, record);
    const char* step = "writing its file";
    if (cause == 0) {
      cause = state_->files.synchronize_file(descriptor);
      step = "synchronizing its file";
    }
    if (const int closed = state_->files.close(descriptor); cause == 0) cause = closed;
    if (cause == 0) {
      cause = mode == SaveMode::create ? state_->files.link(temporary, path) : state_->files.rename(temporary, path);
      step = mode == SaveMode::create ? "giving its file a name by a hard link" : "renaming its file";
    }
    const bool present = mode == SaveMode::create && cause == EEXIST;
    if (cause != 0 || mode == SaveMode::create) static_cast<void>(state_->files.remove(temporary));
    if (cause != 0 && !present) return refused("save", key, step, cause);
    if (const int synchronized = state_->files.synchronize_folder(folder); synchronized != 0)
      return refused("save", key,
                     "synchronizing its folder, after which the record is there but may not survive a power failure",
                     synchronized);
    return !present;
  }

  [[nodiscard]] Result<std::vector<std::string>> list() const {
    if (const Result<void> there = require_marker(); !there) return there.propagate();
    std::vector<std::string> folders, names, keys;
    if (const int cause = state_->files.list(state_->folder, folders); cause != 0)
      return refused("list", "", "reading its folder", cause);
    for (const std::string& folder : folders) {
      if (folder.size() > 2) continue;
      const int cause = state_->files.list(state_->folder + "/" + folder, names);
      if (cause == ENOTDIR || cause == ENOENT) continue;
      if (cause != 0) return refused("list", "", "reading the folder '" + folder + "'", cause);
      for (const std::string& name : names) {
        if (name.size() <= suffix.size() || name.substr(name.size() - suffix.size()) != suffix) continue;
        const std::string key = name.substr(0, name.size() - suffix.size());
        if (is_store_key(key) && key.substr(0, 2) == folder) keys.push_back(key);
      }
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  [[nodiscard]] Result<bool> erase(const std::string& key) {
    expect_store_key(key);
    const int cause = state_->files.remove(path_of(key));
    if (cause != 0 && cause != ENOENT) return refused("erase", key, "removing its file", cause);
    if (cause == ENOENT) {
      if (const Result<void> there = require_marker(); !there) return there.propagate();
      return false;
    }
    if (const int synchronized = state_->files.synchronize_folder(fan_out(key)); synchronized != 0)
      return refused("erase", key,
                     "synchronizing its folder, after which the record is gone but may be back after a power failure",
                     synchronized);
    return true;
  }

  /// Removes what writers that were killed left behind longer ago than `age`, and gives their number. They are
  /// harmless, and cost room only.
  [[nodiscard]] Result<std::size_t> remove_leftovers(std::chrono::seconds age = std::chrono::hours(24)) {
    if (const Result<void> there = require_marker(); !there) return there.propagate();
    std::vector<std::string> folders{""}, names;
    if (const int cause = state_->files.list(state_->folder, names); cause != 0)
      return refused("clean", "", "reading its folder", cause);
    for (const std::string& name : names)
      if (name.size() <= 2) folders.push_back("/" + name);
    std::size_t removed = 0;
    for (const std::string& folder : folders) {
      if (state_->files.list(state_->folder + folder, names) != 0) continue;
      for (const std::string& name : names) {
        std::int64_t made = 0;
        if (name.rfind(temporary_prefix, 0) != 0) continue;
        std::from_chars(name.data() + temporary_prefix.size(), name.data() + name.size(), made);
        if (made + age.count() <= now() && state_->files.remove(state_->folder + folder + "/" + name) == 0) ++removed;
      }
    }
    return removed;
  }

  [[nodiscard]] std::string describe() const { return "the baseline store in '" + state_->folder + "'"; }

 private:
  static constexpr std::string_view suffix = ".baseline";
  static constexpr std::string_view temporary_prefix = ".tmp-";

  struct State {
    std::string folder;
    Files files;
    std::mutex mutex;
    std::set<std::string> prepared;  ///< folders of which this store knows that they are durable
  };

  BasicDirectoryStore(std::string folder, Files files)
      : state_(new State{std::move(folder), std::move(files), {}, {}}) {}

  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  [[nodiscard]] std::string fan_out(const std::string& key) const { return state_->folder + "/" + key.substr(0, 2); }
  [[nodiscard]] std::string path_of(const std::string& key) const {
    return fan_out(key) + "/" + key + std::string(suffix);
  }
  [[nodiscard]] std::string marker() const { return state_->folder + "/" + marker_name; }

  [[nodiscard]] Failure refused(const char* what, const std::string& key, const std::string& step, int cause) const {
    const char* advice = cause == ENOSPC || cause == EDQUOT  ? "; make room and try again"
                         : cause == EROFS || cause == EACCES ? "; check the permissions and the mount of the folder"
                         : cause == EPERM || cause == EOPNOTSUPP || cause == EMLINK
                             ? "; use a file system with hard links, or another kind of store"
                             : "";
    return failure(ErrorKind::io, std::string("cannot ") + what + (key.empty() ? "" : " the record '" + key + "' in") +
                                      " " + describe() + ": " + step + ": " + std::strerror(cause) + advice);
  }

  /// Whether the folder is marked as a store.
  [[nodiscard]] Result<bool> read_marker() const {
    std::string text;
    const int cause = state_->files.read(marker(), text);
    if (cause == ENOENT || cause == ENOTDIR) return false;
    if (cause != 0) return refused("open", "", std::string("reading its file '") + marker_name + "'", cause);
    const std::string_view first_line = marker_text.substr(0, marker_text.find('\n') + 1);
    if (text.rfind(first_line, 0) == 0) return true;
    const std::string_view any_layout = first_line.substr(0, first_line.rfind(' ') + 1);
    if (text.rfind(any_layout, 0) == 0)
      return failure(ErrorKind::unsupported, describe() + " has another layout than the 1 that this version knows ('" +
                                                 text.substr(0, text.find('\n')) +
                                                 "'); use the version of Assay that made it, or a newer one");
    return failure(ErrorKind::malformed, "the file '" + marker() + "' that marks a baseline store does not read '" +
                                             std::string(first_line.substr(0, first_line.size() - 1)) +
                                             "'; it is damaged, or another program's");
  }

  [[nodiscard]] Result<void> require_marker() const {
    const Result<bool> marked = read_marker();
    if (!marked) return marked.propagate();
    if (marked.value()) return {};
    return failure(ErrorKind::io, describe() + " is gone: there is no file '" + marker() +
                                      "' any longer; is its file system mounted?");
  }

  [[nodiscard]] Result<void> make() {
    const std::string& folder = state_->folder;
    const int made = state_->files.make_folder(folder);
    if (made != 0 && made != EEXIST) return refused("make", "", "making its folder, whose parent must be there", made);
    std::vector<std::string> names;
    if (const int cause = state_->files.list(folder, names); cause != 0)
      return refused("make", "", "reading its folder", cause);
    const Result<bool> marked = read_marker();  // by now perhaps, by another process that makes it, too
    if (!marked) return marked.propagate();
    if (marked.value()) return {};
    for (const std::string& name : names)
      if (name != marker_name && name.rfind(temporary_prefix, 0) != 0 && name != "lost+found")
        return failure(ErrorKind::invalid, "'" + folder + "' is no baseline store, and holds other things ('" + name +
                                               "'); name an empty folder, or one that is not there yet");
    std::string temporary;
    int descriptor = -1;
    int cause = create_temporary(folder, temporary, descriptor);
    if (cause != 0) return refused("make", "", "making a file", cause);
    cause = state_->files.write(descriptor, marker_text);
    if (cause == 0) cause = state_->files.synchronize_file(descriptor);
    if (const int closed = state_->files.close(descriptor); cause == 0) cause = closed;
    if (cause == 0) cause = state_->files.link(temporary, marker());
    static_cast<void>(state_->files.remove(temporary));
    if (cause != 0 && cause != EEXIST)
      return refused("make", "", std::string("writing its file '") + marker_name + "'", cause);
    return {};
  }

  /// Makes a folder for records, and all names on the way to it durable: another process may have made them and died
  /// before it did.
  [[nodiscard]] Result<void> prepare(const std::string& folder, const std::string& key) {
    {
      const std::lock_guard<std::mutex> lock(state_->mutex);
      if (state_->prepared.count(folder) > 0) return {};
    }
    if (const Result<void> there = require_marker(); !there) return there.propagate();
    const int made = state_->files.make_folder(folder);
    if (made != 0 && made != EEXIST) return refused("save", key, "making the folder '" + folder + "'", made);
    if (const int cause = state_->files.synchronize_folder(state_->folder); cause != 0)
      return refused("save", key, "synchronizing the folder of the store", cause);
    const std::size_t slash = state_->folder.rfind('/');
    const std::string parent = slash == std::string::npos ? "." : slash == 0 ? "/" : state_->folder.substr(0, slash);
    const int cause = state_->files.synchronize_folder(parent);
    if (cause != 0 && cause != EACCES && cause != EPERM)
      return refused("save", key, "synchronizing the folder that holds the store", cause);
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->prepared.insert(folder);
    return {};
  }

  [[nodiscard]] int create_temporary(const std::string& folder, std::string& path, int& descriptor) {
    static std::atomic<std::uint64_t> counter{std::random_device{}()};
    for (int attempt = 0;; ++attempt) {
      const std::uint64_t distinct = (std::uint64_t{std::random_device{}()} << 32) ^ counter.fetch_add(1);
      path = folder + "/" + std::string(temporary_prefix) + std::to_string(now()) + "-" + std::to_string(distinct);
      const int cause = state_->files.create_file(path, descriptor);
      if (cause != EEXIST || attempt == 16) return cause;
    }
  }

  std::unique_ptr<State> state_;
};

using DirectoryStore = BasicDirectoryStore<>;  ///< The store on the operating system's files.

static_assert(Store<DirectoryStore>);

}  // namespace assay::inline v0
