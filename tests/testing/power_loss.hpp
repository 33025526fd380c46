#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/baselines/directory_store.hpp"
#include "testing/temporary_folder.hpp"

/// What a power failure may leave of a directory store's files. A medium keeps of a file what was synchronized, and of
/// what was not any part; of a folder's names those at its last synchronization, and of each later change, whatever
/// their order, the change or not.
namespace assay::testing {

struct FileEvent {
  enum class Kind {
    create,
    write,
    synchronize_file,
    link,
    rename,
    remove,
    make_folder,
    synchronize_folder,
    begin,
    acknowledge
  };
  Kind kind;
  std::string path;   ///< or the key
  std::string other;  ///< the second path, the bytes, or the record
  int file = 0;
  bool gone = false;  ///< begin, acknowledge: of an erase
};

struct FileJournal {
  std::vector<FileEvent> events;
  std::map<std::string, int> file_of;  ///< by path, now
  int files = 0;
};

/// Does what it is asked, and writes it down. A store that forgets a step is one whose operations forget it.
struct RecordingFiles : PosixFileOperations {
  std::shared_ptr<FileJournal> journal = std::make_shared<FileJournal>();
  bool forget_file = false;
  bool forget_folder = false;
  std::function<void()> after_make_folder;
  std::map<int, int> open;

  void note(FileEvent::Kind kind, const std::string& path, const std::string& other = {}, int file = 0) {
    journal->events.push_back({kind, path, other, file, false});
  }
  int create_file(const std::string& path, int& descriptor) {
    const int cause = PosixFileOperations::create_file(path, descriptor);
    if (cause == 0)
      note(FileEvent::Kind::create, path, {}, open[descriptor] = journal->file_of[path] = ++journal->files);
    return cause;
  }
  int write(int descriptor, std::string_view bytes) {
    note(FileEvent::Kind::write, {}, std::string(bytes), open[descriptor]);
    return PosixFileOperations::write(descriptor, bytes);
  }
  int synchronize_file(int descriptor) {
    if (!forget_file) note(FileEvent::Kind::synchronize_file, {}, {}, open[descriptor]);
    return 0;  // the model is the medium here
  }
  int link(const std::string& file, const std::string& name) {
    const int cause = PosixFileOperations::link(file, name);
    if (cause == 0) note(FileEvent::Kind::link, name, {}, journal->file_of[name] = journal->file_of[file]);
    return cause;
  }
  int rename(const std::string& file, const std::string& name) {
    const int cause = PosixFileOperations::rename(file, name);
    if (cause == 0) note(FileEvent::Kind::rename, file, name, journal->file_of[name] = journal->file_of[file]);
    return cause;
  }
  int remove(const std::string& file) {
    const int cause = PosixFileOperations::remove(file);
    if (cause == 0) note(FileEvent::Kind::remove, file);
    return cause;
  }
  int make_folder(const std::string& path) {
    const int cause = PosixFileOperations::make_folder(path);
    if (cause == 0) note(FileEvent::Kind::make_folder, path);
    if (cause == 0 && after_make_folder) std::exchange(after_make_folder, nullptr)();
    return cause;
  }
  int synchronize_folder(const std::string& path) {
    if (!forget_folder) note(FileEvent::Kind::synchronize_folder, path);
    return 0;
  }
};

/// What a name may stand for: a file's number, a folder, nothing.
inline constexpr int folder_entry = -1, no_entry = 0;

/// All that the medium may hold after the first `count` events.
struct Aftermath {
  std::vector<std::pair<std::string, std::vector<int>>> names;             ///< path, what it may stand for
  std::map<int, std::vector<std::string>> contents;                        ///< of a file
  std::map<std::string, std::vector<std::optional<std::string>>> allowed;  ///< key: what a store may find

