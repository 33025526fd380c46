#include "assay/kernels/normalization/normalization.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "assay/faults/normalization_faults.hpp"
#include "kernels/block_verdicts.hpp"
#include "kernels/near_references.hpp"
#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("right normalization kernels are not accused") {
  testing::require_correct_kernels_pass<Normalization>(0.5);
}

TEST_CASE("every fault of a normalization is caught by its default suite") {
  testing::require_faults_are_caught<Normalization>();
}

TEST_CASE("a device's references of a normalization judge kernels as the host's do") {
  testing::require_same_verdicts_by_blocks<Normalization>(11);
}

namespace {

/// y of the definition, in long double.
std::vector<long double> definition(const std::vector<float>& x, bool centered, double epsilon) {
  long double mean = 0, squares = 0;
  for (const float value : x) mean += value;
  mean = centered ? mean / static_cast<long double>(x.size()) : 0;
  for (const float value : x) squares += (value - mean) * (value - mean);
  const long double root = std::sqrt(squares / static_cast<long double>(x.size()) + static_cast<long double>(epsilon));
  std::vector<long double> y;
  for (const float value : x) y.push_back((value - mean) / root);
  return y;
}

}  // namespace

TEST_CASE("the reference of a normalization is the definition") {
  Host host(1);
  auto stream = host.make_stream();
  std::vector<float> x{10001, 10002, 10004, 9998, 10000, 10003}, gamma{1, 2, 3, 4, 5, 6}, beta{6, 5, 4, 3, 2, 1};
  float mean = 10000, variance = 4;
  OperandArray operands;
  NormalizationProblem problem;
  problem.channels = 6;
  operands[Normalization::input] = contiguous_operand(x.data(), {1, 6});
  operands[Normalization::gamma] = contiguous_operand(gamma.data(), {6});
  operands[Normalization::beta] = contiguous_operand(beta.data(), {6});
  const auto element = [&](Index row, Index column) {
    const auto reference =
        Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    return reference.value().expected(row, column);
  };
  const auto check_element = [&](Index row, Index column, long double y) {
    const ExpectedElement found = element(row, column);
    CHECK(found.value == Approx(static_cast<double>(y)).epsilon(1e-11));
    CHECK(found.error > 0);
    CHECK(found.error < 0.05);  // the mean is 5000 deviations
  };
  SECTION("layer and rms") {
    for (const auto kind : {NormalizationKind::layer, NormalizationKind::rms}) {
      problem.kind = kind;
      const auto y = definition(x, problem.centered(), problem.epsilon);
      for (std::size_t i = 0; i < 6; ++i)
        check_element(0, static_cast<Index>(i),
                      y[i] * static_cast<long double>(gamma[i]) + static_cast<long double>(beta[i]));
    }
  }
  SECTION("group") {
    problem.kind = NormalizationKind::group;
    problem.channels = 2;
    problem.inner = 3;
    problem.groups = 2;
    operands[Normalization::input] = contiguous_operand(x.data(), {1, 2, 3});
    const auto first = definition({x[0], x[1], x[2]}, true, problem.epsilon),
               second = definition({x[3], x[4], x[5]}, true, problem.epsilon);
    for (std::size_t i = 0; i < 3; ++i) {
      check_element(0, static_cast<Index>(i), first[i] * 1 + 6);
      check_element(1, static_cast<Index>(i), second[i] * 2 + 5);
    }
  }
  SECTION("batch") {
    problem.kind = NormalizationKind::batch;
    problem.outer = 6;
    problem.channels = 1;
    operands[Normalization::input] = contiguous_operand(x.data(), {6, 1});
    operands[Normalization::mean] = contiguous_operand(&mean, {1});
    operands[Normalization::variance] = contiguous_operand(&variance, {1});
    for (std::size_t i = 0; i < 6; ++i)
      check_element(
          static_cast<Index>(i), 0,
          (static_cast<long double>(x[i]) - 10000) / std::sqrt(4 + static_cast<long double>(problem.epsilon)) + 6);
  }
}

