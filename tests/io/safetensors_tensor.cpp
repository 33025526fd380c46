#include "assay/io/safetensors_tensor.hpp"

#include <cmath>
#include <limits>

#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class T>
SafetensorsTensor tensor_of(SafetensorsType type, const std::vector<T>& stored) {
  SafetensorsTensor tensor{type, {}, std::vector<std::byte>(stored.size() * sizeof(T))};
  if (!stored.empty()) std::memcpy(tensor.bytes.data(), stored.data(), tensor.bytes.size());
  tensor.shape = {tensor.value_count() / reals_per_element(type)};
  return tensor;
}

std::vector<double> reals(const SafetensorsTensor& tensor) {
  std::vector<double> values;
  for (Index i = 0; i < tensor.value_count(); ++i) values.push_back(tensor.value(i));
  return values;
}

template <class T>
void check_ends(SafetensorsType type) {
  constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
  CHECK(reals(tensor_of<T>(type, {lowest, 1, highest})) ==
        std::vector<double>{static_cast<double>(lowest), 1, static_cast<double>(highest)});
}

}  // namespace

TEST_CASE("every dtype of safetensors reads as doubles") {
  using Bytes = std::vector<std::uint8_t>;
  using Reals = std::vector<double>;
  check_ends<std::int8_t>(SafetensorsType::i8);
  check_ends<std::int16_t>(SafetensorsType::i16);
  check_ends<std::int32_t>(SafetensorsType::i32);
  check_ends<std::int64_t>(SafetensorsType::i64);
  check_ends<std::uint8_t>(SafetensorsType::u8);
  check_ends<std::uint16_t>(SafetensorsType::u16);
  check_ends<std::uint32_t>(SafetensorsType::u32);
  check_ends<std::uint64_t>(SafetensorsType::u64);
  check_ends<float>(SafetensorsType::f32);
  check_ends<double>(SafetensorsType::f64);
  CHECK(reals(tensor_of<float>(SafetensorsType::c64, {1.5F, -2, 3, 0.25F})) == Reals{1.5, -2, 3, 0.25});
  CHECK(reals(tensor_of<std::uint16_t>(SafetensorsType::f16, {0x3C00, 0xFBFF, 0x0001})) == Reals{1, -65504, 0x1p-24});
  CHECK(reals(tensor_of<std::uint16_t>(SafetensorsType::bf16, {0x3F80, 0xC000, 0x0001})) == Reals{1, -2, 0x1p-133});
  CHECK(reals(tensor_of(SafetensorsType::boolean, Bytes{0, 1, 2})) == Reals{0, 1, 1});
  CHECK(reals(tensor_of(SafetensorsType::f8_e4m3, Bytes{0x7E, 0x01, 0xB8})) == Reals{448, 0x1p-9, -1});
  CHECK(reals(tensor_of(SafetensorsType::f8_e5m2, Bytes{0x7B, 0x01, 0xBC})) == Reals{57344, 0x1p-16, -1});
  CHECK(reals(tensor_of(SafetensorsType::f8_e4m3fnuz, Bytes{0x7F, 0x01, 0xC0})) == Reals{240, 0x1p-10, -1});
  CHECK(reals(tensor_of(SafetensorsType::f8_e5m2fnuz, Bytes{0x7F, 0x01, 0xC0})) == Reals{57344, 0x1p-17, -1});
  CHECK(reals(tensor_of(SafetensorsType::f8_e8m0, Bytes{0, 127, 254})) == Reals{0x1p-127, 1, 0x1p127});
  CHECK(std::isnan(tensor_of(SafetensorsType::f8_e8m0, Bytes{255}).value(0)));
  CHECK(std::isnan(tensor_of(SafetensorsType::f8_e4m3, Bytes{0x7F}).value(0)));
}

TEST_CASE("codes below a byte are packed from the lowest bit up") {
  using Bytes = std::vector<std::uint8_t>;
  using Reals = std::vector<double>;
  CHECK(reals(tensor_of(SafetensorsType::f4, Bytes{0x21, 0xF7})) == Reals{0.5, 1, 6, -6});
  // The codes 1, 2, 31 (the largest) and 40: 000001 | 000010 << 6 | 011111 << 12 | 101000 << 18 = 0xA1F081.
  CHECK(reals(tensor_of(SafetensorsType::f6_e2m3, Bytes{0x81, 0xF0, 0xA1})) == Reals{0.125, 0.25, 7.5, -1});
  CHECK(reals(tensor_of(SafetensorsType::f6_e3m2, Bytes{0x81, 0xF0, 0xA1})) == Reals{0.0625, 0.125, 28, -0.5});
  const auto codes = tensor_of(SafetensorsType::f6_e2m3, Bytes{0x81, 0xF0, 0xA1}).values<float6_e2m3fn>();
  REQUIRE(codes);
  CHECK(codes.value()[2].bits == 31);
  CHECK(codes.value()[3].bits == 40);
}

TEST_CASE("values of a safetensors tensor are copied where it holds the format, and rounded once elsewhere") {
  const auto single =
      tensor_of<std::uint32_t>(SafetensorsType::f32, {0x7FA00001, 0x3F800000});  // a signaling NaN stays one
  CHECK(FormatTraits<float>::to_bits(single.values<float>().value()[0]) == 0x7FA00001);
  const auto small = tensor_of<std::uint8_t>(SafetensorsType::f8_e4m3, {0xFF, 0x38}).values<float8_e4m3fn>();
  CHECK(small.value()[0].bits == 0xFF);
  // 1 + 2^-11 + 2^-40 lies above the tie: by way of f32 it would round to the tie and then down.
  CHECK(decode(tensor_of<double>(SafetensorsType::f64, {1 + 0x1p-11 + 0x1p-40}).values<float16>().value()[0]) ==
        1 + 0x1p-10);
  std::vector<std::int16_t> many;
  for (int i = 0; i < 1000; ++i) many.push_back(static_cast<std::int16_t>(7 * i - 3000));
  const auto converted = tensor_of(SafetensorsType::i16, many).values<double>().value();
  for (std::size_t i = 0; i < many.size(); ++i) CHECK(converted[i] == many[i]);
  CHECK(tensor_of<float>(SafetensorsType::f32, {}).values<float>().value().empty());
}

TEST_CASE("integers that a double cannot hold, and positions outside a safetensors tensor, are refused") {
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  CHECK(tensor_of<std::int64_t>(SafetensorsType::i64,
                                {limit, -limit, limit + 2, std::numeric_limits<std::int64_t>::min()})
            .values<double>());
  CHECK(tensor_of<std::uint64_t>(SafetensorsType::u64, {std::uint64_t{1} << 63}).values<float>());
  for (const std::int64_t inexact : {limit + 1, -limit - 1, std::numeric_limits<std::int64_t>::max()}) {
    const auto result = tensor_of<std::int64_t>(SafetensorsType::i64, {0, inexact}).values<double>();
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::unsupported);
    CHECK_THAT(result.error().message, testing::contains("I64 integer at position 1"));
  }
  CHECK_FALSE(
      tensor_of<std::uint64_t>(SafetensorsType::u64, {std::numeric_limits<std::uint64_t>::max()}).values<double>());
  CHECK_THROWS_AS(tensor_of<float>(SafetensorsType::f32, {1}).value(1), Misuse);
  CHECK_THROWS_AS(tensor_of<float>(SafetensorsType::f32, {1}).value(-1), Misuse);
}