  Aftermath(const std::vector<FileEvent>& events, std::size_t count) {
    std::map<std::string, std::vector<std::pair<std::size_t, int>>> history;
    std::map<std::string, std::size_t> folder_synchronized;
    std::map<int, std::string> written, durable;
    for (std::size_t i = 0; i < count; ++i) {
      const FileEvent& event = events[i];
      switch (event.kind) {
        case FileEvent::Kind::create:
        case FileEvent::Kind::link: history[event.path].emplace_back(i, event.file); break;
        case FileEvent::Kind::make_folder: history[event.path].emplace_back(i, folder_entry); break;
        case FileEvent::Kind::remove: history[event.path].emplace_back(i, no_entry); break;
        case FileEvent::Kind::rename:
          history[event.path].emplace_back(i, no_entry);
          history[event.other].emplace_back(i, event.file);
          break;
        case FileEvent::Kind::write: written[event.file] += event.other; break;
        case FileEvent::Kind::synchronize_file: durable[event.file] = written[event.file]; break;
        case FileEvent::Kind::synchronize_folder: folder_synchronized[event.path] = i; break;
        case FileEvent::Kind::begin:
          allowed.try_emplace(event.path, 1)
              .first->second.push_back(event.gone ? std::nullopt : std::optional(event.other));
          break;
        case FileEvent::Kind::acknowledge:
          allowed[event.path] = {event.gone ? std::nullopt : std::optional(event.other)};
          break;
      }
    }
    for (const auto& [path, changes] : history) {
      const std::string folder = std::filesystem::path(path).parent_path().string();
      const auto synchronized = folder_synchronized.find(folder);
      std::set<int> states;
      int certain = no_entry;
      for (const auto& [when, state] : changes)
        if (synchronized != folder_synchronized.end() && when < synchronized->second)
          certain = state;
        else
          states.insert(state);
      states.insert(certain);
      names.emplace_back(path, std::vector<int>(states.begin(), states.end()));
    }
    for (const auto& [file, bytes] : written) {
      std::set<std::string> states{bytes};
      if (durable[file] != bytes)
        states.insert({durable[file], bytes.substr(0, bytes.size() / 2), std::string(bytes.size(), '\0')});
      contents[file].assign(states.begin(), states.end());
    }
  }
};

/// What was found after all power failures of a journal.
struct PowerLossReport {
  std::size_t aftermaths = 0;  ///< that were looked at
  std::string harm;            ///< the first; empty: none
};

/// Lays every aftermath into a fresh folder and looks with an ordinary store, until the first harm. `root`: the folder
/// that the journal's paths begin with; the store is root/store.
inline PowerLossReport replay_power_losses(const std::vector<FileEvent>& events, const std::string& root,
                                           std::size_t most = 20'000) {
  namespace fs = std::filesystem;
  PowerLossReport report;
  for (std::size_t count = 0; count <= events.size(); ++count) {
    const Aftermath aftermath(events, count);
    std::vector<std::size_t> sizes, turn;
    for (const auto& [path, states] : aftermath.names) sizes.push_back(states.size());
    for (const auto& [file, states] : aftermath.contents) sizes.push_back(states.size());
    turn.assign(sizes.size(), 0);
    for (bool more = true; more && report.aftermaths < most && report.harm.empty();) {
      const TemporaryFolder fresh;
      std::map<int, std::string> content;
      std::size_t place = aftermath.names.size();
      for (const auto& [file, states] : aftermath.contents) content[file] = states[turn[place++]];
      for (std::size_t i = 0; i < aftermath.names.size();
           ++i) {  // in the order of paths: folders before what is in them
        const auto& [path, states] = aftermath.names[i];
        const int state = states[turn[i]];
        const fs::path target = fresh.path / fs::path(path).lexically_relative(root);
        if (state == no_entry || !fs::is_directory(target.parent_path())) continue;
        if (state == folder_entry)
          fs::create_directory(target);
        else
          std::ofstream(target, std::ios::binary) << content[state];
      }
      ++report.aftermaths;
      const auto store = DirectoryStore::open(fresh.at("store"), StoreAccess::existing);
      for (const auto& [key, allowed] : aftermath.allowed) {
        std::optional<std::string> found;
        std::string harm;
        if (store) {
          const auto loaded = store.value().load(key);
          if (loaded)
            found = loaded.value();
          else
            harm = loaded.error().message;
        }
        if (harm.empty() && std::find(allowed.begin(), allowed.end(), found) == allowed.end())
          harm = found ? "torn or old: " + found->substr(0, 20) : "lost";
        if (!harm.empty()) report.harm = "after " + std::to_string(count) + " events, key " + key + ": " + harm;
      }
      more = false;
      for (std::size_t i = 0; i < turn.size() && !more; ++i) {
        turn[i] = (turn[i] + 1) % sizes[i];
        more = turn[i] != 0;
      }
    }
  }
  return report;
}

}  // namespace assay::testing
