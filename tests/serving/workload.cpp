#include "assay/serving/workload.hpp"

#include <algorithm>
#include <set>

#include "testing/catch.hpp"

TEST_CASE("prompts are the same for the same options, and else differ", "[serving]") {
  assay::WorkloadOptions options;
  options.words = 20;
  options.prefix_words = 5;
  const std::string prompt = assay::workload_prompt(options, 3);
  CHECK(prompt == assay::workload_prompt(options, 3));
  CHECK(prompt != assay::workload_prompt(options, 4));
  CHECK(std::count(prompt.begin(), prompt.end(), ' ') == 1 + 5 + 19);
  // The salt and the common beginning are of the seed, what follows of the position.
  CHECK(prompt.substr(0, 30) == assay::workload_prompt(options, 4).substr(0, 30));
  options.seed = 2;
  CHECK(prompt.substr(0, 16) != assay::workload_prompt(options, 3).substr(0, 16));
  options.distinct = 3;
  CHECK(assay::workload_prompt(options, 1) == assay::workload_prompt(options, 4));
  options.salted = false;
  options.prefix_words = 0;
  options.words = 0;
  CHECK(assay::workload_prompt(options, 1).empty());
}

TEST_CASE("each user has a needle of her own in her prompt", "[serving]") {
  std::set<std::string> needles;
  for (std::uint64_t user = 0; user < 100; ++user) {
    const auto made = assay::needle_prompt(user, 30, 1);
    CHECK(made.needle.size() == 7);
    CHECK(made.prompt.find(made.needle) != std::string::npos);
    needles.insert(made.needle);
  }
  CHECK(needles.size() == 100);
}
