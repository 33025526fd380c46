#include "assay/frameworks/door/mode_agreement.hpp"

#include "assay/suite/seed.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

Outcome outcome(const char* backend, const char* data, const char* digest, double ratio, bool pass = true) {
  Outcome own;
  own.id = std::string("softmax/") + backend + "/f32.f32/8x8/" + data;
  own.labels = {{"operation", "softmax"}, {"backend", backend}};
  if (*digest != '\0') own.labels[outputs_label] = digest;
  own.verdict = pass ? Verdict::pass : Verdict::fail;
  if (ratio >= 0) own.measure(measurement::worst_error_ratio, ratio);
  return own;
}

}  // namespace

TEST_CASE("modes are compared case by case: the same bits, or which is nearer to the truth") {
  const auto pairs = compare_modes(
      {outcome("a", "normal", "1", 0.5), outcome("a", "special", "2", 0.5), outcome("a", "uniform", "3", 2, false),
       outcome("a", "ramp", "4", 0.1), outcome("a", "only", "4", 0.1), outcome("a", "nan", "5", -1, false),
       outcome("b", "normal", "1", 0.5), outcome("b", "special", "7", 0.25), outcome("b", "uniform", "8", 0.9),
       outcome("b", "ramp", "9", 0.1), outcome("b", "refused", "", -1), outcome("b", "nan", "6", 0.2)});
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == "a");
  CHECK(pairs[0].second == "b");
  CHECK(pairs[0].family == "softmax");
  CHECK(pairs[0].same_bits == 1);
  CHECK(pairs[0].first_nearer == 0);
  CHECK(pairs[0].second_nearer == 3);
  CHECK(pairs[0].equally_far == 1);
  CHECK(pairs[0].only_first_fails == 2);
  CHECK(pairs[0].only_second_fails == 0);
  const Table table = mode_agreement_table(pairs);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].size() == table.columns.size());
}

TEST_CASE("cases that differ in their backend only draw the same data, and others are not compared") {
  for (const std::uint64_t run : {0U, 1U, 77U}) {
    const std::uint64_t bare = case_seed(run, "softmax//f32.f32/8x8/normal");
    for (const char* backend : {"a", "openvino.accurate"}) {
      const std::string id = std::string("softmax/") + backend + "/f32.f32/8x8/normal";
      CHECK(seed_of_any_backend(case_seed(run, id), id, backend) == bare);
    }
  }
  CHECK(seed_of_any_backend(case_seed(1, "x"), "x", "a") == case_seed(1, "x"));
  Outcome other = outcome("b", "normal", "2", 0.5);
  other.seed = 5;
  CHECK(compare_modes({outcome("a", "normal", "1", 0.5), other}).empty());
}

TEST_CASE("every pair of modes is compared, and what was not computed is not") {
  CHECK(compare_modes({outcome("a", "normal", "1", 0), outcome("b", "normal", "1", 0), outcome("c", "normal", "2", 0)})
            .size() == 3);
  CHECK(compare_modes({outcome("a", "normal", "", 0), outcome("b", "normal", "", 0)}).empty());
  CHECK(mode_agreement_table({}).rows.empty());
}
