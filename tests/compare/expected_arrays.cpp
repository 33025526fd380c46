#include "assay/compare/expected_arrays.hpp"

#include "assay/compare/expected_values.hpp"
#include "compare/paths.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("arrays of references and bounds give their elements, row by row", "[compare]") {
  const double value[] = {1, 2, 3, 4, 5, 6}, error[] = {.1, .2, .3, .4, .5, .6};
  const ExpectedArrays arrays{value, error, 3};
  CHECK(arrays(1, 2).value == 6);
  CHECK(arrays(1, 2).error == .6);
  CHECK(arrays.expected_row(1)[0].value == 4);
  const ExpectedArrays uniform{value, nullptr, 2, .7};
  CHECK(uniform(2, 1).value == 6);
  CHECK(uniform(2, 1).error == .7);
  static_assert(RowExpectation<ExpectedArrays>);
}

TEMPLATE_TEST_CASE("on vectors arrays compare as they do one by one", "[compare]", float32, bfloat16, float16,
                   float64) {
  unsigned seed = 100;
  for (Hard kind : all_hard)
    for (const auto& [rows, columns] :
         {std::pair<Index, Index>{1, 1}, {3, 7}, {5, 8}, {40, 13}, {7, 131}, {66, 70}, {2, 1500}}) {
      const HardData<TestType> data(kind, rows, columns, ++seed);
      const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
      INFO("kind " << static_cast<int>(kind));
      for (const ChosenTolerance& tolerance : tolerances())
        check_paths(view, ExpectedArrays{data.value.data(), data.error.data(), columns}, tolerance);
      check_paths(view, ExpectedArrays{data.value.data(), nullptr, columns, 0x1p-9}, DerivedTolerance{});
    }
}

TEMPLATE_TEST_CASE("what a sample of many rows foretells changes no finding", "[compare]", float32, bfloat16, float16) {
  // Bands of 20, 72 and 16 rows; tiles of 225 columns have whole steps. A kind of data takes one shape: all take minutes.
  constexpr std::pair<Index, Index> shapes[] = {{1100, 33}, {4400, 9}, {769, 225}};
  unsigned seed = 900;
  for (Hard kind : all_hard) {
    const auto& [rows, columns] = shapes[(static_cast<std::size_t>(kind) + sizeof(TestType)) % std::size(shapes)];
    const HardData<TestType> data(kind, rows, columns, ++seed);
    const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
    INFO("kind " << static_cast<int>(kind));
    for (const char* tolerance : {"derived", "ulps=3", "atol=0.01,rtol=0.02", "rtol=1e-3"}) {
      check_paths(view, ExpectedArrays{data.value.data(), data.error.data(), columns},
                  tolerance_named(tolerance).value(), 2);
      check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns}, tolerance_named(tolerance).value(), 2);
    }
  }
}

TEMPLATE_TEST_CASE("on vectors sums of stored numbers, full of ties and zeros, compare as they do one by one",
                   "[compare]", float32, bfloat16, float16) {
  std::mt19937_64 random(5);
  for (const int change : {0, 1, 2, 3})
    for (const auto& [rows, columns] : {std::pair<Index, Index>{3, 700}, {1100, 140}}) {
      std::vector<TestType> actual(static_cast<std::size_t>(rows * columns));
      std::vector<double> value(actual.size()), error(actual.size());
      for (std::size_t i = 0; i < actual.size(); ++i) {
        const auto stored = [&] {
          return decode(encode<TestType>(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-61));
        };
        value[i] = random() % 4 == 0 ? 0 : stored() + stored();
        if (change == 1 && random() % 500 == 0)
          value[i] += std::ldexp(value[i], -30 - static_cast<int>(random() % 20));  // beside a tie
        if (change == 2 && random() % 500 == 0)
          value[i] = min_subnormal<TestType>() * static_cast<double>(random() % 9) * 0.5;
        error[i] = std::fabs(value[i]) * 0x1p-24;
        actual[i] = encode<TestType>(value[i]);
        if (change == 3 && random() % 2000 == 0)
          actual[i] = value[i] == 0 ? encode<TestType>(-0.0) : next_up(actual[i]);
      }
      const auto view = contiguous_view<const TestType, 2>(actual.data(), {rows, columns});
      INFO("change " << change);
      check_paths(view, ExpectedArrays{value.data(), nullptr, columns, 0}, DerivedTolerance{}, 2);
      check_paths(view, ExpectedArrays{value.data(), error.data(), columns}, DerivedTolerance{}, 2);
    }
}

