#include "assay/kernels/softmax/softmax.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/faults/softmax_faults.hpp"
#include "kernels/block_verdicts.hpp"
#include "kernels/near_references.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

namespace {

template <class T>
SoftmaxProblem problem_of_rows(Index rows, Index length) {
  SoftmaxProblem problem;
  problem.outer = rows;
  problem.length = length;
  problem.input = element_format<T>();
  return problem;
}

}  // namespace

TEST_CASE("right softmax kernels are not accused") {
  testing::require_correct_kernels_pass<Softmax>(0.1);
}

TEST_CASE("every fault of a softmax is caught by its default suite") {
  testing::require_faults_are_caught<Softmax>({"flushed_input"});
}

TEST_CASE("a device's references of a softmax judge kernels as the host's do") {
  testing::require_same_verdicts_by_blocks<Softmax>(11);
}

TEST_CASE("the reference of a softmax is the definition") {
  Host host(1);
  auto stream = host.make_stream();
  SoftmaxProblem problem;
  problem.length = 3;
  float x[] = {1, 2, 4};
  OperandArray operands;
  operands[Softmax::input] = contiguous_operand(x, {1, 3});
  for (const bool logarithm : {false, true}) {
    problem.logarithm = logarithm;
    const auto reference =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    const double sum = std::exp(1.0) + std::exp(2.0) + std::exp(4.0);
    for (Index i = 0; i < 3; ++i) {
      const ExpectedElement element = reference.value().expected(0, i);
      const double y = std::exp(static_cast<double>(x[i])) / sum;
      CHECK(element.value == Approx(logarithm ? std::log(y) : y).epsilon(1e-14));
      CHECK(element.error > 0);
      CHECK(element.error < 1e-5);
    }
  }
}

TEST_CASE("whole blocks of a softmax's reference are its elements") {
  Host host(1);
  auto stream = host.make_stream();
  std::vector<bfloat16> x;
  for (int i = 0; i < 3 * 1003; ++i) x.push_back(encode<bfloat16>(9 * std::sin(0.7 * i * i)));
  x[5] = encode<bfloat16>(-1e30);
  x[2006 + 7] = encode<bfloat16>(-INFINITY);
  OperandArray operands;
  operands[Softmax::input] = contiguous_operand(x.data(), {3, 1003});
  for (const bool logarithm : {false, true})
    for (const double temperature : {1.0, 1.7}) {
      SoftmaxProblem problem;
      problem.outer = 3;
      problem.length = 1003;
      problem.logarithm = logarithm;
      problem.temperature = temperature;
      problem.input = element_format<bfloat16>();
      const auto reference =
          Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
      REQUIRE(reference);
      const SoftmaxExpected& expected = reference.value().expected;
      double value[512], error[512];
      for (Index row = 0; row < 3; ++row) {
        long double sum = 0, spread = 0;
        const double maximum = expected.rows[row].maximum;
        for (Index j = 0; j < 1003; ++j) {
          const double z = expected.scaled(row * 1003 + j);
          const long double power = std::exp(static_cast<long double>(z - maximum));
          sum += power;
          if (std::isfinite(z)) spread += power * (maximum - z + (temperature == 1 ? 0 : std::abs(z)));
        }
        CHECK(expected.rows[row].sum == Approx(static_cast<double>(sum)).epsilon(1e-14));
        const double deviation =
            2 * expected.bound.unit * static_cast<double>(spread / sum) + expected.bound.function_error;
        CHECK(expected.rows[row].deviation >= deviation);
        CHECK(expected.rows[row].deviation <= 2.5 * deviation);
        for (const Index first : {0, 1, 491, 1000}) {
          const Index count = std::min<Index>(512, 1003 - first);
          expected.expected_block(row, first, count, value, error);
          for (Index column = 0; column < count; ++column) {
            const ExpectedElement element = expected(row, first + column);
            const bool same =
                value[column] == Approx(element.value).epsilon(1e-14).margin(1e-300) || value[column] == element.value;
            CHECK(same);
            CHECK(error[column] == Approx(element.error).epsilon(1e-8));
          }
        }
      }
    }
}

