#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/unless_out_of_memory.hpp"
#include "assay/io/detail/safetensors_header.hpp"
#include "assay/io/safetensors_tensor.hpp"

namespace assay::inline v0 {

/// An open safetensors file whose header was read and checked; tensors are read when they are asked for
/// (`open_safetensors`, `parse_safetensors`). Reading is safe from several threads at once.
class SafetensorsFile {
 public:
  /// Reads `count` bytes of the file from `position`; false if it could not.
  using Read = std::function<bool(std::size_t position, void* destination, std::size_t count)>;

  /// For readers of files: `header` has been checked against the data, which begins at byte `data_begin`.
  SafetensorsFile(std::string name, detail::SafetensorsHeader header, std::size_t data_begin, Read read)
      : name_(std::move(name)), header_(std::move(header)), data_begin_(data_begin), read_(std::move(read)) {}

  /// The path, or what stands for it in messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The tensors, in the order of their data.
  [[nodiscard]] const std::vector<SafetensorsEntry>& entries() const { return header_.entries; }
  /// The header's `__metadata__`; empty where there is none.
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

  /// A tensor by its name. O(number of tensors). `ErrorKind::not_found` names the nearest.
  [[nodiscard]] Result<SafetensorsEntry> find(const std::string& tensor) const;

  /// Reads `count` bytes of a tensor, from its byte `first`. Errors: `io`, if the file was cut after it was opened.
  /// Misuse: a range outside the tensor, an entry of another file.
  [[nodiscard]] Result<void> read_bytes(const SafetensorsEntry& entry, Index first, Index count,
                                        std::byte* destination) const;

  /// Reads one whole tensor. Errors: as `read_bytes`; `out_of_memory`.
  [[nodiscard]] Result<SafetensorsTensor> read(const SafetensorsEntry& entry) const;

  /// The same, by name. Errors: `not_found`, too.
  [[nodiscard]] Result<SafetensorsTensor> read(const std::string& tensor) const {
    const auto entry = find(tensor);
    if (!entry) return entry.propagate();
    return read(entry.value());
  }

  /// Reads `count` real numbers from position `first` as doubles: exact, except that 64-bit integers beyond 2^53 are
  /// rounded to nearest. Memory: a fixed buffer, so that tensors larger than memory can be read in parts. Errors and
  /// misuse: as `read_bytes`.
  [[nodiscard]] Result<void> read_values(const SafetensorsEntry& entry, Index first, Index count, double* values) const;

 private:
  std::string name_;
  detail::SafetensorsHeader header_;
  std::size_t data_begin_;
  Read read_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/io/safetensors_file.ipp"
#endif
