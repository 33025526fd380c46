#include "assay/statistics/hodges_lehmann.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the shift of the textbook's example", "[statistics]") {
  const std::vector<double> x{19, 22, 16, 29, 24}, y{20, 11, 17, 12};
  const ShiftInterval shift = hodges_lehmann(x, y);
  CHECK(shift.estimate == 7);
  CHECK(shift.exact);
  CHECK(shift.lower == -1);  // the 2nd smallest and the 2nd largest of the 20 differences
  CHECK(shift.upper == 17);
  const ShiftInterval mirrored = hodges_lehmann(y, x);
  CHECK(mirrored.estimate == -7);
  CHECK(mirrored.lower == -17);
  CHECK(mirrored.upper == 1);
}

TEST_CASE("how many differences are cut off is what exact counting gives",
          "[statistics]") {  // counted with rational numbers in Python
  struct Row {
    std::size_t m, n, k;
  };
  for (const Row& row : {Row{3, 3, 0}, Row{4, 4, 1}, Row{5, 4, 2}, Row{5, 5, 3}, Row{10, 10, 24}, Row{12, 17, 58}}) {
    CAPTURE(row.m, row.n);
    CHECK(detail::differences_cut_off(row.m, row.n, 0.025, true) == row.k);
    CHECK(detail::differences_cut_off(row.n, row.m, 0.025, true) == row.k);
  }
  const double approximate = 600.0 * 500 / 2 - 1.959963984540054 * std::sqrt(600.0 * 500 * 1101 / 12);
  CHECK(static_cast<double>(detail::differences_cut_off(600, 500, 0.025, false)) == Approx(approximate).margin(1));
}

TEST_CASE("too few samples leave an interval without ends", "[statistics]") {
  const ShiftInterval shift = hodges_lehmann(std::vector<double>{1, 2, 3}, std::vector<double>{10, 11, 12});
  CHECK(shift.estimate == -9);
  CHECK(std::isinf(shift.lower));
  CHECK(std::isinf(shift.upper));
}

TEST_CASE("ordered differences are those of the sorted table, whatever their signs and sizes", "[statistics]") {
  assay::testing::Noise noise(8);
  for (int turn = 0; turn < 40; ++turn) {
    const double scale = std::pow(10.0, turn % 9 * 30 - 120);
    std::vector<double> x = noise.normals(1 + static_cast<std::size_t>(turn) % 7, turn % 3 - 1, 1),
                        y = noise.normals(1 + static_cast<std::size_t>(turn) % 5);
    for (double& value : x) value = scale * (turn % 2 == 0 ? std::nearbyint(value) : value);
    for (double& value : y) value = scale * (turn % 2 == 0 ? std::nearbyint(value) : value);
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    std::vector<double> table;
    for (const double a : x)
      for (const double b : y) table.push_back(a - b);
    std::sort(table.begin(), table.end());
    const detail::OrderedDifferences differences(x, y);
    for (std::size_t rank = 0; rank < table.size(); ++rank) CHECK(differences[rank] == table[rank]);
  }
}

TEST_CASE("the interval holds the shift as often as promised, with heavy tails as well", "[statistics]") {
  assay::testing::Noise noise(17);
  const auto heavy = [&](std::size_t count, double shift) {
    std::vector<double> values(count);
    for (double& value : values) value = shift + noise.normal() / noise.normal();  // Cauchy: no mean, no variance
    return values;
  };
  int held = 0, excludes_zero = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    const std::vector<double> x = heavy(12, 3), y = heavy(15, 0);
    const ShiftInterval shift = hodges_lehmann(x, y);
    held += shift.lower <= 3 && 3 <= shift.upper ? 1 : 0;
    excludes_zero += shift.lower > 0 ? 1 : 0;
  }
  CHECK(held > 1880);  // 95 % of 2000, less 2 deviations
  CHECK(held < 1935);
  CHECK(excludes_zero > 800);
}

TEST_CASE("a hundred thousand samples a side need no memory for their ten billion differences", "[statistics]") {
  std::vector<double> x(100000), y(100000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = static_cast<double>(i * 7919 % 100003);
    x[i] = y[i] + 2.5;
  }
  const ShiftInterval shift = hodges_lehmann(x, y);
  CHECK_FALSE(shift.exact);
  CHECK(shift.estimate == 2.5);
  CHECK(shift.lower < 2.5);
  CHECK(shift.lower > -500);
  CHECK(shift.upper < 500);
}

TEST_CASE("inflation of the variance widens the interval and keeps the estimate", "[statistics]") {
  assay::testing::Noise noise(2);
  const std::vector<double> x = noise.normals(30, 1), y = noise.normals(30);
  const ShiftInterval plain = hodges_lehmann(x, y), wide = hodges_lehmann(x, y, {0.95, 4});
  CHECK(wide.estimate == plain.estimate);
  CHECK_FALSE(wide.exact);
  CHECK(wide.upper - wide.estimate == Approx(2 * (plain.upper - plain.estimate)));
  CHECK(wide.estimate - wide.lower == Approx(2 * (plain.estimate - plain.lower)));
  CHECK(hodges_lehmann(x, y, {0.99, 1}).lower < plain.lower);
}

TEST_CASE("the shift between nothing, NaN and infinities is refused", "[statistics]") {
  const std::vector<double> fine{1, 2, 3};
  assay::testing::check_refuses_what_is_no_sample(
      [&](const std::vector<double>& x) { return hodges_lehmann(x, fine).estimate; }, 1);
  assay::testing::check_refuses_what_is_no_sample(
      [&](const std::vector<double>& x) { return hodges_lehmann(fine, x).estimate; }, 1);
  for (const double bad : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(hodges_lehmann(fine, fine, {bad, 1}), Misuse);
  for (const double bad : {0.5, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(hodges_lehmann(fine, fine, {0.95, bad}), Misuse);
}