TEST_CASE("what a row's distances from its maximum come to is bounded by its sum", "[softmax]") {
  const auto check = [](const std::vector<double>& z, double temperature, double most) {
    SoftmaxProblem problem;
    problem.length = static_cast<Index>(z.size());
    problem.temperature = temperature;
    SoftmaxExpected expected;
    expected.problem = problem;
    expected.bound = SoftmaxBound::of(problem, RoundingModel::statistical, Arithmetic{});
    const double maximum = *std::max_element(z.begin(), z.end());
    double sum = 0, distances = 0, magnitudes = 0;
    for (const double element : z) {
      const double power = std::exp(element - maximum);
      sum += power;
      if (power > 0) distances += power * (maximum - element);
      if (power > 0) magnitudes += power * std::fabs(element);
    }
    const double exact = 2 * expected.bound.unit * (distances + (temperature == 1 ? 0 : magnitudes)) / sum +
                         expected.bound.function_error;
    CAPTURE(z.size(), maximum, sum, temperature);
    CHECK(expected.deviation_of(maximum, sum) >= exact * (1 - 1e-12));
    CHECK(expected.deviation_of(maximum, sum) <= most * exact);
  };
  check({3}, 1, 1.0001);
  check({3, -INFINITY}, 1, 1.0001);
  for (const Index length : {2, 5, 1000, 30000})
    for (const double distance : {0.0, 1e-9, 0.5, 3.0, 40.0, 800.0}) {
      std::vector<double> z(static_cast<std::size_t>(length), 2 - distance);
      z[static_cast<std::size_t>(length / 2)] = 2;
      check(z, 1, 1.0001);  // all others equally far: exact
      check(z, 0.5, 3.5);
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = -distance * static_cast<double>(i % 997) / 997;
      check(z, 1, 2.5);
      check(z, 2, 3.5);
      if (length > 2) z[1] = -INFINITY;
      check(z, 1, 2.5);
    }
}

TEST_CASE("a softmax in single precision, or in pairs, is as near as it says", "[softmax]") {
  const bool tells_pairs = detail::has_pair_exponential && instruction_set() != InstructionSet::baseline;
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index rows = 6, length = 1003;
  const auto check = [&]<class T>(T) {
    std::vector<T> x;
    for (Index i = 0; i < rows * length; ++i) {
      const double wave = std::sin(0.7 * static_cast<double>(i * i));
      const double of_row[] = {wave, 9 * wave, 36 * wave, 3, 500 + 2 * wave, 35 * (wave - 1)};
      x.push_back(encode<T>(of_row[i / length]));
    }
    OperandArray operands;
    operands[Softmax::input] = contiguous_operand(x.data(), {rows, length});
    for (const bool logarithm : {false, true})
      for (const auto& arithmetic : {Arithmetic{}, arithmetic_in<bfloat16>(), arithmetic_in<float64>()}) {
        SoftmaxProblem problem = problem_of_rows<T>(rows, length);
        problem.logarithm = logarithm;
        const auto reference =
            Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
        REQUIRE(reference);
        const auto found = testing::near_references(reference.value().expected, rows, length);
        INFO(FormatTraits<T>::name() << ", logarithm " << logarithm << ", unit roundoff "
                                     << arithmetic.unit_roundoff());
        if (arithmetic.unit_roundoff() == 0x1p-24) {
          CHECK(found.refused == 0);
          CHECK(found.unknown == 0);
          CHECK(found.worst > 0.1);
        }
        const auto pairs = testing::paired_references(reference.value().expected, rows, length);
        if (!tells_pairs || !std::is_same_v<T, float32>) {
          CHECK(pairs.told == 0);
        } else if (arithmetic.unit_roundoff() == 0x1p-24) {
          CHECK(pairs.refused == (logarithm ? 0 : 15));  // three rows reach farther than exponentials of pairs do
          CHECK(pairs.unknown == 0);
          CHECK(pairs.worst > 0.02);
        }
        problem.temperature = 2;
        const auto warm =
            Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
        CHECK(testing::near_references(warm.value().expected, rows, length).told == 0);
        CHECK(testing::paired_references(warm.value().expected, rows, length).told == 0);
      }
    x[7] = encode<T>(-INFINITY);
    x[length + 7] = encode<T>(NAN);
    SoftmaxProblem problem = problem_of_rows<T>(rows, length);
    const auto special =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    CHECK(testing::near_references(special.value().expected, 2, length).told == 0);
    CHECK(testing::paired_references(special.value().expected, 2, length).told == 0);
  };
  check(float32{});
  check(bfloat16{});
  check(float16{});
}

