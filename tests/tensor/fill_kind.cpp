#include "assay/tensor/fill_kind.hpp"

#include <set>
#include <string_view>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the names of the fill kinds are unique and lead back to them", "[tensor]") {
  std::set<std::string_view> names;
  for (FillKind kind : all_fill_kinds) {
    names.insert(name_of(kind));
    REQUIRE(fill_kind_named(name_of(kind)).has_value());
    CHECK(*fill_kind_named(name_of(kind)) == kind);
  }
  CHECK(names.size() == 12);
}

TEST_CASE("what is no fill kind has none", "[tensor]") {
  for (std::string_view name : {"", "Normal", "normal ", "norma", "normals", "one-hot"})
    CHECK_FALSE(fill_kind_named(name).has_value());
}
