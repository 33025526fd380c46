#pragma once

#include "assay/io/npz.hpp"

#include <cstdint>
#include <string_view>

#include "assay/core/checksum.hpp"
#include "assay/core/config.hpp"
#include "assay/io/npy.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0 {

namespace detail {

/// Numbers of a ZIP archive, least significant byte first; 0 beyond its end.
class ZipBytes {
 public:
  explicit ZipBytes(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t number(std::uint64_t at, int length) const noexcept {
    if (!holds(at, static_cast<std::uint64_t>(length))) return 0;
    std::uint64_t value = 0;
    for (int byte = length; byte-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + static_cast<std::uint64_t>(byte)]);
    return value;
  }
  [[nodiscard]] bool holds(std::uint64_t at, std::uint64_t length) const noexcept {
    return at <= bytes_.size() && length <= bytes_.size() - at;
  }
  [[nodiscard]] std::string_view part(std::uint64_t at, std::uint64_t length) const noexcept {
    return bytes_.substr(at, length);
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

/// What the directory says of a file.
struct ZipEntry {
  std::string name;
  std::uint64_t method = 0, flags = 0, checksum = 0, packed = 0, size = 0, header = 0;
};

inline constexpr std::uint64_t zip_directory_end = 0x06054B50, zip64_directory_end = 0x06064B50,
                               zip64_locator = 0x07064B50, zip_directory_entry = 0x02014B50,
                               zip_file_entry = 0x04034B50, zip64_marker = 0xFFFFFFFF;

/// Where the directory begins, and how many files it has; nothing where none is found.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<std::uint64_t, std::uint64_t> zip_directory(const ZipBytes& zip) {
  constexpr std::uint64_t end_size = 22, longest_comment = 65535, locator_size = 20;
  if (zip.size() < end_size) return {zip.size(), 0};
  std::uint64_t at = zip.size() - end_size;
  const std::uint64_t last = at > longest_comment ? at - longest_comment : 0;
  while (at > last && zip.number(at, 4) != zip_directory_end) --at;
  if (zip.number(at, 4) != zip_directory_end) return {zip.size(), 0};
  std::uint64_t count = zip.number(at + 10, 2), start = zip.number(at + 16, 4);
  if (at >= locator_size && zip.number(at - locator_size, 4) == zip64_locator) {
    const std::uint64_t whole = zip.number(at - locator_size + 8, 8);
    if (zip.number(whole, 4) == zip64_directory_end)
      count = zip.number(whole + 32, 8), start = zip.number(whole + 48, 8);
  }
  return {start, count};
}

/// The 64-bit sizes of an entry that says that its own are too small.
ASSAY_DETAIL_HEADER_INLINE void widen(ZipEntry& entry, const ZipBytes& zip, std::uint64_t at, std::uint64_t length) {
  for (const std::uint64_t end = at + length; at + 4 <= end;) {
    const std::uint64_t kind = zip.number(at, 2), size = zip.number(at + 2, 2);
    std::uint64_t next = at + 4;
    if (kind == 1)
      for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.header})
        if (*value == zip64_marker) *value = zip.number(next, 8), next += 8;
    at += 4 + size;
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<NpzArrays> parse_npz(const void* data, std::size_t size, const std::string& name) {
  const detail::ZipBytes zip(std::string_view(static_cast<const char*>(data), size));
  const auto malformed = [&](const std::string& what) { return failure(ErrorKind::malformed, name + ": " + what); };
  auto [at, count] = detail::zip_directory(zip);
  if (at >= size && count == 0 && !zip.holds(at, 22))
    return malformed("not an npz file: it ends without the directory of a ZIP archive; was it copied whole?");
  NpzArrays arrays;
  for (std::uint64_t i = 0; i < count; ++i) {
    constexpr std::uint64_t fixed = 46, file_fixed = 30;
    if (zip.number(at, 4) != detail::zip_directory_entry || !zip.holds(at, fixed))
      return malformed("entry " + std::to_string(i) + " of the archive's directory cannot be read");
    detail::ZipEntry entry{{},
                           zip.number(at + 10, 2),
                           zip.number(at + 8, 2),
                           zip.number(at + 16, 4),
                           zip.number(at + 20, 4),
                           zip.number(at + 24, 4),
                           zip.number(at + 42, 4)};
    const std::uint64_t name_size = zip.number(at + 28, 2), more = zip.number(at + 30, 2),
                        remark = zip.number(at + 32, 2);
    if (!zip.holds(at + fixed, name_size + more + remark)) return malformed("the archive's directory is cut off");
    entry.name = std::string(zip.part(at + fixed, name_size));
    detail::widen(entry, zip, at + fixed + name_size, more);
    at += fixed + name_size + more + remark;
    if ((entry.flags & 1) != 0)
      return failure(ErrorKind::unsupported, name + ": '" + entry.name + "' is encrypted, which is not read");
    if (entry.method != 0)
      return failure(ErrorKind::unsupported,
                     name + ": '" + entry.name + "' is compressed, which is not read; save it with np.savez");
    const std::uint64_t start =
        entry.header + file_fixed + zip.number(entry.header + 26, 2) + zip.number(entry.header + 28, 2);
    if (zip.number(entry.header, 4) != detail::zip_file_entry || entry.packed != entry.size ||
        !zip.holds(start, entry.size))
      return malformed("'" + entry.name + "' is said to lie beyond the archive's end, or where no file begins");
    const std::string_view bytes = zip.part(start, entry.size);
    if (detail::crc32(bytes) != entry.checksum)
      return malformed("the checksum of '" + entry.name + "' says that it was changed since it was written");
    auto array = parse_npy(bytes.data(), bytes.size(), name + ": '" + entry.name + "'");
    if (!array) return array.propagate();
    if (entry.name.ends_with(".npy")) entry.name.resize(entry.name.size() - 4);
    arrays.emplace_back(std::move(entry.name), std::move(array).value());
  }
  return arrays;
}

ASSAY_DETAIL_HEADER_INLINE Result<NpzArrays> read_npz(const std::filesystem::path& path) {
  const auto text = read_file(path, "an npz file");
  if (!text) return text.propagate();
  return parse_npz(text.value().data(), text.value().size(), path.string());
}

}  // namespace assay::inline v0
