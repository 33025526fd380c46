#include "assay/collectives/element_type.hpp"

#include <set>
#include <string>

#include "assay/formats/format_traits.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("types have the size of what stands for them, names that read back, and those of their formats") {
  std::set<std::string> names;
  for (const ElementType type : all_element_types) {
    CHECK(names.insert(std::string(name_of(type))).second);
    CHECK(element_type_named(name_of(type)) == type);
    CHECK(with_element_type(type, []<class T>() { return sizeof(T); }) == bytes_of(type));
    CHECK(with_element_type(type, []<class T>() { return std::is_integral_v<T>; }) == is_integer(type));
    CHECK(with_element_type(type, []<class T>() { return std::is_integral_v<T> && std::is_signed_v<T>; }) ==
          is_signed_integer(type));
    const std::string format = with_element_type(type, []<class T>() -> std::string {
      if constexpr (Format<T>)
        return FormatTraits<T>::name();
      else
        return {};
    });
    if (!format.empty()) CHECK(name_of(type) == format);
  }
  CHECK(!element_type_named("float"));
}
