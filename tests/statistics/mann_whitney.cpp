#include "assay/statistics/mann_whitney.hpp"

#include "statistics/noise.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("the textbook's example of Mann and Whitney",
          "[statistics]") {  // and scipy 1.17 mannwhitneyu(method="exact")
  const MannWhitney test = mann_whitney(std::vector<double>{19, 22, 16, 29, 24}, std::vector<double>{20, 11, 17, 12});
  CHECK(test.u == 17);
  CHECK(test.exact);
  CHECK(test.p_two_sided == Approx(1.0 / 9).epsilon(1e-13));
  CHECK(test.p_greater == Approx(1.0 / 18).epsilon(1e-13));
  CHECK(test.p_less == Approx(122.0 / 126).epsilon(1e-13));
}

TEST_CASE("few samples cannot be significant", "[statistics]") {
  for (const auto& [n, p] : {std::pair<int, double>{3, 0.1}, {4, 2.0 / 70}, {5, 2.0 / 252}}) {
    std::vector<double> low, high;
    for (int i = 0; i < n; ++i) {
      low.push_back(i);
      high.push_back(100 + i);
    }
    CHECK(mann_whitney(high, low).p_two_sided == Approx(p).epsilon(1e-13));
    CHECK(mann_whitney(low, high).p_two_sided == Approx(p).epsilon(1e-13));
    CHECK(mann_whitney(low, high).u == 0);
    CHECK(mann_whitney(high, low).u == n * n);
    CHECK(mann_whitney(high, low).p_greater < mann_whitney(high, low).p_less);
  }
  CHECK(mann_whitney(std::vector<double>{1}, std::vector<double>{2}).p_two_sided == 1);
}

TEST_CASE("larger samples without ties are exact as well", "[statistics]") {
  std::vector<double> x, y;
  for (int i = 0; i < 20; ++i) x.push_back(i * 1.3 + 0.05);
  for (int i = 0; i < 25; ++i) y.push_back(i);
  const MannWhitney test = mann_whitney(x, y);  // scipy: statistic 258, exact
  CHECK(test.u == 258);
  CHECK(test.exact);
  CHECK(test.p_two_sided == Approx(0.8653488782869316).epsilon(1e-12));
  CHECK(test.p_greater == Approx(0.4326744391434658).epsilon(1e-12));
}

TEST_CASE("with ties the distribution is that of all assignments of the values", "[statistics]") {
  // scipy.stats.permutation_test over all 1716 assignments
  const MannWhitney test =
      mann_whitney(std::vector<double>{1, 2, 2, 3, 5, 5}, std::vector<double>{2, 2, 4, 5, 6, 7, 1});
  CHECK(test.u == 16.5);
  CHECK(test.exact);
  CHECK(test.p_less == Approx(0.2803030303030303).epsilon(1e-12));
  CHECK(test.p_greater == Approx(0.763986013986014).epsilon(1e-12));
  const MannWhitney equal = mann_whitney(std::vector<double>(8, 3.0), std::vector<double>(9, 3.0));
  CHECK(equal.u == 36);
  CHECK(equal.p_two_sided == 1);
}

TEST_CASE("all assignments of small samples, with and without ties, agree with the exact distribution",
          "[statistics]") {
  assay::testing::Noise noise(4);
  for (int turn = 0; turn < 60; ++turn) {
    const auto m = static_cast<std::size_t>(1 + 5 * noise.uniform()),
               n = static_cast<std::size_t>(1 + 5 * noise.uniform());
    const double levels = turn % 2 == 0 ? 3 : 1e6;
    std::vector<double> all(m + n);
    for (double& value : all) value = std::floor(noise.uniform() * levels);
    const auto u_of = [&](unsigned chosen) {
      double u = 0;
      for (std::size_t i = 0; i < m + n; ++i)
        for (std::size_t j = 0; j < m + n; ++j)
          if ((chosen >> i & 1U) != 0 && (chosen >> j & 1U) == 0) u += all[i] > all[j] ? 1 : all[i] == all[j] ? 0.5 : 0;
      return u;
    };
    const unsigned first = (1U << m) - 1;
    const double observed = u_of(first);
    double less = 0, greater = 0, count = 0;
    for (unsigned chosen = 0; chosen < 1U << (m + n); ++chosen) {
      if (static_cast<std::size_t>(__builtin_popcount(chosen)) != m) continue;
      const double u = u_of(chosen);
      ++count;
      less += u <= observed ? 1 : 0;
      greater += u >= observed ? 1 : 0;
    }
    const MannWhitney test = mann_whitney(std::span(all).first(m), std::span(all).subspan(m));
    CHECK(test.u == observed);
    CHECK(test.p_less == Approx(less / count).epsilon(1e-12));
    CHECK(test.p_greater == Approx(greater / count).epsilon(1e-12));
  }
}

TEST_CASE("large samples are approximated as in scipy, with ties and continuity corrected", "[statistics]") {
  std::vector<double> x, y;
  for (int i = 0; i < 70; ++i) x.push_back(std::nearbyint(i * 37 % 101 / 10.0));
  for (int i = 0; i < 80; ++i) y.push_back(std::nearbyint(i * 53 % 103 / 10.0 + 0.7));
  const MannWhitney test = mann_whitney(x, y);
  CHECK_FALSE(test.exact);
  CHECK(test.u == 2515.5);
  CHECK(test.p_two_sided == Approx(0.2824426179974914).epsilon(1e-10));
  CHECK(test.p_less == Approx(0.1412213089987457).epsilon(1e-10));
  CHECK(test.p_greater == Approx(0.8596243297051909).epsilon(1e-10));
}

TEST_CASE("where exact and approximate meet they say the same", "[statistics]") {
  assay::testing::Noise noise(9);
  const std::vector<double> x = noise.normals(50, 0.2), y = noise.normals(60);
  const MannWhitney test = mann_whitney(x, y);
  CHECK(test.exact);
  CHECK(test.p_greater ==
        Approx(detail::normal_u_at_most(3000 - test.u, 50, 60, detail::u_deviation(50, 60))).epsilon(0.02));
  CHECK_FALSE(mann_whitney(noise.normals(51), noise.normals(60)).exact);
}

TEST_CASE("independent samples of one distribution are significant as often as promised", "[statistics]") {
  assay::testing::Noise noise(21);
  int rejected = 0;
  for (int turn = 0; turn < 2000; ++turn)
    rejected += mann_whitney(noise.normals(8), noise.normals(9)).p_two_sided <= 0.05 ? 1 : 0;
  CHECK(rejected > 60);  // 0.05 is not attained exactly: 4.6 %
  CHECK(rejected < 130);
}

TEST_CASE("Mann and Whitney's test of nothing, NaN and infinities is refused", "[statistics]") {
  const std::vector<double> fine{1, 2, 3};
  assay::testing::check_refuses_what_is_no_sample([&](const std::vector<double>& x) { return mann_whitney(x, fine).u; },
                                                  1);
  assay::testing::check_refuses_what_is_no_sample([&](const std::vector<double>& x) { return mann_whitney(fine, x).u; },
                                                  1);
}
