#include "assay/accuracy/bradley_terry.hpp"

#include "accuracy/near.hpp"
#include "testing/catch.hpp"

namespace {

using namespace assay;
using testing::near;

std::vector<Battle> battles() {
  std::vector<Battle> all;
  const auto add = [&](std::size_t a, std::size_t b, int wins, int losses, int ties) {
    for (int i = 0; i < wins; ++i) all.push_back({a, b, 1});
    for (int i = 0; i < losses; ++i) all.push_back({a, b, 0});
    for (int i = 0; i < ties; ++i) all.push_back({a, b, 0.5});
  };
  add(0, 1, 30, 10, 4);
  add(0, 2, 24, 6, 2);
  add(1, 2, 20, 12, 8);
  return all;
}

}  // namespace

TEST_CASE("Strengths and sandwich variances", "[accuracy]") {
  const auto ratings = bradley_terry(battles(), 3);
  REQUIRE(ratings);
  CHECK(near(ratings.value()[0].rating, 1131.6769994105794, 1e-13));
  CHECK(near(ratings.value()[1].rating, 966.843974422133, 1e-13));
  CHECK(near(ratings.value()[2].rating, 901.4790261672878, 1e-13));
  CHECK(near(ratings.value()[0].variance, 866.51270958, 1e-9));
  CHECK(near(ratings.value()[1].variance, 602.13197981, 1e-9));
  CHECK(near(ratings.value()[2].variance, 784.27763877, 1e-9));
}

TEST_CASE("Intervals as arena-rank's, which regularizes", "[accuracy]") {
  BradleyTerryOptions options;
  options.regularization = 1e-5;
  const auto ratings = bradley_terry(battles(), 3, options);
  REQUIRE(ratings);
  CHECK(near(ratings.value()[0].variance, 866.415096, 1e-7));
  CHECK(near(ratings.value()[0].lower, 1073.985597, 1e-6));
  CHECK(near(ratings.value()[0].upper, 1189.368402, 1e-6));
}

TEST_CASE("Bootstrap intervals agree with the sandwich", "[accuracy]") {
  const auto ratings = bradley_terry_bootstrap(battles(), 3, 400);
  REQUIRE(ratings);
  CHECK((ratings.value()[0].lower > 1055 && ratings.value()[0].lower < 1092));
  CHECK((ratings.value()[0].upper > 1172 && ratings.value()[0].upper < 1215));
}

TEST_CASE("Who never lost has no strength", "[accuracy]") {
  const std::vector<Battle> unbeaten{{0, 1, 1}, {0, 1, 1}};
  CHECK(!bradley_terry(unbeaten, 2));
  const std::vector<Battle> apart{{0, 1, 1}, {1, 0, 1}};
  CHECK(!bradley_terry(apart, 3));
  CHECK(bradley_terry(apart, 2).value()[0].rating == 1000);
  CHECK_THROWS_AS(bradley_terry(apart, 1), Misuse);
}
