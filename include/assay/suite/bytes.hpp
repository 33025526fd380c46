#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay::inline v0::detail {

/// Writes values as bytes: numbers as 64 bits in the machine's order, containers as their size and their elements. Both
/// ends are processes of one machine. Records are written by an `exchange(archive, record)` found by their type.
class ByteWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      put_bits(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_same_v<T, double>)
      put_bits(std::bit_cast<std::uint64_t>(value));
    else
      exchange(*this, value);
  }
  void put(const std::string& text) {
    put_bits(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(const std::vector<T>& elements) {
    put_bits(elements.size());
    for (const T& element : elements) put(element);
  }
  template <class Key, class Value>
  void put(const std::map<Key, Value>& entries) {
    put_bits(entries.size());
    for (const auto& [key, value] : entries) (*this)(key, value);
  }
  template <class First, class Second>
  void put(const std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }
  void put_bits(std::uint64_t bits) {
    char raw[sizeof bits];
    std::memcpy(raw, &bits, sizeof bits);
    bytes_.append(raw, sizeof bits);
  }

  std::string bytes_;
};

/// Reads what a `ByteWriter` wrote, or anything else: after bytes that cannot be right `good()` is false and stays so.
/// Makes no allocation larger than a small multiple of the bytes that are there, whatever sizes they claim.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  [[nodiscard]] bool good() const noexcept { return good_; }
  /// Whether everything was read, and all of it made sense.
  [[nodiscard]] bool complete() const noexcept { return good_ && rest_.empty(); }
  void refuse() noexcept { good_ = false; }

 private:
  static constexpr std::size_t smallest_element = sizeof(std::uint64_t);

  template <class T>
  void get(T& value) {
    if constexpr (std::is_integral_v<T>) {
      const std::uint64_t bits = get_bits();
      value = static_cast<T>(bits);
      if (static_cast<std::uint64_t>(value) != bits) refuse();
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      get(number);
      value = static_cast<T>(number);
    } else if constexpr (std::is_same_v<T, double>) {
      value = std::bit_cast<double>(get_bits());
    } else {
      exchange(*this, value);
    }
  }
  void get(std::string& text) {
    const std::uint64_t size = get_bits();
    if (size > rest_.size()) refuse();
    if (!good_) return;
    text.assign(rest_.data(), static_cast<std::size_t>(size));
    rest_.remove_prefix(static_cast<std::size_t>(size));
  }
  template <class T>
  void get(std::vector<T>& elements) {
    elements.clear();
    for (std::size_t left = get_count(); good_ && left > 0; --left) get(elements.emplace_back());
  }
  template <class Key, class Value>
  void get(std::map<Key, Value>& entries) {
    entries.clear();
    for (std::size_t left = get_count(); good_ && left > 0; --left) {
      std::pair<Key, Value> entry;
      get(entry);
      if (!entries.insert(std::move(entry)).second) refuse();
    }
  }
  template <class First, class Second>
  void get(std::pair<First, Second>& pair) {
    (*this)(pair.first, pair.second);
  }
  [[nodiscard]] std::size_t get_count() {
    const std::uint64_t count = get_bits();
    if (count > rest_.size() / smallest_element) refuse();
    return good_ ? static_cast<std::size_t>(count) : 0;
  }
  [[nodiscard]] std::uint64_t get_bits() {
    std::uint64_t bits = 0;
    if (rest_.size() < sizeof bits) refuse();
    if (!good_) return 0;
    std::memcpy(&bits, rest_.data(), sizeof bits);
    rest_.remove_prefix(sizeof bits);
    return bits;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace assay::inline v0::detail
