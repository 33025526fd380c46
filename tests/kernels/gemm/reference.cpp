#include "assay/kernels/gemm/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "assay/tolerance/rounding_error.hpp"
#include "kernels/gemm_operands.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

template <class Op>
auto reference_of(GemmVectors<Op>& operands, unsigned threads = 2, const GemmBound* bound = nullptr) {
  Host host(threads);
  auto stream = host.make_stream();
  auto reference = gemm_reference<Op>(host, stream.value(), operands.problem, operands.arguments(),
                                      bound != nullptr ? *bound : magnitude_only(operands.problem));
  REQUIRE(reference.has_value());
  return std::move(reference).value();
}

Quad size_of(Quad value) {
  return value < 0 ? -value : value;
}

/// Against the triple loop in quadruple precision, within what is proved of the reference.
template <class Op>
void check_against_quad(const GemmProblem& problem, FillKind kind, std::uint64_t seed) {
  GemmVectors<Op> operands(problem, gemm_data<Op>(kind, problem, seed));
  const auto reference = reference_of(operands);
  const double u = 0x1p-53, plain = gamma_bound(static_cast<double>(problem.k + 3), u);
  for (Index s = 0; s < problem.batch; ++s)
    for (Index i = 0; i < problem.m; ++i)
      for (Index j = 0; j < problem.n; ++j) {
        const auto exact = operands.exact(s, i, j);
        const auto element = static_cast<std::size_t>((s * problem.m + i) * problem.n + j);
        const Quad error = size_of(static_cast<Quad>(reference.value.data()[element]) - exact.value);
        const Quad allowed = gemm_needs_double_double<Op> ? static_cast<Quad>(u) * size_of(exact.value) +
                                                                static_cast<Quad>(2 * plain * plain) * exact.magnitude
                                                          : static_cast<Quad>(plain) * exact.magnitude;
        INFO(name_of(problem) << ' ' << name_of(kind) << ' ' << s << ' ' << i << ' ' << j);
        REQUIRE(error <= allowed);
        // S: twice its own error
        REQUIRE(size_of(static_cast<Quad>(reference.error.data()[element]) - exact.magnitude) <=
                static_cast<Quad>(2 * plain) * exact.magnitude);
      }
}

}  // namespace

TEST_CASE("the reference is the triple loop in quadruple precision, within its own proof") {
  for (FillKind kind : {FillKind::uniform, FillKind::normal, FillKind::log_uniform, FillKind::canceling,
                        FillKind::swamping, FillKind::subnormal}) {
    GemmProblem problem = gemm_of(5, 6, 700, 2);  // panels of 256, tiles of 4: both end early
    check_against_quad<Gemm<bfloat16, bfloat16, float32, bfloat16>>(problem, kind, 1);
    check_against_quad<Gemm<float16, float16, float32, float32>>(problem, kind, 2);
    problem.alpha = -0.7;
    problem.beta = 1.3;
    check_against_quad<Gemm<float32, float32, float32, float32>>(problem, kind, 3);
    check_against_quad<Gemm<float64, float64, float64, float64>>(problem, kind, 4);
  }
}

TEST_CASE("every layout gives the same reference") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmProblem plain = gemm_of(7, 9, 300, 3);
  const GemmData data = gemm_data<Op>(FillKind::normal, plain, 5);
  GemmVectors<Op> first(plain, data);
  const auto expected = reference_of(first);
  for (StorageOrder order : {StorageOrder::row_major, StorageOrder::column_major})
    for (int transposes = 0; transposes < 4; ++transposes) {
      GemmProblem problem = plain;
      problem.order = order;
      problem.transpose_a = (transposes & 1) != 0;
      problem.transpose_b = (transposes & 2) != 0;
      problem.leading_dimension_a = 301;
      problem.leading_dimension_b = 310;
      problem.leading_dimension_c = 11;
      GemmVectors<Op> operands(problem, data);
      const auto reference = reference_of(operands);
      for (std::size_t e = 0; e < 7 * 9 * 3; ++e) REQUIRE(reference.value.data()[e] == expected.value.data()[e]);
    }
}