TEMPLATE_TEST_CASE("on vectors tiny outputs beside references that are 0 or as tiny compare as they do one by one",
                   "[compare]", float32, bfloat16, float16) {
  std::mt19937_64 random(17);
  for (const double bound : {0.0, 0x1p-140, 0x1p-110, 0x1p-50})
    for (const std::uint64_t spots : {30U, 700U})
      for (const bool zeros : {true, false}) {
        const Index rows = 40, columns = 600;
        std::vector<TestType> actual(static_cast<std::size_t>(rows * columns));
        std::vector<double> value(actual.size()), error(actual.size(), bound);
        for (std::size_t i = 0; i < actual.size(); ++i) {
          const double ordinary = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-62;
          value[i] = zeros && random() % 2 == 0 ? 0 : ordinary;
          actual[i] = encode<TestType>(value[i]);
          if (random() % spots != 0) continue;
          const double tiny = std::ldexp(random() % 2 == 0 ? 1.5 : -1.0, -50 - static_cast<int>(random() % 100));
          if (random() % 3 != 0) value[i] = random() % 2 == 0 ? 0 : tiny;
          actual[i] = encode<TestType>(tiny);
        }
        const auto view = contiguous_view<const TestType, 2>(actual.data(), {rows, columns});
        INFO("bound " << bound << ", one spot in " << spots);
        check_paths(view, ExpectedArrays{value.data(), error.data(), columns}, DerivedTolerance{}, 2);
        check_paths(view, ExpectedArrays{value.data(), nullptr, columns, bound}, DerivedTolerance{}, 2);
        check_paths(view, ExpectedArrays{value.data(), error.data(), columns},
                    tolerance_named("atol=0.01,rtol=0.02").value(), 2);
      }
}

TEMPLATE_TEST_CASE("on vectors outputs that are their references, but for a few, compare as they do one by one",
                   "[compare]", float32, bfloat16, float16) {
  std::mt19937_64 random(11);
  for (const double scale :
       {1.0, 1.5 * std::sqrt(min_subnormal<TestType>()), 64 * min_subnormal<TestType>(), max_finite<TestType>() / 9})
    for (const std::uint64_t spots : {0U, 100U, 1500U})
      for (const auto& [rows, columns] : {std::pair<Index, Index>{2, 3000}, {900, 140}}) {
        std::vector<TestType> actual(static_cast<std::size_t>(rows * columns));
        std::vector<double> value(actual.size());
        for (std::size_t i = 0; i < actual.size(); ++i) {
          const double drawn = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-60 * scale;
          actual[i] = encode<TestType>(random() % 3 == 0 ? 0 : drawn);
          value[i] = decode(actual[i]);
          if (spots == 0 || random() % spots != 0) continue;
          switch (random() % 6) {
            case 0: actual[i] = encode<TestType>(-0.0); break;
            case 1: actual[i] = next_up(actual[i]); break;
            case 2: value[i] *= 1 + 0x1p-50; break;
            case 3: value[i] = std::nan(""); break;
            case 4: actual[i] = encode<TestType>(value[i] = -infinite); break;
            case 5: actual[i] = encode<TestType>(value[i] = std::nan("")); break;
          }
        }
        INFO("scale " << scale << ", spots " << spots);
        check_paths(contiguous_view<const TestType, 2>(actual.data(), {rows, columns}),
                    ExpectedArrays{value.data(), nullptr, columns, 0}, DerivedTolerance{}, 2);
      }
}

TEMPLATE_TEST_CASE("wherever a pair that is not finite stands, it agrees with its reference or is wrong alone",
                   "[compare]", float32, bfloat16, float16) {
  for (const PairOfCodes& pair : special_pairs<TestType>) {
    const HardData<TestType> data = one_pair_a_column<TestType>(pair);
    const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {data.rows, data.columns});
    check_paths(view, ExpectedArrays{data.value.data(), data.error.data(), data.columns}, ChosenTolerance{});
    check_paths(view, ExpectedArrays{data.value.data(), data.error.data(), data.columns},
                tolerance_named("atol=1,rtol=0.02").value());
  }
}

TEST_CASE("on vectors error bounds that singles cannot hold count about references of zero", "[compare]") {
  const Index rows = 8, columns = 256;
  std::vector<float> actual(static_cast<std::size_t>(rows * columns));
  std::vector<double> value(actual.size()), error(actual.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool zero = i % 3 == 1;
    value[i] = actual[i] = zero ? 0.0F : 1.0F + static_cast<float>(i % 7);
    error[i] = zero ? 0x1p-150 : 0x1p-40;
  }
  check_paths(contiguous_view<const float, 2>(actual.data(), {rows, columns}),
              ExpectedArrays{value.data(), error.data(), columns}, DerivedTolerance{});
}
