#include "assay/tolerance/unit_promise.hpp"

#include <string>
#include <string_view>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

std::string refusal(std::string_view text) {
  const auto read = read_promises(text, "");
  INFO(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::invalid);
  return read.error().message;
}

}  // namespace

TEST_CASE("promises are read with their formats", "[tolerance]") {
  const auto read = read_promises("flush_products=bf16,f16,default_nan", "promised by a test");
  REQUIRE(read);
  REQUIRE(read.value().size() == 2);
  CHECK(read.value()[0].property == UnitProperty::flush_products);
  CHECK(read.value()[0].formats == std::vector<std::string>{"bf16", "f16"});
  CHECK(described(read.value()[0]) == "subnormals of bf16, f16 dot products are flushed (promised by a test)");
  CHECK(read.value()[1].property == UnitProperty::default_nan);
  CHECK(read.value()[1].formats.empty());
  CHECK(read.value()[1].is_about("f32"));
  CHECK_FALSE(read.value()[0].is_about("f32"));
}

TEST_CASE("promises about products are about products", "[tolerance]") {
  const UnitPromise promise{UnitProperty::flush_products, {"bf16"}, "", "onednn"};
  CHECK(promise.is_about("gemm", "onednn"));
  CHECK(promise.is_about("convolution_backward_data", "onednn"));
  CHECK_FALSE(promise.is_about("permute", "onednn"));
  CHECK_FALSE(promise.is_about("gemm", "eigen"));
  CHECK(UnitPromise{UnitProperty::flush_subnormals, {}, ""}.is_about("permute", "any"));
}

TEST_CASE("unknown and contradicting promises are refused by name", "[tolerance]") {
  CHECK_THAT(refusal("flush_product=bf16"), contains("unknown property 'flush_product'; nearest: flush_products"));
  CHECK_THAT(refusal(""), contains("unknown property ''"));
  CHECK_THAT(refusal("flush_products=bf61"), contains("unknown format 'bf61'; nearest: f64, bf16"));
  CHECK_THAT(refusal("flush_subnormals=f16,keep_subnormals"),
             contains("flush_subnormals=f16 and keep_subnormals contradict each other"));
  CHECK_THAT(refusal("default_nan,keep_nan=bf16"), contains("default_nan and keep_nan=bf16 contradict each other"));
  CHECK(read_promises("flush_subnormals=f16,keep_subnormals=bf16", ""));
  CHECK(read_promises("flush_subnormals=f16,flush_products=f16", ""));
}

TEST_CASE("who asks has the last word over who declares", "[tolerance]") {
  const std::vector<UnitPromise> declared{{UnitProperty::flush_products, {"bf16", "f16"}, "documented"}};
  const auto joined = [&](std::string_view asked) {
    return joined_promises(declared, read_promises(asked, "").value());
  };
  CHECK(joined("default_nan").size() == 2);
  CHECK(joined("keep_subnormals").size() == 1);
  CHECK(joined("keep_subnormals").front().property == UnitProperty::keep_subnormals);
  REQUIRE(joined("keep_subnormals=bf16").size() == 2);
  CHECK(joined("keep_subnormals=bf16").front().formats == std::vector<std::string>{"f16"});
}
