#include "assay/formats/layout_name.hpp"

#include <string>

#include "assay/formats/format_traits.hpp"
#include "testing/catch.hpp"

using assay::Domain;
using assay::FloatLayout;
using assay::FormatTraits;
using assay::LayoutName;
using assay::SmallFloat;
using assay::SpecialValues;

TEST_CASE("a layout is called as the field calls it", "[formats]") {
  CHECK(std::string(LayoutName({4, 3, 7, SpecialValues::finite_nan}).text) == "e4m3fn");
  CHECK(std::string(LayoutName({5, 2, 15, SpecialValues::ieee}).text) == "e5m2");
  CHECK(std::string(LayoutName({4, 3, 8, SpecialValues::fnuz}).text) == "e4m3fnuz");
  CHECK(std::string(LayoutName({4, 3, 11, SpecialValues::fnuz}).text) == "e4m3b11fnuz");
  CHECK(std::string(LayoutName({8, 10, 127, SpecialValues::ieee}).text) == "e8m10");
  CHECK(std::string(LayoutName({2, 1, 1, SpecialValues::none}).text) == "e2m1fn");
  CHECK(std::string(LayoutName({5, 10, -3, SpecialValues::ieee}).text) == "e5m10b-3");
  CHECK(std::string(LayoutName({8, 0, 127, SpecialValues::finite_nan, Domain::positive}).text) == "e8m0fnu");
  CHECK(std::string(LayoutName({4, 3, 7, SpecialValues::finite_nan, Domain::non_negative}).text) == "ue4m3fn");
}

TEST_CASE("a vendor's format is one line, and those with a name keep theirs", "[formats]") {
  using Vendor = SmallFloat<FloatLayout{6, 1, 31, SpecialValues::finite_nan}>;
  static_assert(assay::Format<Vendor>);
  CHECK(std::string(FormatTraits<Vendor>::name()) == "e6m1fn");
  CHECK(assay::decode(assay::encode<Vendor>(3.2)) == 3.0);
  CHECK(std::string(FormatTraits<assay::float16>::name()) == "f16");
  CHECK(std::string(FormatTraits<assay::bfloat16>::name()) == "bf16");
}
