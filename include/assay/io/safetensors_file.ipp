#pragma once

#include "assay/io/safetensors_file.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<SafetensorsEntry> SafetensorsFile::find(const std::string& tensor) const {
  for (const SafetensorsEntry& entry : entries())
    if (entry.name == tensor) return entry;
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : entries()) names.push_back(entry.name);
  std::string message =
      name_ + " has no tensor " + detail::shown_name(tensor) + " among its " + std::to_string(names.size());
  const std::vector<std::string> nearest = nearest_names(tensor, names);
  for (const std::string& near : nearest)
    message += (&near == nearest.data() ? "; nearest: " : ", ") + detail::shown_name(near);
  return failure(ErrorKind::not_found, message);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SafetensorsFile::read_bytes(const SafetensorsEntry& entry, Index first,
                                                                    Index count, std::byte* destination) const {
  const Index data_bytes = entries().empty() ? 0 : entries().back().end;
  expect(entry.begin >= 0 && entry.begin <= entry.end && entry.end <= data_bytes,
         [&] { return detail::shown_name(entry.name) + " is no entry of " + name_; });
  expect(first >= 0 && count >= 0 && first <= entry.byte_count() && count <= entry.byte_count() - first, [&] {
    return std::to_string(count) + " bytes from byte " + std::to_string(first) + " lie outside tensor " +
           detail::shown_name(entry.name) + ", which has " + std::to_string(entry.byte_count());
  });
  if (count > 0 &&
      !read_(data_begin_ + static_cast<std::size_t>(entry.begin + first), destination, static_cast<std::size_t>(count)))
    return failure(ErrorKind::io, name_ + ": tensor " + detail::shown_name(entry.name) +
                                      " could not be read whole; was the file changed meanwhile?");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<SafetensorsTensor> SafetensorsFile::read(const SafetensorsEntry& entry) const {
  const auto whole = [&]() -> Result<SafetensorsTensor> {
    SafetensorsTensor tensor{entry.type, entry.shape,
                             std::vector<std::byte>(static_cast<std::size_t>(entry.byte_count()))};
    if (const auto done = read_bytes(entry, 0, entry.byte_count(), tensor.bytes.data()); !done) return done.propagate();
    return tensor;
  };
  return detail::unless_out_of_memory(whole, [&]() -> Result<SafetensorsTensor> {
    return failure(ErrorKind::out_of_memory, name_ + ": no memory for tensor " + detail::shown_name(entry.name) +
                                                 " of " + std::to_string(entry.byte_count()) +
                                                 " bytes; read it in parts with read_values");
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SafetensorsFile::read_values(const SafetensorsEntry& entry, Index first,
                                                                     Index count, double* values) const {
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

}  // namespace assay::inline v0