TEST_CASE("a softmax tells nothing of rows by a table whose factor is no normal single", "[softmax]") {
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index rows = 3, length = 5003;
  const auto check = [&]<class T>(T) {
    std::vector<T> x;
    for (Index i = 0; i < rows * length; ++i) {
      const double wave = std::sin(0.7 * static_cast<double>(i * i));
      const double of_row[] = {79.5 + 0.1 * wave, 70 - 20 * std::fabs(wave),
                               0.1 * wave - 79.5};  // e^−79.5/5003 < 2^−126
      x.push_back(encode<T>(of_row[i / length]));
    }
    OperandArray operands;
    operands[Softmax::input] = contiguous_operand(x.data(), {rows, length});
    SoftmaxProblem problem = problem_of_rows<T>(rows, length);
    const auto reference =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    INFO(FormatTraits<T>::name());
    CHECK(testing::near_references(reference.value().expected, rows, length).refused == 0);
    const auto pairs = testing::paired_references(reference.value().expected, rows, length);
    const bool tells_pairs =
        std::is_same_v<T, float32> && detail::has_pair_exponential && instruction_set() != InstructionSet::baseline;
    CHECK(pairs.refused == (tells_pairs ? 5 : 15));  // five blocks are asked of a row
  };
  check(float32{});
  check(bfloat16{});
}

TEST_CASE("a softmax of singles is judged beside pairs as beside its references", "[softmax]") {
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index rows = 40, length = 3001;
  std::vector<float> x(rows * length), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(6 * std::sin(0.7 * static_cast<double>(i * i)));
  OperandArray operands;
  operands[Softmax::input] = contiguous_operand(x.data(), {rows, length});
  for (const bool logarithm : {false, true}) {
    for (std::size_t row = 0; row < rows; ++row) {
      const float* const from = x.data() + row * length;
      float most = from[0], sum = 0;
      for (std::size_t i = 0; i < length; ++i) most = std::fmax(most, from[i]);
      for (std::size_t i = 0; i < length; ++i) sum += std::exp(from[i] - most);
      for (std::size_t i = 0; i < length; ++i)
        y[row * length + i] = logarithm ? (from[i] - most) - std::log(sum) : std::exp(from[i] - most) / sum;
    }
    SoftmaxProblem problem;
    problem.outer = rows;
    problem.length = length;
    problem.logarithm = logarithm;
    const auto reference =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    INFO("logarithm " << logarithm);
    testing::judge_beside_pairs(reference.value().expected, y, rows, length);
  }
}

