#pragma once

#include "assay/frameworks/detail/protobuf.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool ProtobufReader::read_varint(std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return broken();
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    if (shift == 63 && byte > 1) return broken();  // more than 64 bits
    value |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) return true;
  }
  return broken();
}

ASSAY_DETAIL_HEADER_INLINE bool ProtobufReader::read_fixed(std::size_t size) {
  if (rest_.size() < size) return broken();
  number = 0;
  std::memcpy(&number, rest_.data(), size);
  rest_.remove_prefix(size);
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool ProtobufReader::next() {
  if (rest_.empty()) return false;
  std::uint64_t key = 0;
  if (!read_varint(key)) return false;
  if (key >> 3 == 0 || key >> 3 > 536870911) return broken();
  field = static_cast<int>(key >> 3);
  switch (key & 7) {
    case 0: wire = ProtobufWire::varint; return read_varint(number);
    case 1: wire = ProtobufWire::fixed64; return read_fixed(8);
    case 5: wire = ProtobufWire::fixed32; return read_fixed(4);
    case 2: {
      wire = ProtobufWire::bytes;
      std::uint64_t size = 0;
      if (!read_varint(size)) return false;
      if (size > rest_.size()) return broken();
      bytes = rest_.substr(0, static_cast<std::size_t>(size));
      rest_.remove_prefix(static_cast<std::size_t>(size));
      return true;
    }
    default: return broken();  // groups, which proto3 has not
  }
}

}  // namespace assay::inline v0::detail
