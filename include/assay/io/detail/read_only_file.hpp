#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "assay/core/result.hpp"

namespace assay::inline v0::detail {

/// A regular file that is read at any position, from several threads at once.
class ReadOnlyFile {
 public:
  /// Errors: `not_found`, `io` (a directory, a pipe, not readable).
  [[nodiscard]] static Result<ReadOnlyFile> open(const std::string& path);

  /// Bytes when it was opened.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Whether all `count` bytes from `position` could be read.
  [[nodiscard]] bool read(std::size_t position, void* destination, std::size_t count) const;

 private:
  struct Descriptor {
    int number;
    explicit Descriptor(int open) : number(open) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { ::close(number); }
  };

  explicit ReadOnlyFile(int descriptor) : descriptor_(std::make_shared<Descriptor>(descriptor)) {}

  std::shared_ptr<Descriptor> descriptor_;
  std::size_t size_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/io/detail/read_only_file.ipp"
#endif