TEST_CASE("in double-double, sums that cancel to the last bit keep a full double") {
  using Op = Gemm<float64, float64, float64, float64>;
  // (1 + u)² − (1 + 2u) = u² with u = 2^-52: 104 bits below the terms
  const double one = 1 + 0x1p-52, two = 1 + 0x1p-51;
  GemmVectors<Op> operands(gemm_of(1, 1, 3));
  operands.set([&](Index, Index, Index k) { return k == 0   ? one
                                                   : k == 1 ? -two
                                                            : 0x1p-60; },
               [&](Index, Index, Index k) { return k == 0   ? one
                                                   : k == 1 ? 1.0
                                                            : 0x1p-60; },
               [](Index, Index, Index) { return 0.0; });
  operands.b = {one, 1.0, 0x1p-60};
  CHECK(reference_of(operands).value.data()[0] == 0x1p-104 + 0x1p-120);
}

TEST_CASE("the reference is the same, bit for bit, for 1 to 8 threads") {
  const auto check = [](auto op) {
    using Op = decltype(op);
    GemmProblem problem = gemm_of(19, 23, 520, 2);
    problem.beta = 0.5;
    GemmVectors<Op> operands(problem, gemm_data<Op>(FillKind::log_uniform, problem, 9));
    const auto expected = reference_of(operands, 1);
    for (unsigned threads = 2; threads <= 8; ++threads) {
      const auto reference = reference_of(operands, threads);
      for (std::size_t e = 0; e < 19 * 23 * 2; ++e) {
        REQUIRE(detail::bits_of(reference.value.data()[e]) == detail::bits_of(expected.value.data()[e]));
        REQUIRE(detail::bits_of(reference.error.data()[e]) == detail::bits_of(expected.error.data()[e]));
      }
    }
  };
  check(Gemm<float16, float16, float32, float16>{});
  check(Gemm<float64, float64, float64, float64>{});
}

TEST_CASE("beta = 0 does not read C, alpha = 0 does not form the product, K = 0 leaves beta*C") {
  using Op = Gemm<float32, float32, float32, float32>;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  GemmProblem problem = gemm_of(2, 3, 4);
  GemmVectors<Op> operands(problem);
  operands.set([](Index, Index, Index) { return 2.0; }, [](Index, Index, Index) { return 3.0; },
               [&](Index, Index, Index) { return nan; });
  Host host(1);
  auto stream = host.make_stream();
  auto arguments = operands.arguments();
  arguments.c.data = nullptr;
  const auto unread = gemm_reference<Op>(host, stream.value(), problem, arguments, magnitude_only(problem));
  REQUIRE(unread.has_value());
  for (std::size_t e = 0; e < 6; ++e) CHECK(unread.value().value.data()[e] == 24);

  for (double special : {nan, infinity}) {
    operands.set([&](Index, Index, Index) { return special; }, [](Index, Index, Index) { return 1.0; },
                 [](Index, Index, Index) { return 4.0; });
    operands.problem.alpha = 0;
    operands.problem.beta = 0.5;
    const auto scaled = reference_of(operands);
    for (std::size_t e = 0; e < 6; ++e) {
      CHECK(scaled.value.data()[e] == 2);
      CHECK(scaled.error.data()[e] == 2);  // |β·c|, decided: no infinity from a product that is not formed
    }
  }
  problem.k = 0;
  problem.beta = -3;
  GemmVectors<Op> empty(problem);
  empty.set([](Index, Index, Index) { return 0.0; }, [](Index, Index, Index) { return 0.0; },
            [](Index, Index, Index) { return 5.0; });
  CHECK(reference_of(empty).value.data()[5] == -15);
  problem.beta = 0;
  GemmVectors<Op> zero(problem);
  CHECK(reference_of(zero).value.data()[0] == 0);
  CHECK(reference_of(zero).error.data()[0] == 0);
}

