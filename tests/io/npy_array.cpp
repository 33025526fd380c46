#include "assay/io/npy_array.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class T>
NpyArray array_of(NpyType type, const std::vector<T>& elements) {
  NpyArray array{type, {static_cast<Index>(elements.size())}, std::vector<std::byte>(elements.size() * sizeof(T))};
  std::memcpy(array.bytes.data(), elements.data(), array.bytes.size());
  return array;
}

template <class T>
void check_ends(NpyKind kind) {
  const auto array =
      array_of<T>({kind, sizeof(T)}, {std::numeric_limits<T>::lowest(), T(1), std::numeric_limits<T>::max()});
  REQUIRE(array.size() == 3);
  CHECK(array.value(0) == static_cast<double>(std::numeric_limits<T>::lowest()));
  CHECK(array.value(1) == 1);
  CHECK(array.value(2) == static_cast<double>(std::numeric_limits<T>::max()));
}

}  // namespace

TEST_CASE("every number type of an npy array reads as a double") {
  check_ends<std::int8_t>(NpyKind::signed_integer);
  check_ends<std::int16_t>(NpyKind::signed_integer);
  check_ends<std::int32_t>(NpyKind::signed_integer);
  check_ends<std::int64_t>(NpyKind::signed_integer);
  check_ends<std::uint8_t>(NpyKind::unsigned_integer);
  check_ends<std::uint16_t>(NpyKind::unsigned_integer);
  check_ends<std::uint32_t>(NpyKind::unsigned_integer);
  check_ends<std::uint64_t>(NpyKind::unsigned_integer);
  check_ends<float>(NpyKind::floating);
  check_ends<double>(NpyKind::floating);
  CHECK(array_of<std::uint16_t>({NpyKind::floating, 2}, {0x3C00, 0xFBFF}).value(1) == -65504);
  CHECK(array_of<std::uint8_t>({NpyKind::boolean, 1}, {0, 1, 2}).value(2) == 1);
}

TEST_CASE("values are copied where the file holds the format, and rounded once elsewhere") {
  const auto single =
      array_of<std::uint32_t>({NpyKind::floating, 4}, {0x7FA00001, 0x3F800000});  // a signaling NaN stays one
  CHECK(FormatTraits<float>::to_bits(single.values<float>().value()[0]) == 0x7FA00001);
  const auto brain = array_of<std::uint16_t>({NpyKind::raw, 2}, {0x3F80, 0xC000}).values<bfloat16>();
  REQUIRE(brain);
  CHECK(decode(brain.value()[0]) == 1);
  CHECK(decode(brain.value()[1]) == -2);
  // 1 + 2^-11 + 2^-40 lies above the tie: by way of f32 it would round to the tie and then down.
  const auto rounded = array_of<double>({NpyKind::floating, 8}, {1 + 0x1p-11 + 0x1p-40}).values<float16>();
  CHECK(decode(rounded.value()[0]) == 1 + 0x1p-10);
}

TEST_CASE("raw bytes and integers that a double cannot hold are refused with the reason") {
  const auto raw = array_of<std::uint16_t>({NpyKind::raw, 2}, {0x3F80});
  const auto wrong = raw.values<float>();
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().kind == ErrorKind::unsupported);
  CHECK_THAT(wrong.error().message, testing::contains("<V2") && testing::contains("f32 has 4"));
  CHECK_THROWS_AS(raw.value(0), Misuse);
  CHECK_THROWS_AS(array_of<float>({}, {1}).value(1), Misuse);
  CHECK_THROWS_AS(array_of<float>({}, {1}).value(-1), Misuse);

  constexpr std::int64_t limit = std::int64_t{1} << 53;
  CHECK(array_of<std::int64_t>({NpyKind::signed_integer, 8},
                               {limit, -limit, limit + 2, std::numeric_limits<std::int64_t>::min()})
            .values<double>());
  for (const std::int64_t inexact :
       {limit + 1, -limit - 1, 2 * limit - 1 + 2 * limit, std::numeric_limits<std::int64_t>::max()}) {
    const auto result = array_of<std::int64_t>({NpyKind::signed_integer, 8}, {0, inexact}).values<double>();
    REQUIRE_FALSE(result);
    CHECK_THAT(result.error().message, testing::contains("position 1"));
  }
}

TEST_CASE("types are described as numpy writes them") {
  CHECK(npy_type_of<float16>().description() == "<f2");
  CHECK(npy_type_of<bfloat16>().description() == "<V2");
  CHECK(npy_type_of<float>().description() == "<f4");
  CHECK(npy_type_of<double>().description() == "<f8");
  CHECK(NpyType{NpyKind::unsigned_integer, 1}.description() == "|u1");
}
