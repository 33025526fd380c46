#pragma once

#include "assay/hardware/bandwidth/storage.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "assay/core/config.hpp"
#include "assay/hardware/memory/background.hpp"
#include "assay/report/text.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

namespace detail {

#if defined(__unix__) || defined(__APPLE__)

#if defined(O_DIRECT)
inline constexpr int direct_access = O_DIRECT;
#else
inline constexpr int direct_access = 0;
#endif

/// The file of one measurement; every word holds a hash of its place.
class StorageFile {
 public:
  static constexpr std::size_t large = std::size_t{1} << 20, small = 4096;

  explicit StorageFile(const StorageOptions& options)
      : options_(options),
        pattern_{Background::Kind::random, options.seed * 0x9E3779B97F4A7C15u},
        path_(options.folder / ("assay-storage-" + std::to_string(::getpid()))),
        buffer_(static_cast<char*>(::operator new (large, std::align_val_t{4096}))) {}
  ~StorageFile() {
    ::operator delete (buffer_, std::align_val_t{4096});
    ::unlink(path_.c_str());
  }
  StorageFile(const StorageFile&) = delete;
  StorageFile& operator=(const StorageFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes all of it and waits until it is on the medium.
  [[nodiscard]] Outcome write(const std::string& name, bool direct) {
    return timed(name, O_WRONLY | O_CREAT | O_TRUNC, direct, [&](int file, Outcome& outcome) {
      for (std::size_t at = 0; at < bytes(); at += large) {
        fill(at, large);
        const ssize_t done = clocked([&] { return ::pwrite(file, buffer_, large, static_cast<off_t>(at)); });
        if (!moved(done, large, "written", outcome)) return 0.0;
      }
      if (clocked([&] { return ::fsync(file); }) != 0)
        return refuse(outcome, std::string("it could not be flushed: ") + std::strerror(errno));
      return static_cast<double>(bytes());
    });
  }

  [[nodiscard]] Outcome read(const std::string& name, bool direct, bool random) {
    return timed(name, O_RDONLY, direct, [&](int file, Outcome& outcome) {
#if defined(POSIX_FADV_DONTNEED)
      if (!direct) {
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        outcome.derivation.push_back("the page cache was asked to drop the file; the system may keep it");
      }
#endif
      RandomSequence order(options_.seed);
      const std::size_t step = random ? small : large;
      const std::size_t count = random ? options_.random_reads : bytes() / large;
      double done = 0;
      for (std::size_t i = 0; i < count; ++i, done += static_cast<double>(step)) {
        const std::size_t at =
            random ? order.below(std::min<std::size_t>(bytes() / small, 0xFFFFFFFFu)) * small : i * large;
        const ssize_t got = clocked([&] { return ::pread(file, buffer_, step, static_cast<off_t>(at)); });
        if (!moved(got, step, "read", outcome)) return 0.0;
        if (!compare(at, step, outcome)) return done;
      }
      return done;
    });
  }

 private:
  [[nodiscard]] std::size_t bytes() const {
    return std::max<std::size_t>(options_.bytes / large, 1) * large;
  }

  void fill(std::size_t at, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 8) {
      const std::uint64_t word = pattern_.at((at + i) / 8);
      std::memcpy(buffer_ + i, &word, 8);
    }
  }

  static double refuse(Outcome& outcome, const std::string& why) {
    outcome.verdict = Verdict::error;
    outcome.reason = why;
    return 0;
  }

  bool moved(ssize_t done, std::size_t asked, const char* verb, Outcome& outcome) const {
    if (done == static_cast<ssize_t>(asked)) return true;
    refuse(outcome, "'" + path_.string() + "' could not be " + verb + ": " +
                        (done < 0 ? std::strerror(errno)
                                  : "only " + std::to_string(done) + " of " + std::to_string(asked) +
                                        " bytes; is the medium full?"));
    return false;
  }

  bool compare(std::size_t at, std::size_t count, Outcome& outcome) const {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, buffer_ + i / 8 * 8, 8);
      if (i % 8 == 0 && word == pattern_.at((at + i) / 8)) {
        i += 7;
        continue;
      }
      const auto expected = static_cast<unsigned char>(pattern_.at((at + i) / 8) >> (at + i) % 8 * 8);
      if (static_cast<unsigned char>(buffer_[i]) == expected) continue;
      outcome.verdict = Verdict::fail;
      outcome.reason = "byte " + std::to_string(at + i) + " of the file was read as " +
                       std::to_string(static_cast<unsigned char>(buffer_[i])) + ", and " + std::to_string(expected) +
                       " was written";
      return false;
    }
    return true;
  }

  /// Moving bytes counts, making and comparing them does not.
  template <class Call>
  ssize_t clocked(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    const ssize_t result = call();
    moving_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  }

  template <class Work>
  [[nodiscard]] Outcome timed(const std::string& name, int flags, bool direct, const Work& work) {
    Outcome outcome;
    outcome.id = "hardware/bandwidth/storage/" + name;
    outcome.labels = {{"operation", "storage"}, {"backend", "host"}};
    outcome.reproduce = "assay hardware bandwidth --storage " + options_.folder.string();
    outcome.seed = options_.seed;
    if (direct && direct_access == 0) {
      outcome.verdict = Verdict::unsupported;
      outcome.reason = "this system has no direct access to files";
      return outcome;
    }
    const int file = ::open(path_.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | (direct ? direct_access : 0), 0600);
    if (file < 0) {
      const int code = errno;
      outcome.verdict = direct && code == EINVAL ? Verdict::unsupported : Verdict::error;
      outcome.reason = outcome.verdict == Verdict::unsupported
                           ? "the file system of '" + options_.folder.string() + "' has no direct access"
                           : "'" + path_.string() + "' could not be opened: " + std::strerror(code);
      return outcome;
    }
    const auto start = std::chrono::steady_clock::now();
    moving_seconds_ = 0;
    const double done = work(file, outcome);
    outcome.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ::close(file);
    if (!outcome.reason.empty()) return outcome;
    if (done > 0 && moving_seconds_ > 0) {
      outcome.measure("rate", done / moving_seconds_ / 1e9, "GB/s");
      outcome.measure("bytes", done, "B");
      outcome.verdict = Verdict::pass;
    } else {
      outcome.verdict = Verdict::fail;
      outcome.reason = "nothing was moved";
    }
    return outcome;
  }

  const StorageOptions& options_;
  Background pattern_;
  std::filesystem::path path_;
  char* buffer_;
  double moving_seconds_ = 0;
};

#endif

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_storage([[maybe_unused]] const StorageOptions& options) {
  std::vector<Outcome> outcomes;
#if defined(__unix__) || defined(__APPLE__)
  detail::StorageFile file(options);
  for (const bool direct : {false, true}) {
    const std::string prefix = direct ? "direct_" : "sequential_";
    outcomes.push_back(file.write(prefix + "write", direct));
    if (outcomes.back().verdict != Verdict::pass) continue;
    if (options.after_write) options.after_write(file.path());
    outcomes.push_back(file.read(prefix + "read", direct, false));
    outcomes.push_back(file.read(direct ? "direct_random_read" : "random_read", direct, true));
  }
#else
  Outcome outcome;
  outcome.id = "hardware/bandwidth/storage";
  outcome.verdict = Verdict::unsupported;
  outcome.reason = "storage is measured by the calls of POSIX, which this system does not have";
  outcomes.push_back(outcome);
#endif
  return outcomes;
}

}  // namespace assay::inline v0
