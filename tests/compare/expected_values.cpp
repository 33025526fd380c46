#include "assay/compare/expected_values.hpp"

#include "compare/paths.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("stored values give their elements, row by row", "[compare]") {
  const float value[] = {1, 2, 3, 4, 5, 6};
  const ExpectedValues<float> values{value, 3, .5};
  CHECK(values(1, 2).value == 6);
  CHECK(values(1, 2).error == .5);
  CHECK(values.expected_row(1)[0].value == 4);
  CHECK(values.expected_row(1)[0].error == .5);
  static_assert(RowExpectation<ExpectedValues<bfloat16>>);
}

TEMPLATE_TEST_CASE("on vectors stored values compare as they do one by one", "[compare]", float32, bfloat16, float16,
                   float64) {
  unsigned seed = 500;
  for (Hard kind : all_hard)
    for (const auto& [rows, columns] :
         {std::pair<Index, Index>{1, 1}, {3, 7}, {5, 8}, {40, 13}, {7, 131}, {66, 70}, {2, 1500}}) {
      const HardData<TestType> data(kind, rows, columns, ++seed);
      const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {rows, columns});
      INFO("kind " << static_cast<int>(kind));
      for (const ChosenTolerance& tolerance : tolerances())
        check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns}, tolerance);
      check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns, 0x1p-9}, DerivedTolerance{});
      check_paths(view, ExpectedValues<TestType>{data.stored.data(), columns, infinite}, DerivedTolerance{});
    }
}

namespace {

/// Quotients that lie within an ulp of each other and of the limit: the largest comes late, so that each is nearly a
/// record.
template <class T, class Model>
void check_near_limits(const Model& model, double limit, unsigned seed) {
  std::mt19937_64 random(seed);
  const Index rows = 70, columns = 1100;
  std::vector<T> actual, stored;
  for (Index i = 0; i < rows * columns; ++i) {
    const double r = std::ldexp(1 + static_cast<double>(random() % 1024) / 1024, static_cast<int>(random() % 4)) *
                     (random() % 2 == 0 ? 1 : -1);
    const T value = encode<T>(r);
    T out = encode<T>(decode(value) * (1 + limit * (random() % 2 == 0 ? 1 : -1)));
    if (random() % 3 == 0) out = random() % 2 == 0 ? next_up(out) : next_down(out);
    stored.push_back(value);
    actual.push_back(out);
  }
  check_paths(contiguous_view<const T, 2>(actual.data(), {rows, columns}), ExpectedValues<T>{stored.data(), columns},
              model, 2);
}

}  // namespace

TEMPLATE_TEST_CASE("tiles show ratios next to a step as they are, though those of singles lie beyond it", "[compare]",
                   float32, bfloat16, float16) {
  std::mt19937_64 random(11);
  const Index rows = 70, columns = 520;
  for (int i = 0; i < 60; ++i) {
    const TestType expected = encode<TestType>(1 + static_cast<double>(random() % 1024) / 1024),
                   out = encode<TestType>(decode(expected) + static_cast<double>(1 + random() % 512) / 1024);
    std::vector<TestType> stored, actual;
    for (Index element = 0; element < rows * columns; ++element) {
      const bool wrong = element % 13 == 0;
      stored.push_back(wrong ? expected : encode<TestType>(1 + static_cast<double>(random() % 1024) / 1024));
      actual.push_back(wrong ? out : stored.back());
    }
    const double step = static_cast<double>(17 + random() % 16) / 32, beside = i % 2 == 0 ? 1e-12 : -1e-12;
    INFO(decode(out) << " for " << decode(expected) << ", ratio " << step << " / (1 + " << beside << ")");
    check_paths(
        contiguous_view<const TestType, 2>(actual.data(), {rows, columns}),
        ExpectedValues<TestType>{stored.data(), columns},
        AbsoluteRelativeTolerance{0, (decode(out) - decode(expected)) / (step * decode(expected)) * (1 + beside)});
  }
}

TEMPLATE_TEST_CASE("places beyond the largest number count as none of what is allowed, in samples, too", "[compare]",
                   float32, bfloat16, float16) {
  // rows near the largest number, whose allowed places end in infinity, before rows of ordinary ones with smaller
  // errors in places
  const unsigned places = 1U << (FormatTraits<TestType>::layout.fraction_bits - 2);
  const Index rows = 130, columns = 640;
  std::vector<TestType> stored, actual;
  for (Index element = 0; element < rows * columns; ++element) {
    const bool large = element / columns % 3 != 2 || element % 7 != 0;
    TestType out = stored.emplace_back(
        encode<TestType>(large ? max_finite<TestType>() * 0.96875 : 1 + 0.125 * static_cast<double>(element % 5)));
    for (int place = large ? 5 : 1; place > 0; --place) out = next_up(out);
    actual.push_back(out);
  }
  check_paths(contiguous_view<const TestType, 2>(actual.data(), {rows, columns}),
              ExpectedValues<TestType>{stored.data(), columns}, UlpTolerance{places});
}

TEMPLATE_TEST_CASE("quotients next to the largest and to the limit are told apart on vectors", "[compare]", float32,
                   bfloat16, float16) {
  unsigned seed = 900;
  for (double limit : {0x1p-6, 0.01, 0.3}) {
    check_near_limits<TestType>(AbsoluteRelativeTolerance{0, limit}, limit, ++seed);
    check_near_limits<TestType>(AbsoluteRelativeTolerance{limit, limit}, limit, ++seed);
    check_near_limits<TestType>(UlpTolerance{3}, 3 * 2 * unit_roundoff<TestType>(), ++seed);
  }
}

