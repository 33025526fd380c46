#include "assay/formats/format_list.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the list has every format once, by the names of the field", "[formats]") {
  const std::vector<std::string> names = AllFormats::names();
  CHECK(names == std::vector<std::string>{"f64",     "f32",      "tf32",     "f16",         "bf16", "e4m3fn",
                                          "e5m2",    "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e4m3", "e3m4",
                                          "e8m0fnu", "e2m3fn",   "e3m2fn",   "e2m1fn",      "int8", "uint8",
                                          "int4",    "uint4",    "int2",     "uint2",       "nf4"});
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  const auto descriptions = AllFormats::descriptions();
  REQUIRE(descriptions.size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(descriptions[i].name == names[i]);
}

TEST_CASE("a format is found by its name and handed over as a type", "[formats]") {
  for (const std::string& name : AllFormats::names()) {
    const Result<std::string> found = with_format(name, []<class T>() { return std::string(FormatTraits<T>::name()); });
    REQUIRE(found);
    CHECK(found.value() == name);
  }
  CHECK(with_format("e4m3fn", []<class T>() { return decode(encode<T>(0.3)); }).value() == 0.3125);
  int bits = 0;
  CHECK(with_format("nf4", [&]<class T>() { bits = FormatTraits<T>::bits; }));
  CHECK(bits == 4);
}

TEST_CASE("an unknown name is answered with the nearest, and nothing is called", "[formats]") {
  int calls = 0;
  const Result<void> unknown = with_format("e4m3nf", [&]<class T>() { ++calls; });
  REQUIRE_FALSE(unknown);
  CHECK(calls == 0);
  CHECK(unknown.error().kind == ErrorKind::not_found);
  CHECK(unknown.error().message.find("unknown format 'e4m3nf'; nearest: e4m3fn") != std::string::npos);
  CHECK_FALSE(with_format("", []<class T>() { return 1; }));
}

TEST_CASE("a list of one's own works like the library's", "[formats]") {
  using Vendor = SmallFloat<FloatLayout{6, 1, 31, SpecialValues::finite_nan}>;
  const FormatList<float, Vendor> own;
  CHECK(with_format(own, "e6m1fn", []<class T>() { return FormatTraits<T>::bits; }).value() == 8);
  CHECK_FALSE(with_format(own, "bf16", []<class T>() { return FormatTraits<T>::bits; }));
}
