#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detail/unless_out_of_memory.hpp"
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
  [[nodiscard]] Result<SafetensorsEntry> find(const std::string& tensor) const {
    for (const SafetensorsEntry& entry : entries())
      if (entry.name == tensor) return entry;
    std::vector<std::string> names;
    for (const SafetensorsEntry& entry : entries()) names.push_back(entry.name);
    std::string message = name_ + " has no tensor " + detail::shown_name(tensor) + " among its " + std::to_string(names.size());
    const std::vector<std::string> nearest = nearest_names(tensor, names);
    for (const std::string& near : nearest) message += (&near == nearest.data() ? "; nearest: " : ", ") + detail::shown_name(near);
    return failure(ErrorKind::not_found, message);
  }

  /// Reads `count` bytes of a tensor, from its byte `first`.
  /// Errors: `io`, if the file was cut after it was opened. Misuse: a range outside the tensor, an entry of another file.
  [[nodiscard]] Result<void> read_bytes(const SafetensorsEntry& entry, Index first, Index count, std::byte* destination) const {
    const Index data_bytes = entries().empty() ? 0 : entries().back().end;
    expect(entry.begin >= 0 && entry.begin <= entry.end && entry.end <= data_bytes,
           [&] { return detail::shown_name(entry.name) + " is no entry of " + name_; });
    expect(first >= 0 && count >= 0 && first <= entry.byte_count() && count <= entry.byte_count() - first, [&] {
      return std::to_string(count) + " bytes from byte " + std::to_string(first) + " lie outside tensor " + detail::shown_name(entry.name) +
             ", which has " + std::to_string(entry.byte_count());
    });
    if (count > 0 && !read_(data_begin_ + static_cast<std::size_t>(entry.begin + first), destination, static_cast<std::size_t>(count)))
      return failure(ErrorKind::io,
                     name_ + ": tensor " + detail::shown_name(entry.name) + " could not be read whole; was the file changed meanwhile?");
    return {};
  }

  /// Reads one whole tensor. Errors: as `read_bytes`; `out_of_memory`.
  [[nodiscard]] Result<SafetensorsTensor> read(const SafetensorsEntry& entry) const {
    const auto whole = [&]() -> Result<SafetensorsTensor> {
      SafetensorsTensor tensor{entry.type, entry.shape, std::vector<std::byte>(static_cast<std::size_t>(entry.byte_count()))};
      if (const auto done = read_bytes(entry, 0, entry.byte_count(), tensor.bytes.data()); !done) return done.propagate();
      return tensor;
    };
    return detail::unless_out_of_memory(whole, [&]() -> Result<SafetensorsTensor> {
      return failure(ErrorKind::out_of_memory, name_ + ": no memory for tensor " + detail::shown_name(entry.name) + " of " +
                                                   std::to_string(entry.byte_count()) + " bytes; read it in parts with read_values");
    });
  }

  /// The same, by name. Errors: `not_found`, too.
  [[nodiscard]] Result<SafetensorsTensor> read(const std::string& tensor) const {
    const auto entry = find(tensor);
    if (!entry) return entry.propagate();
    return read(entry.value());
  }

  /// Reads `count` real numbers from position `first` as doubles: exact, except that 64-bit integers beyond 2^53 are rounded
  /// to nearest. Memory: a fixed buffer, so that tensors larger than memory can be read in parts. Errors and misuse: as `read_bytes`.
  [[nodiscard]] Result<void> read_values(const SafetensorsEntry& entry, Index first, Index count, double* values) const {
    const Index total = entry.value_count();
    expect(first >= 0 && count >= 0 && first <= total && count <= total - first, [&] {
      return std::to_string(count) + " values from position " + std::to_string(first) + " lie outside tensor " +
             detail::shown_name(entry.name) + ", which has " + std::to_string(total);
    });
    constexpr Index step_limit = 8192;  // 64 KiB at most
    const Index bits = safetensors_facts(entry.type).bits / reals_per_element(entry.type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(step_limit * bits / 8 + 2));
    for (Index position = first; position < first + count;) {
      const Index step = std::min(step_limit, first + count - position);
      const Index lead = position % 4;  // four values fill whole bytes in every dtype
      const Index begin = (position - lead) * bits / 8, end = ((position + step) * bits + 7) / 8;
      if (const auto done = read_bytes(entry, begin, end - begin, bytes.data()); !done) return done.propagate();
      detail::decode_safetensors(entry.type, bytes.data(), static_cast<std::size_t>(lead), static_cast<std::size_t>(step),
                                 values + (position - first));
      position += step;
    }
    return {};
  }

 private:
  std::string name_;
  detail::SafetensorsHeader header_;
  std::size_t data_begin_;
  Read read_;
};

}  // namespace assay::inline v0
