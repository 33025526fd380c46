#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// Targets of libFuzzer: each reads bytes that nobody vouches for, and holds the reader to more than not crashing.
namespace assay::fuzz {

/// What a reader is given, and what it promises of it.
using Target = void (*)(std::string_view bytes);

/// Makes a target known by the name that its program is called by: a static object in tests/fuzz/<name>.cpp.
struct Registration {
  Registration(const char* name, Target target);
};

/// Ends the program, which libFuzzer takes for a finding, unless the promise was kept.
inline void promise(bool kept, std::string_view what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// A refusal says something, and no more than a person reads: 16 KiB.
inline void promise_message(const std::string& message) {
  promise(!message.empty() && message.size() <= 16384, "a refusal has a message that can be read");
}

/// The bytes in memory of exactly their size, so that a sanitizer sees the first one read beyond them.
class ExactCopy {
 public:
  explicit ExactCopy(std::string_view bytes)
      : size_(bytes.size()), data_(static_cast<char*>(std::malloc(size_ == 0 ? 1 : size_))) {
    bytes.copy(data_, size_);
  }
  ExactCopy(const ExactCopy&) = delete;
  ExactCopy& operator=(const ExactCopy&) = delete;
  ~ExactCopy() { std::free(data_); }

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  std::size_t size_;
  char* data_;
};

}  // namespace assay::fuzz