TEST_CASE("whole blocks of a normalization's reference are its elements") {
  Host host(1);
  auto stream = host.make_stream();
  std::vector<float> x, parameters;
  for (int i = 0; i < 2 * 12 * 61; ++i) x.push_back(static_cast<float>(100 + std::sin(0.7 * i * i)));
  for (int i = 0; i < 12 * 61; ++i) parameters.push_back(static_cast<float>(1.5 + std::cos(i)));
  for (const auto kind :
       {NormalizationKind::layer, NormalizationKind::rms, NormalizationKind::group, NormalizationKind::batch}) {
    NormalizationProblem problem;
    problem.kind = kind;
    problem.outer = 2;
    const bool flat = kind == NormalizationKind::layer || kind == NormalizationKind::rms;
    problem.channels = flat ? 12 * 61 : 12;
    problem.inner = flat ? 1 : 61;
    problem.groups = kind == NormalizationKind::group ? 3 : 1;
    problem.gamma = kind != NormalizationKind::group;
    OperandArray operands;
    operands[Normalization::input] =
        flat ? contiguous_operand(x.data(), {2, 12 * 61}) : contiguous_operand(x.data(), {2, 12, 61});
    for (const auto position :
         {Normalization::gamma, Normalization::beta, Normalization::mean, Normalization::variance})
      operands[position] = contiguous_operand(parameters.data(), {problem.channels});
    const auto reference =
        Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    double value[61], error[61];
    for (Index row = 0; row < (flat ? 2 : 24); ++row)
      for (const Index first : {0, 3, 57}) {
        reference.value().expected.expected_block(row, first, 61 - first, value, error);
        for (Index column = 0; column < 61 - first; ++column) {
          const ExpectedElement element = reference.value().expected(row, first + column);
          CHECK(value[column] == Approx(element.value).epsilon(1e-13));
          CHECK(error[column] == Approx(element.error).epsilon(1e-13));
        }
      }
  }
}

TEST_CASE("mean and variance of a lane are exact however they are had") {
  Host host(1);
  auto stream = host.make_stream();
  const double infinity = INFINITY;
  // the first elements near the mean of all, far from it, and special
  enum class Lane { even, drifting, stepped, constant, vast, with_infinity, with_nan, infinite_first };
  for (const auto lane : {Lane::even, Lane::drifting, Lane::stepped, Lane::constant, Lane::vast, Lane::with_infinity,
                          Lane::with_nan, Lane::infinite_first})
    for (const Index length : {Index{5}, Index{1023}, Index{1024}, Index{5000}}) {
      std::vector<float> x;
      for (Index i = 0; i < length; ++i) {
        const double wave = std::sin(0.7 * static_cast<double>(i * i)),
                     at = static_cast<double>(i) / static_cast<double>(length);
        const double of_lane[] = {wave, 100 * at + wave, at < 0.5 ? 1e6 + wave : wave, 0.1, 3e38 * wave, wave, wave,
                                  wave};
        x.push_back(static_cast<float>(of_lane[static_cast<int>(lane)]));
      }
      if (lane == Lane::with_infinity) x.back() = static_cast<float>(-infinity);
      if (lane == Lane::with_nan) x[3] = NAN;
      if (lane == Lane::infinite_first) x[0] = static_cast<float>(infinity);
      NormalizationProblem problem;
      problem.channels = length;
      problem.gamma = problem.beta = false;
      OperandArray operands;
      operands[Normalization::input] = contiguous_operand(x.data(), {1, length});
      const auto reference =
          Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
      REQUIRE(reference);
      const NormalizationRow& row = reference.value().expected.rows[0];
      long double mean = 0, squares = 0;
      for (const float value : x) mean += value;
      mean /= static_cast<long double>(length);
      for (const float value : x) squares += (value - mean) * (value - mean);
      const auto variance = static_cast<double>(squares / static_cast<long double>(length));
      INFO(static_cast<int>(lane) << ", " << length);
      if (std::isfinite(static_cast<double>(mean))) {
        CHECK(row.mean == Approx(static_cast<double>(mean)).epsilon(1e-13).margin(1e-14 * std::sqrt(variance)));
        CHECK(row.variance == Approx(variance).epsilon(1e-12).margin(1e-28));
        CHECK(row.variance >= 0);
      } else {
        CHECK((row.mean == static_cast<double>(mean) || (is_nan(row.mean) && is_nan(static_cast<double>(mean)))));
        CHECK(is_nan(row.variance));
      }
    }
}

