#pragma once

#include "assay/io/safetensors.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <new>
#include <system_error>
#include <unordered_set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Reads and checks the header of a file of `size` bytes. Nothing is allocated that the file could not fill.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<SafetensorsFile> safetensors_from(const std::string& name,
                                                                                  std::size_t size,
                                                                                  SafetensorsFile::Read read) {
  const auto malformed = [&](const std::string& what) { return failure(ErrorKind::malformed, name + ": " + what); };
  const auto unreadable = [&] {
    return failure(ErrorKind::io, name + ": reading stopped before the file's end; was it changed meanwhile?");
  };
  if (size < safetensors_length_bytes)
    return malformed("not a safetensors file: it has " + std::to_string(size) +
                     " bytes, the length of the header alone has 8");
  unsigned char length[safetensors_length_bytes] = {};
  if (!read(0, length, sizeof length)) return unreadable();
  std::uint64_t header_bytes = 0;
  for (std::size_t byte = sizeof length; byte-- > 0;) header_bytes = header_bytes << 8 | length[byte];
  const std::size_t rest = size - safetensors_length_bytes;
  if (header_bytes > longest_safetensors_header)
    return malformed("not a safetensors file: its header would have " + std::to_string(header_bytes) +
                     " bytes, at most " + std::to_string(longest_safetensors_header) + " are allowed");
  if (header_bytes > rest)
    return malformed("the header is said to have " + std::to_string(header_bytes) + " bytes, but only " +
                     std::to_string(rest) + " follow; was it copied whole?");
  try {
    std::string text(static_cast<std::size_t>(header_bytes), '\0');
    if (!text.empty() && !read(safetensors_length_bytes, text.data(), text.size())) return unreadable();
    auto header = SafetensorsHeaderParser().parse(text, rest - text.size());
    if (!header) return failure(header.error().kind, name + ": " + header.error().message);
    return SafetensorsFile(name, std::move(header).value(), safetensors_length_bytes + text.size(), std::move(read));
  } catch (const std::bad_alloc&) {
    return failure(ErrorKind::out_of_memory,
                   name + ": no memory for a header of " + std::to_string(header_bytes) + " bytes");
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string safetensors_preamble(const std::vector<const SafetensorsData*>& tensors,
                                                            const std::map<std::string, std::string>& metadata) {
  const auto json = [](const auto& value) { return nlohmann::json(value).dump(); };
  std::string text = "{";
  if (!metadata.empty()) text += "\"__metadata__\":" + json(metadata);
  Index begin = 0;
  for (const SafetensorsData* tensor : tensors) {
    const Index end = begin + safetensors_bytes(tensor->type, tensor->shape);
    text += (text.size() > 1 ? "," : "") + json(tensor->name) + ":{\"dtype\":\"" +
            safetensors_facts(tensor->type).name + "\",\"shape\":" + json(tensor->shape) + ",\"data_offsets\":[" +
            std::to_string(begin) + "," + std::to_string(end) + "]}";
    begin = end;
  }
  text += '}';
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string preamble;
  for (std::size_t byte = 0; byte < safetensors_length_bytes; ++byte)
    preamble += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * byte) & 0xFF);
  return preamble + text;
}

ASSAY_DETAIL_HEADER_INLINE void expect_writable(const std::vector<SafetensorsData>& tensors,
                                                const std::map<std::string, std::string>& metadata) {
  const auto expect_text = [](const std::string& text) {
    for (std::size_t position = 0; position < text.size();) {
      const std::size_t length = utf8_sequence_length(std::string_view(text).substr(position));
      expect(length > 0, [&] { return shown_name(text) + " is not UTF-8, the only encoding of names in safetensors"; });
      position += length;
    }
  };
  std::unordered_set<std::string> names;
  Index total = 0;
  for (const SafetensorsData& tensor : tensors) {
    expect_text(tensor.name);
    expect(tensor.name != "__metadata__",
           [] { return std::string("a tensor cannot be called '__metadata__': that name holds the file's metadata"); });
    expect(names.insert(tensor.name).second,
           [&] { return "two tensors are called " + shown_name(tensor.name) + "; names must differ"; });
    for (const Index extent : tensor.shape)
      expect(extent >= 0, [&] {
        return shown_name(tensor.name) + ": extent " + std::to_string(extent) + " is negative; extents are 0 or more";
      });
    const Index bytes = safetensors_bytes(tensor.type, tensor.shape);
    expect(bytes >= 0 && bytes <= std::numeric_limits<Index>::max() - total, [&] {
      return shown_name(tensor.name) +
             ": the product of the extents exceeds 2^63 − 1 bits, or fills no whole number of bytes; pad the last "
             "dimension";
    });
    expect(tensor.data != nullptr || bytes == 0, [&] {
      return shown_name(tensor.name) + ": a null pointer was given for " + std::to_string(bytes) + " bytes";
    });
    total += bytes;
  }
  for (const auto& [key, value] : metadata) {
    expect_text(key);
    expect_text(value);
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<SafetensorsFile> open_safetensors(const std::string& path) {
  const auto file = detail::ReadOnlyFile::open(path);
  if (!file) return file.propagate();
  return detail::safetensors_from(path, file.value().size(),
                                  [file = file.value()](std::size_t position, void* destination, std::size_t count) {
                                    return file.read(position, destination, count);
                                  });
}

ASSAY_DETAIL_HEADER_INLINE Result<SafetensorsFile> parse_safetensors(const void* data, std::size_t size,
                                                                     const std::string& name) {
  const auto* bytes = static_cast<const std::byte*>(data);
  return detail::safetensors_from(name, size, [bytes](std::size_t position, void* destination, std::size_t count) {
    std::memcpy(destination, bytes + position, count);
    return true;
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<void> write_safetensors(const std::string& path,
                                                          const std::vector<SafetensorsData>& tensors,
                                                          const std::map<std::string, std::string>& metadata) {
  detail::expect_writable(tensors, metadata);
  std::vector<const SafetensorsData*> order;
  for (const SafetensorsData& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const SafetensorsData* a, const SafetensorsData* b) {
    return a->type != b->type ? a->type > b->type : a->name < b->name;
  });
  const std::string preamble = detail::safetensors_preamble(order, metadata);
  expect(preamble.size() <= detail::longest_safetensors_header, [&] {
    return "the header has " + std::to_string(preamble.size()) + " bytes, readers take at most " +
           std::to_string(detail::longest_safetensors_header);
  });
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
  errno = 0;
  bool written = std::fwrite(preamble.data(), 1, preamble.size(), file) == preamble.size();
  for (const SafetensorsData* tensor : order) {
    const auto bytes = static_cast<std::size_t>(detail::safetensors_bytes(tensor->type, tensor->shape));
    written = written && (bytes == 0 || std::fwrite(tensor->data, 1, bytes, file) == bytes);
  }
  const int reason = errno;
  const bool closed = std::fclose(file) == 0;
  if (written && closed) return {};
  const std::string message = path + ": writing failed: " + std::generic_category().message(written ? errno : reason);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  return failure(ErrorKind::io, message);
}

}  // namespace assay::inline v0
