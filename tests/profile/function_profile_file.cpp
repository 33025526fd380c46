#include "assay/profile/function_profile_file.hpp"

#include <limits>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

namespace {

FunctionProfile example() {
  FunctionProfile profile{"own", "exp", "f32", "bf16"};
  profile.tried = 4206558;
  profile.judged = 4000000;
  profile.worst_ulps = 0.1;
  profile.worst_exact = std::numeric_limits<double>::infinity();
  profile.wrong_specials = 3;
  profile.wrong_special_at = std::numeric_limits<double>::quiet_NaN();
  return profile;
}

std::string refusal(std::string text, const std::string& from = "", const std::string& to = "") {
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  const auto read = read_function_profiles_text(text);
  return read ? "" : read.error().message;
}

}  // namespace

TEST_CASE("Profiles of functions that are written and read are the same, NaN and infinities included") {
  const std::string text = function_profiles_text({example(), {}});
  const auto read = read_function_profiles_text(text);
  REQUIRE(read);
  REQUIRE(read.value().size() == 2);
  CHECK(function_profiles_text(read.value()) == text);
  CHECK(read.value()[0].worst_ulps == 0.1);
  CHECK(is_nan(read.value()[0].wrong_special_at));
  CHECK(compare_function_profiles({example()}, {read.value()[0]}).rows.empty());
}

TEST_CASE("What is no profile of functions is refused with what was found") {
  const std::string text = function_profiles_text({example()});
  CHECK(refusal(text, "function-profile/1", "profile/1") ==
        "the schema is \"assay-profile/1\"; this version reads \"assay-function-profile/1\"");
  CHECK(refusal(text, "\"worst_ulps\": \"0.1", "\"worst_ulps\": \"x0.1").find("worst_ulps is 'x0.1") == 0);
  CHECK(refusal(text, "\"tried\"", "\"tries\"").find("tried") != std::string::npos);
  CHECK(refusal("{") != "");
  CHECK(read_function_profiles("absent.json").error().message ==
        "cannot read 'absent.json': there is no such file; name profiles of functions that assay profile --json wrote");
  CHECK(read_function_profiles(".").error().message ==
        "cannot read '.': it is a folder; name profiles of functions that assay profile --json wrote");
}