TEST_CASE("a normalization of singles is judged beside pairs as beside its references") {
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index rows = 40, channels = 3001;
  std::vector<float> x(rows * channels), y(x.size()), scales, shifts;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(3 + std::sin(0.7 * static_cast<double>(i * i)));
  for (Index i = 0; i < channels; ++i) {
    scales.push_back(static_cast<float>(1.5 * std::cos(i)));
    shifts.push_back(static_cast<float>(std::cos(3 * i)));
  }
  OperandArray operands;
  operands[Normalization::input] = contiguous_operand(x.data(), {rows, channels});
  operands[Normalization::gamma] = contiguous_operand(scales.data(), {channels});
  operands[Normalization::beta] = contiguous_operand(shifts.data(), {channels});
  NormalizationProblem problem;
  problem.outer = rows;
  problem.channels = channels;
  for (const auto kind : {NormalizationKind::layer, NormalizationKind::rms}) {
    problem.kind = kind;
    problem.beta = kind == NormalizationKind::layer;
    for (std::size_t row = 0; row < rows; ++row) {
      const float* const from = x.data() + row * channels;
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < channels; ++i) sum += from[i];
      const float mean = kind == NormalizationKind::layer ? static_cast<float>(sum / channels) : 0;
      for (std::size_t i = 0; i < channels; ++i) squares += (from[i] - mean) * (from[i] - mean);
      const float inverse = 1 / std::sqrt(static_cast<float>(squares / channels) + static_cast<float>(problem.epsilon));
      for (std::size_t i = 0; i < channels; ++i)
        y[row * channels + i] = (from[i] - mean) * inverse * scales[i] + (problem.beta ? shifts[i] : 0);
    }
    const auto reference =
        Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    INFO("kind " << static_cast<int>(kind));
    testing::judge_beside_pairs(reference.value().expected, y, rows, channels);
  }
}

TEST_CASE("chances of misrounding are those of a normalization's references, where pairs are beside a power of two") {
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index rows = 40, channels = 3001;
  std::vector<float> x(rows * channels), y(x.size(), 1), ones(channels, 1);
  OperandArray operands;
  operands[Normalization::input] = contiguous_operand(x.data(), {rows, channels});
  operands[Normalization::beta] = contiguous_operand(ones.data(), {channels});
  NormalizationProblem problem;
  problem.outer = rows;
  problem.channels = channels;
  problem.gamma = false;
  for (const auto kind : {NormalizationKind::layer, NormalizationKind::rms}) {
    problem.kind = kind;
    problem.beta = kind == NormalizationKind::layer;
    problem.epsilon = kind == NormalizationKind::layer ? 1e-5 : 1e-12;
    for (std::size_t i = 0; i < x.size(); ++i)  // 1 and a little, or a little less than 1
      x[i] = problem.beta ? static_cast<float>(0x1p-34 * std::sin(0.7 * static_cast<double>(i * i))) : 2;
    const auto reference =
        Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
    REQUIRE(reference);
    INFO("kind " << static_cast<int>(kind));
    CHECK(testing::expected_misroundings(reference.value().expected, y, rows, channels) > 1);
  }
}

