#include "assay/tensor/dlpack_format.hpp"

#include <string>

#include "assay/formats/format_list.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

template <class T>
void check_round_trip() {
  const ElementFormat format = element_format<T>();
  INFO(format.name);
  const auto type = dlpack_type_of(format);
  REQUIRE(type);
  CHECK(type.value().lanes == 1);
  CHECK(element_format_of(type.value(), true).value() == format);
  const auto packed = element_format_of(type.value());
  CHECK(packed.has_value() == (type.value().bits >= 8));
  if (!packed) CHECK_THAT(packed.error().message, contains("packed without gaps"));
}

std::string refusal(dlpack::TypeCode code, int bits, int lanes = 1) {
  const auto format = element_format_of(
      {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), static_cast<std::uint16_t>(lanes)}, true);
  if (format) return "taken as " + std::string(format.value().name);
  CHECK(format.error().kind == ErrorKind::unsupported);
  return format.error().message;
}

}  // namespace

TEST_CASE("every format goes to DLPack and comes back as itself, but for those that DLPack does not have") {
  [&]<class... Formats>(FormatList<Formats...>) {
    const auto one = []<class T>() {
      if constexpr (!std::is_same_v<T, tfloat32> && (FloatFormat<T> || IntegerFormat<T>)) check_round_trip<T>();
    };
    (one.template operator()<Formats>(), ...);
  }(AllFormats{});
  check_round_trip<std::int32_t>();
  check_round_trip<std::int64_t>();
  const auto tf32 = dlpack_type_of(element_format<tfloat32>());
  REQUIRE_FALSE(tf32);
  CHECK_THAT(tf32.error().message, contains("tf32"));
  CHECK(dlpack_type_of(element_format<float>()).value() == dlpack::DataType{2, 32, 1});
  CHECK(dlpack_type_of(element_format<bfloat16>()).value() == dlpack::DataType{4, 16, 1});
  CHECK(dlpack_type_of(element_format<float8_e4m3fn>()).value() == dlpack::DataType{10, 8, 1});
  CHECK(dlpack_type_of(element_format<float4_e2m1fn>()).value() == dlpack::DataType{17, 4, 1});
}

TEST_CASE("elements that are no numbers of ours are refused with what to do instead") {
  using enum dlpack::TypeCode;
  CHECK_THAT(refusal(boolean, 8), contains("bool, which are no numbers; give them as uint8"));
  CHECK_THAT(refusal(complex, 64), contains("complex64") && contains("last dimension of 2"));
  CHECK_THAT(refusal(opaque_handle, 64), contains("handles"));
  CHECK_THAT(refusal(floating_point, 32, 4), contains("float32x4, vectors of 4 lanes"));
  CHECK_THAT(refusal(floating_point, 32, 0), contains("0 lanes"));
  CHECK_THAT(refusal(floating_point, 80), contains("float80"));
  CHECK_THAT(refusal(bfloat, 32), contains("bfloat32"));
  CHECK_THAT(refusal(signed_integer, 16), contains("int16") && contains("int8, int32, int64"));
  CHECK_THAT(refusal(float8_e4m3fn, 16), contains("float8_e4m3fn of 16 bits"));
  CHECK_THAT(refusal(float4_e2m1fn, 8), contains("float4_e2m1fn of 8 bits"));
  CHECK_THAT(refusal(static_cast<dlpack::TypeCode>(18), 8), contains("type code 18 of 8 bits"));
}

TEST_CASE("of all 2^16 pairs of type code and bits none is taken that is not listed") {
  int taken = 0;
  for (int code = 0; code < 256; ++code)
    for (int bits = 0; bits < 256; ++bits) {
      const dlpack::DataType type{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
      const auto format = element_format_of(type, true);
      if (!format) continue;
      ++taken;
      CHECK(dlpack_type_of(format.value()).value() == type);
      CHECK(format.value().bytes * 8 >= bits);
    }
  CHECK(taken == 23);
}