TEST_CASE("NaN and infinities go through as IEEE 754 says") {
  const auto check = [](auto op) {
    using Op = decltype(op);
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    GemmVectors<Op> operands(gemm_of(5, 1, 3));
    // rows: a NaN; +inf; −inf; +inf and −inf; infinity times zero
    const double rows[5][3] = {
        {1, nan, 1}, {infinity, 1, 1}, {1, -infinity, 1}, {infinity, -infinity, 1}, {1, 1, infinity}};
    operands.set([&](Index, Index i, Index k) { return rows[i][k]; },
                 [](Index, Index k, Index) { return k == 2 ? 0.0 : 2.0; }, [](Index, Index, Index) { return 0.0; });
    const auto reference = reference_of(operands);
    const double* value = reference.value.data();
    CHECK(is_nan(value[0]));
    CHECK((is_infinite(value[1]) && value[1] > 0));
    CHECK((is_infinite(value[2]) && value[2] < 0));
    CHECK(is_nan(value[3]));
    CHECK(is_nan(value[4]));
    for (std::size_t e = 0; e < 5; ++e) CHECK(reference.error.data()[e] == 0);
  };
  check(Gemm<bfloat16, bfloat16, float32, bfloat16>{});
  check(Gemm<float32, float32, float32, float32>{});
  check(Gemm<float64, float64, float64, float64>{});
}

TEST_CASE("the reference answers `compare` by row and column") {
  using Op = Gemm<float32, float32, float32, float32>;
  GemmProblem problem = gemm_of(2, 3, 1, 2);
  GemmVectors<Op> operands(problem);
  operands.set([](Index s, Index i, Index) { return static_cast<double>(10 * s + i + 1); },
               [](Index, Index, Index j) { return static_cast<double>(j + 1); },
               [](Index, Index, Index) { return 0.0; });
  auto reference = reference_of(operands);
  CHECK(reference.expected()(3, 2).value == 36);  // batch 1, row 1, column 2
  CHECK(reference.expected()(3, 2).error == 36);
}

namespace {

/// The bits of r, and E, under every instruction set and both ways to have scales, against the portable reference.
template <class Op>
void check_variants(const GemmProblem& problem, FillKind kind) {
  GemmVectors<Op> operands(problem, gemm_data<Op>(kind, problem, 11));
  const GemmBound bound = magnitude_only(problem);
  Host host(2);
  auto stream = host.make_stream();
  const std::size_t elements = static_cast<std::size_t>(problem.batch * problem.m * problem.n);
  std::vector<double> value(elements), error(elements);
  const auto arguments = operands.arguments();
  REQUIRE(detail::portable_reference<Op, gemm_needs_double_double<Op>>(host, stream.value(), arguments, bound,
                                                                       value.data(), error.data())
              .has_value());
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    for (GemmScales scales : {GemmScales::exact, GemmScales::bounded}) {
      INFO(name_of(problem) << ' ' << name_of(kind) << ' ' << Op::formats() << ' ' << name_of(set));
      auto reference = gemm_reference<Op>(host, stream.value(), problem, arguments, bound, {scales, set});
      REQUIRE(reference.has_value());
      const auto expected = reference.value().expected();
      CHECK((reference.value().exact_scales || !gemm_needs_double_double<Op>));
      for (std::size_t e = 0; e < elements; ++e) {
        const double r = reference.value().value.data()[e], given = reference.value().error.data()[e];
        if (is_nan(value[e]))
          REQUIRE(is_nan(r));
        else
          REQUIRE(detail::bits_of(r) == detail::bits_of(value[e]));
        if (!is_finite(value[e])) continue;
        const double slack = 0x1p-45 * error[e];
        if (reference.value().exact_scales)
          REQUIRE((given == error[e] || detail::absolute(given - error[e]) <= slack));
        else
          REQUIRE((given >= error[e] - slack &&
                   given <= detail::tolerated_looseness * error[e] + slack));  // never below the exact scale
        const Index row = static_cast<Index>(e) / problem.n, column = static_cast<Index>(e) % problem.n;
        const double refined = expected.refine(row, column).error;
        if (e % 7 == 0) REQUIRE((refined == error[e] || detail::absolute(refined - error[e]) <= slack));
      }
    }
  }
}

}  // namespace

