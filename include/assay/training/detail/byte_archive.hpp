#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace assay::inline v0::detail {

/// Structures as bytes of this machine, and back: a structure names its members once, `members(archive)` calls
/// `archive(a, b, …)`.
class MemberWriter {
 public:
  std::string bytes;

  template <class... Members>
  void operator()(Members&... members) {
    (put(members), ...);
  }

 private:
  template <class T>
  void put(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    else
      value.members(*this);
  }
  template <class T>
  void put(std::vector<T>& values) {
    std::size_t count = values.size();
    put(count);
    if constexpr (std::is_arithmetic_v<T>)
      bytes.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
    else
      for (T& value : values) put(value);
  }
};

class MemberReader {
 public:
  explicit MemberReader(std::string_view given) : rest_(given) {}

  template <class... Members>
  void operator()(Members&... members) {
    (get(members), ...);
  }
  /// All bytes were used, and there were enough.
  [[nodiscard]] bool complete() const { return whole_ && rest_.empty(); }

 private:
  void take(void* to, std::size_t count) {
    if (rest_.size() < count) {
      whole_ = false;
      rest_ = {};
      return;
    }
    if (count > 0) std::memcpy(to, rest_.data(), count);
    rest_.remove_prefix(count);
  }
  template <class T>
  void get(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      take(&value, sizeof value);
    else
      value.members(*this);
  }
  template <class T>
  void get(std::vector<T>& values) {
    std::size_t count = 0;
    get(count);
    if (count > rest_.size()) {  // every element takes a byte at least
      whole_ = false;
      return;
    }
    if constexpr (std::is_arithmetic_v<T>) {
      if (count * sizeof(T) > rest_.size()) {
        whole_ = false;
        return;
      }
      values.resize(count);
      take(values.data(), count * sizeof(T));
    } else {
      values.resize(count);
      for (T& value : values) get(value);
    }
  }

  std::string_view rest_;
  bool whole_ = true;
};

template <class T>
[[nodiscard]] std::string to_bytes(T value) {
  MemberWriter writer;
  value.members(writer);
  return std::move(writer.bytes);
}

template <class T>
[[nodiscard]] bool from_bytes(std::string_view bytes, T& value) {
  MemberReader reader(bytes);
  value.members(reader);
  return reader.complete();
}

}  // namespace assay::inline v0::detail
