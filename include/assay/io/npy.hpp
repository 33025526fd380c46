#pragma once

#include <cerrno>
#include <concepts>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "assay/core/unless_out_of_memory.hpp"
#include "assay/io/detail/npy_header.hpp"
#include "assay/io/npy_array.hpp"

namespace assay::inline v0 {

namespace detail {

/// Reads an npy file of `size` bytes through `read(destination, count)`, which says whether it could. Nothing is
/// allocated that the file could not fill.
template <class Read>
[[nodiscard]] Result<NpyArray> read_npy_from(const std::string& name, std::size_t size, Read read) {
  const auto malformed = [&](const std::string& what) { return failure(ErrorKind::malformed, name + ": " + what); };
  const auto unreadable = [&] {
    return failure(ErrorKind::io, name + ": reading stopped before the file's end; was it changed meanwhile?");
  };
  if (size == 0) return malformed("the file is empty");
  unsigned char start[12] = {};
  constexpr std::size_t version_end = 8;
  if (size < version_end)
    return malformed("not an npy file: it has " + std::to_string(size) + " bytes, the shortest header has 10");
  if (!read(start, version_end)) return unreadable();
  if (std::memcmp(start, "\x93NUMPY", 6) != 0)
    return malformed(
        "not an npy file: it does not begin with \\x93NUMPY (an .npz holds several arrays: name one of them)");
  const unsigned major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0)
    return failure(ErrorKind::unsupported, name + ": npy version " + std::to_string(major) + "." +
                                               std::to_string(minor) + " is unknown; 1.0, 2.0 and 3.0 are read");
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (size < version_end + length_bytes) return malformed("the file ends within its header's length");
  if (!read(start + version_end, length_bytes)) return unreadable();
  std::size_t header_bytes = 0;
  for (std::size_t byte = length_bytes; byte-- > 0;) header_bytes = header_bytes << 8 | start[version_end + byte];
  const std::size_t rest = size - version_end - length_bytes;
  if (header_bytes > rest)
    return malformed("the header is said to have " + std::to_string(header_bytes) + " bytes, but only " +
                     std::to_string(rest) + " follow");
  const auto read_rest = [&]() -> Result<NpyArray> {
    std::string text(header_bytes, '\0');
    if (!read(text.data(), header_bytes)) return unreadable();
    auto header = NpyHeaderParser(text).parse();
    if (!header) return failure(header.error().kind, name + ": " + header.error().message);
    NpyHeader& facts = header.value();
    const std::size_t data_bytes = rest - header_bytes;
    if (static_cast<std::size_t>(facts.data_bytes) != data_bytes)
      return malformed("the header's dtype and shape need " + std::to_string(facts.data_bytes) +
                       " bytes of data, the file has " + std::to_string(data_bytes));
    NpyArray array{facts.type, {}, std::vector<std::byte>(data_bytes)};
    if (data_bytes > 0 && !read(array.bytes.data(), data_bytes)) return unreadable();
    arrange(facts, array.bytes);
    array.shape = std::move(facts.shape);
    return array;
  };
  return unless_out_of_memory(read_rest, [&]() -> Result<NpyArray> {
    return failure(ErrorKind::out_of_memory, name + ": no memory for an array of " + std::to_string(size) + " bytes");
  });
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace detail

/// Reads an npy file that lies in memory; `name` stands for it in messages. Errors: as `read_npy`.
template <std::convertible_to<std::string> Name = std::string>
[[nodiscard]] Result<NpyArray> parse_npy(const void* data, std::size_t size, const Name& name = "npy data") {
  const char* next = static_cast<const char*>(data);
  return detail::read_npy_from(name, size, [&](void* destination, std::size_t count) {
    if (count > 0) std::memcpy(destination, next, count);
    next += count;
    return true;
  });
}

/// Reads an npy file (versions 1.0, 2.0, 3.0; numbers in either byte order, raw bytes; rows or columns first). The array
/// is little-endian and has its last dimension the fastest, whatever the file has.
/// Errors: `not_found`, `io` (a directory, not readable), `malformed` (not npy, a header that contradicts itself or the
/// file's length), `unsupported` (object, structured and other dtypes), `out_of_memory`.
/// Each message names the file and what to do. Memory: the array and its header, and the array again for columns first.
[[nodiscard]] Result<NpyArray> read_npy(const std::convertible_to<std::string> auto& name) {
  const std::string path = name;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return failure(ErrorKind::not_found, path + ": no such file");
  if (std::filesystem::is_directory(status))
    return failure(ErrorKind::io, path + " is a directory; name an npy file in it");
  if (error) return failure(ErrorKind::io, path + ": " + error.message());
  const auto size = std::filesystem::file_size(path, error);
  if (error) return failure(ErrorKind::io, path + ": not a regular file (" + error.message() + ")");
  const std::unique_ptr<std::FILE, detail::FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
  return detail::read_npy_from(path, static_cast<std::size_t>(size), [&](void* destination, std::size_t count) {
    return std::fread(destination, 1, count, file.get()) == count;
  });
}

/// Writes contiguous, row-major elements as an npy file, replacing what was there. float16, float32 and float64 are
/// numpy's f2, f4 and f8; bfloat16 and other formats become raw bytes ("<V2"), which is how ml_dtypes saves them:
/// `np.load(path).view(ml_dtypes.bfloat16)` reads them back. Errors: `io`; a file that could not be written whole is
/// removed. Misuse: as `contiguous_view`.
template <Format T>
[[nodiscard]] Result<void> write_npy(const std::string& path, const T* data, const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) {
    expect(extent >= 0, [&] { return "extent " + std::to_string(extent) + " is negative; extents are 0 or more"; });
    count = checked_product(count, extent);
    expect(count >= 0 && count <= INT64_MAX / static_cast<Index>(sizeof(T)),
           [] { return std::string("the product of the extents exceeds 2^63 − 1 bytes"); });
  }
  expect(data != nullptr || count == 0,
         [&] { return "a null pointer was given for " + std::to_string(count) + " elements"; });
  const std::string preamble = detail::npy_preamble(npy_type_of<T>(), shape);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return failure(ErrorKind::io, path + ": " + std::generic_category().message(errno));
  const auto elements = static_cast<std::size_t>(count);
  errno = 0;
  const bool written = std::fwrite(preamble.data(), 1, preamble.size(), file) == preamble.size() &&
                       (elements == 0 || std::fwrite(data, sizeof(T), elements, file) == elements);
  const int reason = errno;
  const bool closed = std::fclose(file) == 0;
  if (written && closed) return {};
  const std::string message = path + ": writing failed: " + std::generic_category().message(written ? errno : reason);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  return failure(ErrorKind::io, message);
}

}  // namespace assay::inline v0
