#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/enum_name.hpp"
#include "assay/core/index.hpp"
#include "assay/formats/element_format.hpp"

namespace assay::inline v0::detail {

/// A member of a problem without its type: where it stands, and where its usual value.
struct ProblemField {
  enum class Type { boolean, real, whole, enumeration, format, list };
  Type type = Type::boolean;
  std::string name;    ///< with those of the structures it stands in
  std::string family;  ///< the name without indices: the same for a member of all structures of an array
  std::string own;     ///< the last part
  void* place = nullptr;
  const void* usual = nullptr;
  std::size_t bytes = 0;
  std::vector<std::pair<std::int64_t, std::string>> enumerators;

  [[nodiscard]] double real() const { return *static_cast<const double*>(place); }
  [[nodiscard]] double usual_real() const { return *static_cast<const double*>(usual); }
  [[nodiscard]] bool boolean() const { return *static_cast<const bool*>(place); }
  [[nodiscard]] const ElementFormat& format() const { return *static_cast<const ElementFormat*>(place); }
  [[nodiscard]] const std::vector<Index>& list() const { return *static_cast<const std::vector<Index>*>(place); }
  [[nodiscard]] std::int64_t whole() const { return read(place); }
  [[nodiscard]] std::int64_t usual_whole() const { return read(usual); }

 private:
  [[nodiscard]] std::int64_t read(const void* from) const {
    std::int64_t value = 0;
    std::memcpy(&value, from, bytes);
    return bytes == 8 ? value : value << (64 - 8 * bytes) >> (64 - 8 * bytes);
  }
};

template <class Structure>
void collect_fields(Structure& structure, Structure& usual, const std::string& prefix, const std::string& family,
                    std::vector<ProblemField>& found);

template <class Member>
void collect_field(Member& member, Member& usual, const std::string& prefix, const std::string& family,
                   const std::string& name, std::vector<ProblemField>& found) {
  using enum ProblemField::Type;
  ProblemField field{boolean, prefix + name, family + name, name, &member, &usual, sizeof member, {}};
  if constexpr (std::is_array_v<Member>) {
    for (std::size_t i = 0; i < std::extent_v<Member>; ++i)
      collect_field(member[i], usual[i], prefix, family, name, found);
    return;
  } else if constexpr (std::is_same_v<Member, bool>) {
  } else if constexpr (std::is_same_v<Member, double>) {
    field.type = real;
  } else if constexpr (std::is_integral_v<Member>) {
    field.type = whole;
  } else if constexpr (std::is_enum_v<Member>) {
    field.type = enumeration;
    for (int value = 0; value < 64; ++value)
      if (const auto spelled = enum_name(static_cast<Member>(value)); !spelled.empty())
        field.enumerators.emplace_back(value, std::string(spelled));
  } else if constexpr (std::is_same_v<Member, ElementFormat>) {
    field.type = format;
  } else if constexpr (std::is_same_v<Member, std::vector<Index>>) {
    field.type = list;
  } else {
    if constexpr (requires { fields(member, [](auto&&...) {}); })
      collect_fields(member, usual, prefix + name + ".", family + name + ".", found);
    return;
  }
  found.push_back(std::move(field));
}

/// All members that `fields(structure, visit)` names, those of structures within among them.
template <class Structure>
void collect_fields(Structure& structure, Structure& usual, const std::string& prefix, const std::string& family,
                    std::vector<ProblemField>& found) {
  if constexpr (requires { fields(structure, [](auto&&...) {}); }) {
    fields(structure, [&](auto&&... own) {
      fields(usual, [&](auto&&... other) {
        const char* name = "";
        const auto each = [&](auto& member, auto& plain) {
          using Member = std::remove_reference_t<decltype(member)>;
          if constexpr (std::is_array_v<Member> && std::is_same_v<std::remove_cv_t<std::remove_extent_t<Member>>, char>)
            name = member;
          else
            collect_field(member, plain, prefix, family, name, found);
        };
        (each(own, other), ...);
      });
    });
  }
}

}  // namespace assay::inline v0::detail