TEMPLATE_TEST_CASE("wherever arrays start in memory, they compare alike, at more than 64 Ki elements", "[compare]",
                   float32, bfloat16, float16) {
  for (Index offset : {Index{0}, Index{1}, Index{3}, Index{7}}) {
    const Index rows = 67, columns = 1031;
    const HardData<TestType> data(offset % 3 == 0 ? Hard::clean : Hard::tied, 1, rows * columns + 16,
                                  40 + static_cast<unsigned>(offset));
    const auto view = contiguous_view<const TestType, 2>(data.actual.data() + offset, {rows, columns});
    for (const char* tolerance : {"ulps=3", "atol=0.01,rtol=0.02", "derived"})
      check_paths(view, ExpectedValues<TestType>{data.stored.data() + offset, columns},
                  tolerance_named(tolerance).value(), 2);
  }
}

TEST_CASE(
    "every code of bfloat16, every NaN among them, compares on vectors as one by one, where rows are sampled, too",
    "[compare]") {
  const Index rows = 1100, columns = 260;
  std::vector<bfloat16> actual, stored;
  for (Index i = 0; i < rows * columns; ++i) {
    const auto code = static_cast<std::uint16_t>(i * 40503);  // odd: every code comes, in every row others
    stored.push_back(FormatTraits<bfloat16>::from_bits(code));
    actual.push_back(FormatTraits<bfloat16>::from_bits(static_cast<std::uint16_t>(code + (i >> 16) - 1)));
  }
  const auto view = contiguous_view<const bfloat16, 2>(actual.data(), {rows, columns});
  for (const char* tolerance : {"ulps=1", "ulps=64", "atol=0.01,rtol=0.02", "derived"})
    check_paths(view, ExpectedValues<bfloat16>{stored.data(), columns}, tolerance_named(tolerance).value());
}

TEMPLATE_TEST_CASE("wherever a pair of stored values that are not finite stands, it agrees or is wrong alone",
                   "[compare]", float32, bfloat16, float16) {
  for (const PairOfCodes& pair : special_pairs<TestType>) {
    const HardData<TestType> data = one_pair_a_column<TestType>(pair);
    const auto view = contiguous_view<const TestType, 2>(data.actual.data(), {data.rows, data.columns});
    const ExpectedValues<TestType> expected{data.stored.data(), data.columns};
    const ChosenTolerance lax = tolerance_named("atol=1,rtol=0.02").value();
    check_paths(view, expected, lax);
    check_paths(view, expected, tolerance_named("ulps=3").value());
    Host host(1);
    Host::Stream stream;
    CHECK(compare(host, stream, view, expected, lax).value().violations ==
          (pair.agrees ? 0 : static_cast<std::uint64_t>(data.columns)));
  }
}

TEST_CASE("of clean data less than one in a hundred elements is looked at one by one", "[compare]") {
  const auto check = [](auto zero, const char* tolerance) {
    using T = decltype(zero);
    const Index columns = 1 << 17;
    const HardData<T> data(Hard::clean, 1, columns, 77);
    const ChosenTolerance model = tolerance_named(tolerance).value();
    detail::PartialComparison partial;
    detail::LaneComparison<T, T> lanes{detail::vector_rule<T>(model), false, 1, &partial,
                                       instruction_set() != InstructionSet::baseline};
    // with what the element-wise path would do: chunks are not needed for a count
    const ExpectedValues<T> expected{data.stored.data(), columns};
    const auto one_by_one = [&](Index column) {
      const T stored = data.actual[static_cast<std::size_t>(column)];
      const double out = decode(stored), r = expected(0, column).value, size = std::fabs(out - r);
      const double ratio =
          detail::error_ratio(model, stored, expected(0, column), model.template interval<T>(expected(0, column)));
      partial.max_absolute_error.consider(size, {0, column});
      partial.max_relative_error.consider(size / std::fabs(r), {0, column});
      partial.max_ulp_error.consider(size / unit_in_last_place<T>(r), {0, column});
      partial.max_ratio.consider(ratio, {0, column});
      partial.tile_ratio[column / (columns / 32)] = std::max(partial.tile_ratio[column / (columns / 32)], ratio);
      partial.group_ratio[0] = std::max(partial.group_ratio[0], ratio);
    };
    using Look = decltype(one_by_one);
    const auto row = expected.expected_row(0);
    lanes.compare_row(
        instruction_set(),
        {data.actual.data(),
         row,
         data.actual.data(),
         row,
         0,
         columns,
         columns / 32,
         {[](const void* look, Index column, bool) { (*static_cast<Look*>(look))(column); }, &one_by_one}},
        0);
    CHECK(lanes.seen == static_cast<std::uint64_t>(columns));
    CHECK(lanes.looked_at > 0);
    CHECK(lanes.looked_at < static_cast<std::uint64_t>(columns) / 100);
  };
  check(float32{}, "atol=1e-5,rtol=1e-2");
  check(bfloat16{}, "ulps=2");
  check(bfloat16{}, "atol=1e-5,rtol=2e-2");
  check(float16{}, "ulps=2");
}