TEST_CASE("rows summed by a table of all codes are what sums of exponentials make of them", "[softmax]") {
  Host host(2);
  auto stream = host.make_stream();
  constexpr Index rows = 2051, length = 1027;  // enough for a table, and a rest of each
  const auto check = [&]<class T>(T) {
    std::vector<T> x;
    for (Index i = 0; i < rows * length; ++i)
      x.push_back(encode<T>(static_cast<double>(i % 977 - 488) * static_cast<double>(i / length % 7) * 0.01));
    const auto put = [&](Index row, double value, Index column = 300) {
      x[static_cast<std::size_t>(row * length + column)] = encode<T>(value);
    };
    put(0, NAN);
    put(1, -INFINITY);
    put(2, INFINITY);
    put(3, 320);  // beyond the table
    put(4, -30000);
    for (Index i = 5 * length; i < 6 * length; ++i)
      x[static_cast<std::size_t>(i)] = encode<T>(-299.5 - static_cast<double>(i % 3));
    put(6, -0.0);
    put(7, 3, length - 1);
    put(1000, -40, length - 1);
    OperandArray operands;
    operands[Softmax::input] = contiguous_operand(x.data(), {rows, length});
    SoftmaxProblem problem = problem_of_rows<T>(rows, length);
    const auto reference =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    const SoftmaxExpected& expected = reference.value().expected;
    const auto table = detail::SoftmaxPowerTable::of(expected);
    REQUIRE(table.ready());
    for (const Index row :
         {Index{0}, Index{1}, Index{2}, Index{3}, Index{4}, Index{5}, Index{6}, Index{7}, Index{1000}, rows - 1}) {
      const SoftmaxRow found = expected.rows[row], due = expected.row_of(row, 0);
      INFO(FormatTraits<T>::name() << ", row " << row);
      CHECK((found.maximum == due.maximum || (is_nan(found.maximum) && is_nan(due.maximum))));
      CHECK(found.sum == Approx(due.sum).epsilon(1e-13));
      CHECK(found.deviation == Approx(due.deviation).epsilon(1e-6));
      CHECK(found.range == due.range);
      CHECK(found.least == due.least);
      SoftmaxRow by_table;
      CHECK(table.row_of(expected, row, by_table) == (row > 3));
    }
    problem.outer = 16;
    const auto few =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    CHECK_FALSE(detail::SoftmaxPowerTable::of(few.value().expected).ready());
  };
  check(bfloat16{});
  check(float16{});
}

TEST_CASE("of logarithms beyond the accumulator's numbers nothing is known, nor of rows whose maximum is beyond them") {
  Host host(1);
  auto stream = host.make_stream();
  float x[] = {60000, -60000, 59000, 0, 70000, 1, 2, 3};
  OperandArray operands;
  operands[Softmax::input] = contiguous_operand(x, {2, 4});
  SoftmaxProblem problem;
  problem.outer = 2;
  problem.length = 4;
  const auto known = [&](Index row, Index column, const Arithmetic& arithmetic) {
    const auto reference =
        Softmax::reference(host, stream.value(), problem, operands, RoundingModel::worst_case, arithmetic);
    REQUIRE(reference);
    double value, error;
    reference.value().expected.expected_block(row, column, 1, &value, &error);
    const ExpectedElement element = reference.value().expected(row, column);
    CHECK(element.error == error);
    return is_finite(error);
  };
  const Arithmetic half = arithmetic_in<float16>();
  for (const bool logarithm : {false, true}) {
    problem.logarithm = logarithm;
    CHECK(known(0, 0, half));
    CHECK(known(0, 1, half) == !logarithm);  // -60000 - 60000 overflows, and its exponential is 0 all the same
    CHECK(known(0, 2, half));
    CHECK_FALSE(known(1, 0, half));
    CHECK_FALSE(known(1, 1, half));
    for (Index column = 0; column < 4; ++column) CHECK(known(column / 2, column, Arithmetic{}));
  }
  problem.logarithm = true;
  problem.input = problem.output =
      element_format<float16>();  // who stores halves need not be told of overflow: outputs overflow, too
  float16 y[] = {encode<float16>(60000), encode<float16>(-60000), encode<float16>(59000), float16{}, {}, {}, {}, {}};
  operands[Softmax::input] = contiguous_operand(y, {2, 4});
  CHECK(known(0, 1, half));
}

TEST_CASE("problems of a softmax that cannot be are refused") {
  SoftmaxProblem problem;
  SECTION("negative extent") {
    problem.length = -1;
    testing::require_refused<Softmax>(problem, "length");
  }
  SECTION("extents that overflow") {
    problem.outer = problem.inner = Index{1} << 40;
    testing::require_refused<Softmax>(problem, "inner");
  }
  SECTION("temperature") {
    problem.temperature = 0;
    testing::require_refused<Softmax>(problem, "temperature");
  }
  SECTION("format") {
    problem.output = element_format<std::int8_t>();
    testing::require_refused<Softmax>(problem, "output");
  }
}
