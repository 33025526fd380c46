#pragma once

#include "assay/collectives/directory_coordinator.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::unique_ptr<DirectoryCoordinator>> DirectoryCoordinator::open(
    std::string folder, const std::string& run, int rank, int size) {
  const bool is_name =
      !run.empty() && run.size() <= 200 && run.front() != '.' &&
      run.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == std::string::npos;
  if (!is_name)
    return failure(ErrorKind::invalid,
                   "the run's name '" + run + "' cannot name a folder; use letters, digits, '.', '_' and '-'");
  if (size < 1 || rank < 0 || rank >= size)
    return failure(ErrorKind::invalid, "rank " + std::to_string(rank) + " of " + std::to_string(size) +
                                           " is none; ranks count from 0 to the size less 1");
  std::unique_ptr<DirectoryCoordinator> made(new DirectoryCoordinator(folder + "/" + run, rank, size));
  for (const std::string& path : {folder, made->folder_})
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) return made->refused("make the folder '" + path + "'");
  auto first = made->publish("rank-" + std::to_string(rank), std::to_string(size));
  if (!first) return first.propagate();
  if (!first.value())
    return failure(ErrorKind::invalid,
                   "rank " + std::to_string(rank) + " took part in the run '" + run +
                       "' before; give every run, and every start of one, a name of its own, or remove '" +
                       made->folder_ + "'");
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::optional<std::string>>> DirectoryCoordinator::exchange(
    std::string mine, Deadline deadline) {
  const std::string number = std::to_string(exchanges_++);
  if (auto published = publish(part_of(number, rank_), mine); !published) return published.propagate();
  if (auto decided = wait_for_decision(number, deadline); !decided) return decided.propagate();
  auto decision = read("decision-" + number);
  if (!decision) return decision.propagate();
  if (!decision.value() || decision.value()->size() != static_cast<std::size_t>(size_))
    return failure(ErrorKind::io, "'" + folder_ + "/decision-" + number + "' is not of " + std::to_string(size_) +
                                      " ranks; was the folder changed, or do ranks disagree on their number?");
  std::vector<std::optional<std::string>> texts(static_cast<std::size_t>(size_));
  bool complete = true;
  for (int other = 0; other < size_; ++other) {
    const auto index = static_cast<std::size_t>(other);
    if ((*decision.value())[index] != '1') {
      complete = false;
      continue;
    }
    auto text = other == rank_ ? Result<std::optional<std::string>>(mine) : read(part_of(number, other));
    if (!text) return text.propagate();
    if (!text.value())
      return failure(ErrorKind::io, "'" + folder_ + "/" + part_of(number, other) +
                                        "' has vanished; was the folder cleaned during the run?");
    texts[index] = std::move(text).value();
  }
  if (complete) forget();
  return texts;
}

ASSAY_DETAIL_HEADER_INLINE Result<bool> DirectoryCoordinator::publish(const std::string& name,
                                                                      const std::string& text) const {
  const std::string temporary = path_of(".rank-" + std::to_string(rank_) + "-" + name), path = path_of(name);
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return refused("write '" + temporary + "'");
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(file, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const Failure why = refused("write '" + temporary + "'");
      ::close(file);
      return why;
    }
    at += static_cast<std::size_t>(written);
  }
  if (::close(file) != 0) return refused("write '" + temporary + "'");
  const bool made = ::link(temporary.c_str(), path.c_str()) == 0;
  const int cause = errno;
  ::unlink(temporary.c_str());
  errno = cause;
  if (!made && cause != EEXIST) return refused("give '" + path + "' its name by a hard link");
  return made;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::optional<std::string>> DirectoryCoordinator::read(
    const std::string& name) const {
  const std::string path = path_of(name);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return std::optional<std::string>();
  if (file < 0) return refused("read '" + path + "'");
  std::string text;
  char buffer[4096];
  while (true) {
    const ssize_t got = ::read(file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const Failure why = refused("read '" + path + "'");
      ::close(file);
      return why;
    }
    if (got == 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(file);
  return std::optional<std::string>(std::move(text));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> DirectoryCoordinator::wait_for_decision(const std::string& number,
                                                                                Deadline deadline) const {
  std::string came(static_cast<std::size_t>(size_), '0');
  auto pause = std::chrono::microseconds(50);
  while (!is_there("decision-" + number)) {
    for (int other = 0; other < size_; ++other) {
      char& here = came[static_cast<std::size_t>(other)];
      if (here == '0' && is_there(part_of(number, other))) here = '1';
    }
    if (came.find('0') == std::string::npos || has_passed(deadline)) {
      auto decided = publish("decision-" + number, came);
      if (!decided) return decided.propagate();
      return {};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
  return {};
}

}  // namespace assay::inline v0
