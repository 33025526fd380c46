#include "assay/frameworks/graph/tensor_type.hpp"

#include "assay/formats/small_formats.hpp"
#include "assay/formats/small_integer.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("every type with a format of ours comes back from it") {
  int formats = 0;
  for (int number = 0; number <= 26; ++number) {
    const auto type = static_cast<TensorType>(number);
    const auto format = element_format_of(type);
    if (!format) continue;
    ++formats;
    CAPTURE(number);
    const auto back = tensor_type_of(*format);
    REQUIRE(back);
    CHECK(back.value() == type);
    CHECK(bits_of(type) <= format->bytes * 8);
  }
  CHECK(formats == 21);
}

TEST_CASE("types have their names and sizes; what is no type has none") {
  CHECK(name_of(TensorType::float4e2m1) == "float4e2m1");
  CHECK(bits_of(TensorType::int2) == 2);
  CHECK(bits_of(TensorType::complex128) == 128);
  CHECK(bits_of(TensorType::string) == 0);
  CHECK(name_of(static_cast<TensorType>(99)) == "unknown");
  CHECK(bits_of(static_cast<TensorType>(-1)) == 0);
  const auto none = tensor_type_of(element_format<float6_e2m3fn>());
  REQUIRE(!none);
  CHECK(none.error().kind == ErrorKind::unsupported);
}
