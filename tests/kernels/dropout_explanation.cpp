#include "assay/kernels/dropout/explanation.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace assay;

namespace {

struct Mask {
  DropoutProblem problem;
  std::vector<unsigned char> kept;
  explicit Mask(std::uint64_t seed = 1, double rate = 0.3, double drawn_rate = -1) {
    problem.rows = 128;
    problem.columns = 100;
    problem.rate = rate;
    std::mt19937_64 generator(seed);
    std::bernoulli_distribution keeps(1 - (drawn_rate < 0 ? rate : drawn_rate));
    for (Index i = 0; i < problem.rows * problem.columns; ++i) kept.push_back(keeps(generator) ? 1 : 0);
  }
  std::string kind() const {
    const auto found = DropoutMaskExplanation(problem, kept).explanation();
    return found ? found->kind : "nothing";
  }
};

}  // namespace

TEST_CASE("nothing is wrong with right masks, whatever cannot be seen of them") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    for (const double rate : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      Mask mask(seed, rate);
      for (std::size_t i = 0; i < mask.kept.size(); i += seed) mask.kept[i] = 2;
      CHECK(mask.kind() == "nothing");
    }
}

TEST_CASE("masks that are drawn wrongly are told by how") {
  Mask mask;
  std::vector<unsigned char>& kept = mask.kept;
  SECTION("four neighbors a draw") {
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = kept[i / 4 * 4];
    CHECK(mask.kind() == "draws_shared");
  }
  SECTION("a row for all") {
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i % 7 == 0 ? 2 : kept[i % 100];
    CHECK(mask.kind() == "draws_repeated");
  }
  SECTION("columns that are passed over") {
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (i % 100 >= 90) kept[i] = 1;
    CHECK(mask.kind() == "columns_never_dropped");
  }
  SECTION("nothing dropped") {
    kept.assign(kept.size(), 1);
    CHECK(mask.kind() == "nothing_dropped");
  }
  SECTION("a rate of few bits") {
    CHECK(Mask(1, 0.3, 0.375).kind() == "coarse_draws");
    CHECK(Mask(1, 0.3, 0.25).kind() == "coarse_draws");
  }
  SECTION("another rate") {
    CHECK(Mask(1, 0.3, 0.8).kind() == "nothing");
  }
}
