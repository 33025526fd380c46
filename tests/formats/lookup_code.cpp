#include "assay/formats/lookup_code.hpp"

#include <string>
#include <type_traits>

#include "testing/catch.hpp"

using assay::FormatTraits;
using assay::Rounding;

namespace {
struct QuartersTable {
  static constexpr assay::LookupTable<2> table() { return {"quarters", {0.0, 0.25, 0.5, 1.0}}; }
};
struct SignsTable {
  static constexpr assay::LookupTable<2> table() { return {"signs", {1.0, -1.0, 2.0, -2.0}}; }
};
}  // namespace

using Quarters = assay::LookupCode<QuartersTable>;
using Signs = assay::LookupCode<SignsTable>;

static_assert(assay::Format<Quarters> && assay::LookupFormat<Signs> && !assay::FloatFormat<Quarters> &&
              !assay::LookupFormat<float>);
static_assert(sizeof(Signs) == 1 && std::is_trivially_default_constructible_v<Signs> &&
              !std::is_same_v<Signs, Quarters>);
static_assert(!std::is_convertible_v<double, Signs> && !std::is_convertible_v<Signs, double>);

TEST_CASE("a table is a format, by its name", "[formats]") {
  CHECK(std::string(FormatTraits<Quarters>::name()) == "quarters");
  CHECK(std::string(FormatTraits<Signs>::name()) == "signs");
  static_assert(FormatTraits<Signs>::bits == 2);
}

TEST_CASE("a code of a table rounds on the way in and is exact on the way out", "[formats]") {
  static_assert(static_cast<double>(Quarters(0.3)) == 0.25 && Signs(-3.0).bits == 3 &&
                static_cast<double>(Signs::from_bits(0xFD)) == -1.0);
  static_assert(assay::encode<Quarters>(0.3, Rounding::toward_positive).bits == 2 &&
                assay::decode(Signs::from_bits(2)) == 2.0);
  for (std::uint8_t code = 0; code < 4; ++code)
    CHECK(assay::encode<Signs>(assay::decode(Signs::from_bits(code))).bits == code);
}
