#include "assay/compare/code_expectation.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/formats/small_formats.hpp"
#include "compare/paths.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// x + x³/7 of stored numbers x: odd, so that x and −x have the same errors.
template <Format Input>
struct Cubic {
  const Input* input;
  Index columns;

  static ExpectedElement of(double x) {
    const double r = x + x * x * x / 7;
    if (x == 2) return {r, infinity};  // nothing is known
    return {r, is_finite(r) ? std::fabs(r) * 0x1p-20 : 0};
  }
  ExpectedElement operator()(Index row, Index column) const { return of(decode(input[row * columns + column])); }
  void expected_block(Index row, Index first, Index count, double* value, double* error) const {
    for (Index i = 0; i < count; ++i) {
      const ExpectedElement element = (*this)(row, first + i);
      value[i] = element.value;
      error[i] = element.error;
    }
  }
  int code_bytes() const { return static_cast<int>(sizeof(Input)); }
  const void* codes(Index row, Index column) const { return input + row * columns + column; }
  void expected_of_codes(Index first, Index count, double* value, double* error) const {
    for (Index i = 0; i < count; ++i) {
      const ExpectedElement element = of(element_format<Input>().decode(static_cast<std::uint64_t>(first + i)));
      value[i] = element.value;
      error[i] = element.error;
    }
  }
};
static_assert(CodeExpectation<Cubic<bfloat16>>);

/// The same without blocks and codes.
template <class Expected>
struct OneByOne {
  Expected expected;
  ExpectedElement operator()(Index row, Index column) const { return expected(row, column); }
};

enum class Change { nothing, few_elements, a_part, special, every_element, zeros };

template <Format T, Format Input>
void require_same(Index rows, Index columns, Change change) {
  const auto size = static_cast<std::size_t>(rows * columns);
  std::vector<Input> input(size);
  std::vector<T> output(size);
  std::mt19937_64 random(size + static_cast<std::size_t>(change));
  for (std::size_t i = 0; i < size; ++i) {
    const bool special = change == Change::special && random() % 50 == 0;
    const double specials[] = {infinity, -infinity, nan, 2, 0, max_finite<Input>(), min_subnormal<Input>()};
    input[i] =
        encode<Input>(special                   ? specials[random() % 7]
                      : change == Change::zeros ? 0.0
                                                : static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-61);
    const double r = Cubic<Input>::of(decode(input[i])).value;
    output[i] = encode<T>(r);
    const bool changed = change == Change::every_element || (change == Change::few_elements && random() % 1000 == 0) ||
                         (change == Change::a_part && i > size / 3 && i < size / 2 && i % 2 == 0) ||
                         (special && random() % 2 == 0);
    if (changed)
      output[i] = random() % 4 == 0   ? encode<T>(r * 1.25)
                  : random() % 9 == 0 ? encode<T>(nan)
                  : is_finite(r)      ? next_up(output[i])
                                      : encode<T>(1);
    if (change == Change::zeros && i % 3 != 0) output[i] = encode<T>(-0.0);
  }
  const Cubic<Input> expected{input.data(), columns};
  Host host(2);
  Host::Stream stream;
  const Comparison found =
      compare_operand(host, stream, contiguous_operand(output.data(), {rows, columns}), expected, ChosenTolerance{})
          .value();
  const auto one_by_one = [&](bool few_tiles) {
    const auto view = contiguous_view<const T, 2>(output.data(), {rows, columns});
    return detail::compare_on({true, instruction_set(), few_tiles}, host, stream, view,
                              OneByOne<Cubic<Input>>{expected}, ChosenTolerance{})
        .value();
  };
  const Comparison alone = one_by_one(false);
  INFO(rows << " x " << columns << ", change " << static_cast<int>(change));
  const bool few_tiles = found.tiles.values.size() < alone.tiles.values.size();
  CHECK((found.violations == 0 || !few_tiles));
  CHECK(testing::findings(found) == testing::findings(few_tiles ? one_by_one(true) : alone));
  CHECK(found.statistics.signed_error ==
        Approx(alone.statistics.signed_error)
            .margin(2e-7 * std::sqrt(alone.statistics.squared_error * static_cast<double>(size))));
  CHECK(found.statistics.squared_error == Approx(alone.statistics.squared_error).epsilon(2e-7));
  CHECK(found.statistics.squared_reference == Approx(alone.statistics.squared_reference).epsilon(2e-7));
  CHECK(found.statistics.expected_misrounded == Approx(alone.statistics.expected_misrounded).epsilon(2e-7));
  if (change == Change::every_element || change == Change::few_elements) CHECK(found.violations > 0);
  Host one(1);
  const Comparison again =
      compare_operand(one, stream, contiguous_operand(output.data(), {rows, columns}), expected, ChosenTolerance{})
          .value();
  CHECK(testing::sums(again) == testing::sums(found));
}

}  // namespace

TEST_CASE("a table of codes finds what element by element is found") {
  for (const Change change :
       {Change::nothing, Change::few_elements, Change::a_part, Change::special, Change::every_element, Change::zeros}) {
    require_same<bfloat16, bfloat16>(600, 900, change);
    require_same<float32, float16>(1, 530000, change);
  }
  require_same<float16, bfloat16>(70000, 8, Change::few_elements);
  require_same<bfloat16, float8_e5m2>(37, 101, Change::special);
  require_same<float32, float8_e4m3fn>(3, 2000, Change::a_part);
}

TEST_CASE("elements with the value that the table holds for what is special are looked at one by one") {
  std::vector<bfloat16> input(std::size_t{1} << 19, encode<bfloat16>(1)),
      output(input.size(), encode<bfloat16>(Cubic<bfloat16>::of(1).value));
  input[777] = encode<bfloat16>(infinity);
  output[777] = encode<bfloat16>(infinity);
  input[778] = encode<bfloat16>(2);
  output[778] = encode<bfloat16>(Cubic<bfloat16>::of(2).value);
  Host host(2);
  Host::Stream stream;
  const Comparison found = compare_operand(host, stream, contiguous_operand(output.data(), {512, 1024}),
                                           Cubic<bfloat16>{input.data(), 1024}, ChosenTolerance{})
                               .value();
  CHECK(found.violations == 0);
  CHECK(found.undetermined == 1);
  CHECK(found.statistics.elements == input.size() - 2);
}