TEST_CASE(
    "every instruction set, shape, layout and scale gives the portable reference's bits, and never too small a bound") {
  for (FillKind kind :
       {FillKind::normal, FillKind::log_uniform, FillKind::special, FillKind::subnormal, FillKind::extreme}) {
    for (auto [m, n, k, batch] : {std::array<Index, 4>{1, 1, 1, 1},
                                  {1, 1, 1000, 1},
                                  {97, 13, 385, 1},
                                  {25, 250, 193, 2},
                                  {130, 31, 70, 3},
                                  {3, 5, 0, 1},
                                  {0, 5, 5, 1},
                                  {5, 0, 5, 1},
                                  {5, 5, 5, 0}}) {
      GemmProblem problem = gemm_of(m, n, k, batch);
      check_variants<Gemm<float32, float32, float32, float32>>(problem, kind);
      problem.transpose_a = problem.transpose_b = true;
      check_variants<Gemm<bfloat16, bfloat16, float32, bfloat16>>(problem, kind);
      problem.order = StorageOrder::column_major;
      problem.transpose_a = false;
      problem.alpha = 0.75;
      problem.beta = -1.5;
      check_variants<Gemm<float16, float16, float32, float16>>(problem, kind);
      problem.leading_dimension_a = k + m + 3;
      check_variants<Gemm<float64, float64, float64, float64>>(problem, kind);
    }
  }
}

TEST_CASE("a matrix with one row of blocks less than the panels hold, and one that is cut into several") {
  // 200 rows: shared panels; the budget of 32 MiB holds 104 columns of 40,000 terms
  GemmProblem problem = gemm_of(100, 130, 40000);
  check_variants<Gemm<bfloat16, bfloat16, float32, bfloat16>>(problem, FillKind::normal);
}

namespace {

/// The shares of one vector.
detail::MagnitudeShares shares_of(const std::vector<float>& vector) {
  const Index terms = static_cast<Index>(vector.size()),
              chunks = (terms + detail::chunk_depth - 1) / detail::chunk_depth;
  std::vector<double> norms(static_cast<std::size_t>(chunks));
  for (std::size_t i = 0; i < vector.size(); ++i) {
    double& norm = norms[i / static_cast<std::size_t>(detail::chunk_depth)];
    norm = std::sqrt(norm * norm + static_cast<double>(vector[i]) * static_cast<double>(vector[i])) * (1 + 0x1p-50);
  }
  detail::MagnitudeShares least;
  const detail::CountShares<float> count{vector.data(), terms, 1, 1, terms, norms.data(), &least, instruction_set()};
  count(0);
  return count.of_all();
}

}  // namespace

TEST_CASE("no order of two vectors' elements makes the product of their norms looser than what is proved of them") {
  std::mt19937_64 generator(3);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto drawn = [&](int kind, std::size_t length) {
    std::vector<float> vector(length);
    for (float& x : vector) {
      x = kind == 1 ? uniform(generator) : normal(generator);
      if (kind == 2) x = std::exp(x);                      // many magnitudes
      if (kind == 3 && uniform(generator) > -0.5F) x = 0;  // three of four are zero
      if (kind == 4) x = std::round(2 * x);
      if (kind == 5) x = x > 0.5F ? std::numeric_limits<float>::denorm_min() : 0;  // levels of it are no singles
    }
    return vector;
  };
  for (const std::size_t length : {7U, 64U, 100U, 1000U, 4099U})
    for (int left = 0; left < 6; ++left)
      for (int right = 0; right < 6; ++right) {
        INFO(length << ' ' << left << ' ' << right);
        std::vector<float> a = drawn(left, length), b = drawn(right, length);
        const double most = detail::most_looseness(shares_of(a), shares_of(b));
        const auto size_less = [](float x, float y) { return std::fabs(x) < std::fabs(y); };
        for (const bool opposite : {false, true}) {
          if (opposite) {
            std::sort(a.begin(), a.end(), size_less);
            std::sort(b.rbegin(), b.rend(), size_less);
          }
          double squares_a = 0, squares_b = 0, sum = 0;
          for (std::size_t i = 0; i < length; ++i) {
            const double x = a[i], y = b[i];
            squares_a += x * x;
            squares_b += y * y;
            sum += std::fabs(x * y);
          }
          CHECK(std::sqrt(squares_a) * std::sqrt(squares_b) / most <= sum * (1 + 0x1p-40));
        }
        if (length == 4099 && left < 2 && right < 2) CHECK(most < 7);
        if (left == 3 && right == 3) CHECK(most > 100);
      }
}