TEST_CASE("a normalization tells nothing in singles of rows whose parts are no normal ones") {
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index channels = 1003;
  std::vector<float> x(channels), scales(channels);
  OperandArray operands;
  operands[Normalization::input] = contiguous_operand(x.data(), {1, channels});
  operands[Normalization::gamma] = contiguous_operand(scales.data(), {channels});
  NormalizationProblem problem;
  problem.channels = channels;
  problem.beta = false;
  const bool tells_pairs = detail::has_pair_exponential && instruction_set() != InstructionSet::baseline;
  struct Refused {
    Index near, pairs;
  };
  const auto refused = [&](NormalizationKind kind, double epsilon, const Arithmetic& arithmetic) {
    problem.kind = kind;
    problem.epsilon = epsilon;
    const auto reference =
        Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
    REQUIRE(reference);
    const auto& expected = reference.value().expected;
    return Refused{testing::near_references(expected, 1, channels).refused,
                   testing::paired_references(expected, 1, channels).refused};
  };
  const auto put = [&](const auto& input, const auto& scale) {
    for (Index i = 0; i < channels; ++i) {
      x[static_cast<std::size_t>(i)] = static_cast<float>(input(i));
      scales[static_cast<std::size_t>(i)] = static_cast<float>(scale(i));
    }
  };
  using enum NormalizationKind;
  const auto wave = [](Index i) { return 1 + std::fabs(std::sin(0.7 * static_cast<double>(i * i))); };
  const auto constant = [](double value) { return [value](Index) { return value; }; };
  const auto expect_pairs = [&](Index told_of_five, Index found) {
    CHECK(found == (tells_pairs ? 5 - told_of_five : 5));
  };

  put(wave, constant(0.5));
  expect_pairs(5, refused(rms, 1e-5, Arithmetic{}).pairs);
  x[700] = 0x1p-149F;  // a product that is 0 as a single: blocks from 0 and from 490
  expect_pairs(3, refused(rms, 1e-5, Arithmetic{}).pairs);
  x[700] = 0;
  expect_pairs(5, refused(rms, 1e-5, Arithmetic{}).pairs);
  put([&](Index i) { return 0x1p50 * wave(i); },
      [](Index i) { return i == 500 ? 0x1p-101 : 1; });  // gamma over the deviation
  expect_pairs(0, refused(rms, 1e-5, Arithmetic{}).pairs);
  put([&](Index i) { return 0x1p54 * wave(i); }, constant(0x1.92ac08p-64));
  expect_pairs(0, refused(rms, 1e-5, Arithmetic{}).pairs);
  put([](Index i) { return i == 0 ? 0x1p-67 : 1 + 1e-3 * static_cast<double>(i % 9); }, constant(0x1p56));
  refused(rms, 1e-5, Arithmetic{});  // told or not, as near as is said
  put([](Index i) { return static_cast<double>(i % 2); }, constant(0x1p59));
  refused(rms, 1e-5, Arithmetic{});
  put(wave, [](Index i) { return i % 2 == 0 ? 0x1p59 : 1; });
  refused(rms, 1e-12, arithmetic_in<float64>());
  refused(layer, 1e-12, arithmetic_in<float64>());
  refused(rms, 1e-12, arithmetic_in<bfloat16>());
  put(
      [](Index i) {
        return i < 2 ? std::ldexp(1 - 2.0 * static_cast<double>(i), -44)
                     : 3 * static_cast<double>(i / 2 % 2) * 0x1p-149;
      },
      [](Index i) { return i < 2 ? 1 : 0x1p59; });
  CHECK(refused(layer, 0, arithmetic_in<float64>()).near == 5);
  put([&](Index i) { return 0x1p53 * wave(i); }, constant(1.5 * 0x1p59));
  CHECK(refused(rms, 1e83, arithmetic_in<float64>()).near == 5);
}

TEST_CASE("a normalization in single precision, or in pairs, is as near as it says") {
  const bool tells_pairs = detail::has_pair_exponential && instruction_set() != InstructionSet::baseline;
  Host host(1);
  auto stream = host.make_stream();
  constexpr Index rows = 8, channels = 1003;
  const auto check = [&]<class T>(T) {
    std::vector<T> x;
    std::vector<float> scales, shifts;
    for (Index i = 0; i < rows * channels; ++i) {
      const double wave = std::sin(0.7 * static_cast<double>(i * i)),
                   of_row[] = {wave,           9 * wave,        1e-3 * wave,       3,
                               500 + 2 * wave, 3e4 + 20 * wave, 1000 + 0.1 * wave, 4e4 + 0.3 * wave};
      x.push_back(encode<T>(of_row[i / channels]));
    }
    for (Index i = 0; i < channels; ++i) {
      scales.push_back(static_cast<float>(1.5 * std::cos(i)));
      shifts.push_back(static_cast<float>(std::cos(3 * i)));
    }
    NormalizationProblem problem;
    problem.outer = rows;
    problem.channels = channels;
    problem.input = element_format<T>();
    problem.output = element_format<bfloat16>();
    OperandArray operands;
    operands[Normalization::input] = contiguous_operand(x.data(), {rows, channels});
    operands[Normalization::gamma] = contiguous_operand(scales.data(), {channels});
    operands[Normalization::beta] = contiguous_operand(shifts.data(), {channels});
    const auto near = [&](const Arithmetic& arithmetic) {
      const auto reference =
          Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
      REQUIRE(reference);
      return testing::near_references(reference.value().expected, rows, channels);
    };
    const auto pairs = [&](const Arithmetic& arithmetic) {
      const auto reference =
          Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, arithmetic);
      REQUIRE(reference);
      return testing::paired_references(reference.value().expected, rows, channels);
    };
    for (const auto kind : {NormalizationKind::layer, NormalizationKind::rms})
      for (const bool gamma : {false, true})
        for (const bool beta : {false, true}) {
          problem.kind = kind;
          problem.gamma = gamma;
          problem.beta = beta;
          INFO(FormatTraits<T>::name() << ", kind " << static_cast<int>(kind) << ", gamma " << gamma << ", beta "
                                       << beta);
          const auto found = near(Arithmetic{});
          CHECK(found.refused == 0);
          CHECK(found.unknown == 0);
          CHECK(found.worst > 0.1);
          const auto paired = pairs(Arithmetic{});
          if (tells_pairs && std::is_same_v<T, float32>) {
            CHECK(paired.refused == 0);
            CHECK(paired.unknown == 0);
            CHECK(paired.worst > 0.001);
          } else {
            CHECK(paired.told == 0);
          }
          pairs(arithmetic_in<bfloat16>());
          near(arithmetic_in<bfloat16>());
          near(arithmetic_in<float64>());
        }
    scales[900] = INFINITY;
    CHECK(near(Arithmetic{}).told == 0);
    scales[900] = 1;
    problem.output = element_format<float64>();  // of which no approximation is asked
    CHECK(near(Arithmetic{}).told == 0);
    problem.output = element_format<bfloat16>();
    x[3] = encode<T>(NAN);
    CHECK(near(Arithmetic{}).refused == 5);
    if (tells_pairs && std::is_same_v<T, float32>) CHECK(pairs(Arithmetic{}).refused == 5);
    problem.kind = NormalizationKind::group;
    problem.groups = 17;
    CHECK(near(Arithmetic{}).told == 0);
  };
  check(float32{});
  check(bfloat16{});
  check(float16{});
}

