#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace assay::inline v0::detail {

/// Writes a message of protocol buffers (encoding.md of protobuf.dev).
class ProtobufWriter {
 public:
  ProtobufWriter& varint(int field, std::uint64_t value) {
    put(static_cast<std::uint64_t>(field) << 3);
    put(value);
    return *this;
  }
  ProtobufWriter& text(int field, std::string_view value) {
    put(static_cast<std::uint64_t>(field) << 3 | 2);
    put(value.size());
    bytes_.append(value);
    return *this;
  }
  ProtobufWriter& real(int field, float value) {
    put(static_cast<std::uint64_t>(field) << 3 | 5);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof raw);
    return *this;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  void put(std::uint64_t value) {
    for (; value > 127; value >>= 7) bytes_.push_back(static_cast<char>(value | 128));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

/// How a field is encoded.
enum class ProtobufWire { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// Reads a message field by field, of bytes that may be anything: after what cannot be right `good()` is false, and
/// there is no next field. Allocates nothing; what it gives lies in the bytes. O(1) a field.
class ProtobufReader {
 public:
  explicit ProtobufReader(std::string_view bytes) : rest_(bytes) {}

  int field = 0;
  ProtobufWire wire = ProtobufWire::varint;
  std::uint64_t number = 0;  ///< of varint and fixed
  std::string_view bytes;    ///< of bytes

  /// Goes to the next field; false at the end and where the message is broken.
  [[nodiscard]] bool next();
  [[nodiscard]] bool good() const noexcept { return good_; }
  /// What is not read yet.
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }
  /// A number of packed ones; false at their end and where they are broken.
  [[nodiscard]] bool packed_varint(std::uint64_t& value) { return !rest_.empty() && read_varint(value); }

 private:
  [[nodiscard]] bool broken() noexcept {
    good_ = false;
    rest_ = {};
    return false;
  }
  [[nodiscard]] bool read_varint(std::uint64_t& value);
  [[nodiscard]] bool read_fixed(std::size_t size);

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/protobuf.ipp"
#endif
