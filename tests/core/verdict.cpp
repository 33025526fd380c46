#include "assay/core/verdict.hpp"

#include "testing/catch.hpp"

using assay::Verdict;

TEST_CASE("verdicts and their names are one to one", "[core]") {
  for (const Verdict verdict : assay::all_verdicts) CHECK(assay::verdict_named(name_of(verdict)) == verdict);
  for (std::size_t i = 0; i < assay::all_verdicts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(assay::all_verdicts[i] != assay::all_verdicts[j]);
      CHECK(name_of(assay::all_verdicts[i]) != name_of(assay::all_verdicts[j]));
    }
  static_assert(name_of(Verdict::new_baseline) == "new_baseline");
}

TEST_CASE("what is no verdict's name is none", "[core]") {
  for (const char* name : {"", "PASS", "passed", "pas", "pass "}) CHECK_FALSE(assay::verdict_named(name).has_value());
  static_assert(!assay::verdict_named("ok").has_value());
}
