#include "assay/profile/profile_file.hpp"

#include <string>

#include "assay/profile/profile_unit.hpp"
#include "assay/profile/simulated_unit.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

NumericProfile example() {
  MatrixUnitModel model;
  model.a = model.b = element_format<bfloat16>();
  model.order.fused = 8;
  model.order.parts = 2;
  model.aligned_bits = 24;
  model.sum_rounding = UnitRounding::toward_zero;
  ProfileOptions options;
  options.further_terms = {0};
  NumericProfile profile = profile_unit(simulated_matrix_unit(model), options).value();
  profile.version = "1";
  profile.launches = {{"one row", 0.25, ""}, {"batch", std::nullopt, "not offered"}};
  profile.orders_seen = {{96, "irregular"}};
  return profile;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

std::string refusal(const std::string& text) {
  const auto read = read_profile_text(text);
  return read ? "" : read.error().message;
}

}  // namespace

TEST_CASE("A profile that is written and read is the same, and so is its model") {
  const NumericProfile profile = example();
  const auto read = read_profile_text(profile_text(profile));
  REQUIRE(read);
  CHECK(read.value() == profile);
  CHECK(compare_profiles(profile, read.value()).rows.empty());
  const NumericProfile nothing;
  CHECK(read_profile_text(profile_text(nothing)).value() == nothing);
}

TEST_CASE("What is no profile is refused with what was found") {
  const std::string text = profile_text(example());
  CHECK(refusal(replaced(text, "assay-profile/1", "assay-run/1")) ==
        "the schema is \"assay-run/1\"; this version reads \"assay-profile/1\"");
  CHECK(refusal(replaced(text, "\"toward_zero\"", "\"sideways\"")) == "'sideways' is no finding of its kind");
  CHECK(refusal(replaced(text, "\"fraction_bits\": 23", "\"fraction_bits\": 99")).find("beyond binary64") !=
        std::string::npos);
  CHECK(refusal(replaced(text, "\"lanes\": 1", "\"lanes\": 0")).find("the order has a negative count") == 0);
  CHECK(refusal(replaced(text, "\"terms\": 64", "\"terms\": 2")).find("which does not come before it") !=
        std::string::npos);
  CHECK(refusal("{") != "");
  CHECK(refusal("{}") != "");
  const auto missing = read_profile("no-such-profile.json");
  REQUIRE(!missing);
  CHECK(missing.error().message ==
        "cannot read 'no-such-profile.json': there is no such file; name a profile that assay profile --json wrote");
}
