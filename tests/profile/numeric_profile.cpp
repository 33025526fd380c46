#include "assay/profile/numeric_profile.hpp"

#include <algorithm>

#include "testing/catch.hpp"

using namespace assay;

namespace {

NumericProfile example() {
  NumericProfile profile;
  profile.unit = "x";
  profile.version = "1.0";
  profile.a = profile.b = "bf16";
  profile.c = "f32";
  profile.accumulator = FormatTraits<float32>::layout;
  profile.aligned_bits = 24;
  profile.sum_rounding = UnitRounding::toward_zero;
  profile.order = {SummationShape{.fused = 8}, "seen for 64 terms"};
  profile.output_rounding = Determined<UnitRounding>::not_determined("the output holds every sum");
  profile.tree = tree_of({.fused = 8}, 16);
  profile.launches = {{"one row", 0.0, ""}, {"batch", std::nullopt, "not offered"}};
  return profile;
}

const std::vector<std::string>* row_of(const Table& table, const std::string& what) {
  const auto found =
      std::find_if(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[0] == what; });
  return found == table.rows.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("A profile as a table tells every finding, and why there is none") {
  const Table table = profile_table(example());
  CHECK(table.title == "numeric profile of x (1.0), bf16 × bf16 → f32");
  REQUIRE(row_of(table, "accumulator") != nullptr);
  CHECK((*row_of(table, "accumulator"))[1] == "f32");
  CHECK((*row_of(table, "aligned bits"))[1] == "24");
  CHECK((*row_of(table, "order"))[1] == "sequential, 8 terms at once with the sum so far; seen for 64 terms");
  CHECK((*row_of(table, "output rounding"))[1] == "undetermined, because the output holds every sum");
  CHECK((*row_of(table, "tree of 16 terms"))[1] == "((0…7) 8…15)");
  CHECK((*row_of(table, "one row"))[1] == "same bits");
  CHECK((*row_of(table, "batch"))[1] == "not compared: not offered");
  for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
}

TEST_CASE("Comparing two profiles tells what changed, and nothing else") {
  const NumericProfile before = example();
  NumericProfile after = before;
  after.version = "2.0";
  after.output_rounding.note = "for another reason that there is none";
  CHECK(compare_profiles(before, after).rows.empty());
  CHECK(compare_profiles(before, after).title == "what changed numerically from x 1.0 to x 2.0");
  after.aligned_bits = 25;
  after.sum_rounding = UnitRounding::nearest_even;
  after.output_rounding = UnitRounding::nearest_away;
  after.tree = tree_of({.fused = 4}, 16);
  after.launches[0].differing = 0.5;
  const Table changed = compare_profiles(before, after);
  REQUIRE(changed.rows.size() == 5);
  CHECK(changed.rows[0] == std::vector<std::string>{"sum rounding", "toward_zero", "nearest_even"});
  CHECK(changed.rows[1] == std::vector<std::string>{"aligned bits", "24", "25"});
  CHECK(changed.rows[2] == std::vector<std::string>{
                               "output rounding", "undetermined, because the output holds every sum", "nearest_away"});
  CHECK(changed.rows[3] == std::vector<std::string>{"tree of 16 terms", "((0…7) 8…15)", "((((0…3) 4…7) 8…11) 12…15)"});
  CHECK(changed.rows[4] == std::vector<std::string>{"one row", "same bits", "other bits in 50 % of the elements"});
}

TEST_CASE("Accumulators are told by their name, or by their bits") {
  CHECK(detail::finding_text(FormatTraits<tfloat32>::layout) == "tf32");
  CHECK(detail::finding_text(FloatLayout{8, 13, 127}) == "e8m13");
}