TEST_CASE("scales are bounded where that is proved to be close, and exact of sparse and of triangular data") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmProblem problem = gemm_of(150, 70, 512, 2);
  const auto exact = [&](auto keeps) {
    GemmVectors<Op> operands(problem, gemm_data<Op>(FillKind::normal, problem, 5));
    const auto given = operands.arguments();
    for (Index batch = 0; batch < 2; ++batch)
      for (Index i = 0; i < problem.m; ++i)
        for (Index k = 0; k < problem.k; ++k)
          if (!keeps(batch, i, k)) const_cast<float&>(given.a(batch, i, k)) = 0;
    Host host(2);
    auto stream = host.make_stream();
    auto reference =
        gemm_reference<Op>(host, stream.value(), problem, given, magnitude_only(problem), {GemmScales::bounded});
    REQUIRE(reference);
    return reference.value().exact_scales;
  };
  CHECK_FALSE(exact([](Index, Index, Index) { return true; }));
  CHECK_FALSE(exact([](Index, Index i, Index) { return i != 17; }));  // a row of zeros has no bound to be loose
  CHECK(exact([](Index, Index, Index k) { return k % 10 == 0; }));
  CHECK(exact([](Index, Index i, Index k) { return 3 * i >= k; }));
  CHECK(exact([](Index, Index i, Index k) { return i != 17 || k == 3; }));
  // of two matrices one may be bounded
  CHECK_FALSE(exact([](Index batch, Index, Index k) { return batch == 0 || k % 10 == 0; }));
}

TEST_CASE("scales that differ along k, and disjoint supports, do not loosen the bound beyond reason") {
  using Op = Gemm<float32, float32, float32, float32>;
  const GemmProblem problem = gemm_of(64, 64, 4096);
  GemmVectors<Op> operands(problem);
  const auto looseness = [&](auto scale_a, auto scale_b) {
    operands.set(
        [&](Index, Index i, Index k) { return scale_a(k) * (1 + static_cast<double>((i * 31 + k * 17) % 8) / 8); },
        [&](Index, Index k, Index j) { return scale_b(k) * (1 + static_cast<double>((j * 13 + k * 29) % 8) / 8); },
        [](Index, Index, Index) { return 0.0; });
    Host host(2);
    auto stream = host.make_stream();
    const auto exact = gemm_reference<Op>(host, stream.value(), problem, operands.arguments(), magnitude_only(problem),
                                          {GemmScales::exact});
    const auto bounded = gemm_reference<Op>(host, stream.value(), problem, operands.arguments(),
                                            magnitude_only(problem), {GemmScales::bounded});
    double worst = 0;
    for (std::size_t e = 0; e < 64 * 64; ++e) {
      const double ratio = bounded.value().error.data()[e] / exact.value().error.data()[e];
      REQUIRE(ratio >= 1 - 0x1p-40);
      worst = std::fmax(worst, ratio);
    }
    return worst;
  };
  CHECK(looseness([](Index) { return 1.0; }, [](Index) { return 1.0; }) < 1.2);
  CHECK(looseness([](Index k) { return k % 64 == 0 ? 1000.0 : 1.0; }, [](Index) { return 1.0; }) <
        2);  // outlier channels: the weights
  CHECK(looseness([](Index k) { return k < 2048 ? 1.0 : 0x1p-20; }, [](Index k) { return k < 2048 ? 0x1p-20 : 1.0; }) <
        1.3);  // disjoint halves: the chunks
}