TEST_CASE("a contract of the variance widens the bound of large means, no other") {
  Host host(1);
  auto stream = host.make_stream();
  for (const float offset : {0.0F, 4096.0F}) {
    std::vector<float> x;
    for (int i = 0; i < 64; ++i) x.push_back(offset + static_cast<float>(i % 7) - 3);
    OperandArray operands;
    operands[Normalization::input] = contiguous_operand(x.data(), {1, 64});
    NormalizationProblem problem;
    problem.channels = 64;
    problem.gamma = problem.beta = false;
    std::vector<double> errors;
    for (const auto algorithm :
         {VarianceAlgorithm::two_pass, VarianceAlgorithm::welford, VarianceAlgorithm::one_pass}) {
      problem.variance = algorithm;
      const auto reference =
          Normalization::reference(host, stream.value(), problem, operands, RoundingModel::statistical, Arithmetic{});
      REQUIRE(reference);
      errors.push_back(reference.value().expected(0, 0).error);
    }
    if (offset == 0) {
      CHECK(errors[1] < 4 * errors[0]);
      CHECK(errors[2] < 4 * errors[0]);
    } else {
      CHECK(errors[2] > 100 * errors[0]);
      CHECK(errors[2] > 10 * errors[1]);
    }
  }
}

TEST_CASE("problems of a normalization that cannot be are refused") {
  NormalizationProblem problem;
  problem.channels = 12;
  SECTION("negative extent") {
    problem.channels = -1;
    testing::require_refused<Normalization>(problem, "channels");
  }
  SECTION("inner of a layer") {
    problem.inner = 2;
    testing::require_refused<Normalization>(problem, "inner");
  }
  SECTION("groups that do not divide") {
    problem.kind = NormalizationKind::group;
    problem.groups = 5;
    testing::require_refused<Normalization>(problem, "groups");
  }
  SECTION("no groups") {
    problem.groups = 0;
    testing::require_refused<Normalization>(problem, "groups");
  }
  SECTION("epsilon") {
    problem.epsilon = -1;
    testing::require_refused<Normalization>(problem, "epsilon");
  }
  SECTION("statistics of a batch") {
    problem.kind = NormalizationKind::batch;
    problem.saved = SavedStatistics::variance;
    testing::require_refused<Normalization>(problem, "saved");
  }
  SECTION("variance of rms") {
    problem.kind = NormalizationKind::rms;
    problem.variance = VarianceAlgorithm::one_pass;
    testing::require_refused<Normalization>(problem, "variance");
  }
  SECTION("format") {
    problem.parameters = element_format<std::int8_t>();
    testing::require_refused<Normalization>(problem, "parameters");
  }
}
