#include "assay/formats/element_format_named.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("formats of elements are found by their names") {
  for (const ElementFormat& format :
       {element_format<float64>(), element_format<float32>(), element_format<float16>(), element_format<bfloat16>(),
        element_format<float8_e4m3fn>(), element_format<float8_e5m2>(), element_format<std::int8_t>(),
        element_format<std::uint8_t>(), element_format<std::int32_t>(), element_format<std::int64_t>()}) {
    const auto found = element_format_named(format.name);
    INFO(format.name);
    REQUIRE(found);
    CHECK(*found == format);
  }
}

TEST_CASE("other names are no formats of elements") {
  CHECK_FALSE(element_format_named("nf4"));
  CHECK_FALSE(element_format_named("float"));
  CHECK_FALSE(element_format_named(""));
}
