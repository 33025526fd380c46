#pragma once

// Path 2 of README.md: a new number format, and outputs in it under the derived bound.

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/faults/fault_corpus.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tolerance/derived.hpp"
#include "assay/tolerance/rounding_error.hpp"
#include "assay/validators/describe_comparison.hpp"

namespace custom {

/// posit⟨8, 2⟩ of the Standard for Posit Arithmetic (2022): precision tapers from 4 bits about 1 to none at 2^±24. It
/// has no layout of fields, negative numbers are two's complements, and 0x80 is the one value that is no real number.
struct posit8 {
  std::uint8_t bits;
};

/// The number of a positive code of so many bits behind the sign: a run of equal bits and its end, two exponent bits,
/// fraction. Bits that are cut off are 0.
[[nodiscard]] constexpr double posit_number(int code, int width) {
  const int first = code >> (width - 1) & 1;
  int run = 0;
  while (run < width && (code >> (width - 1 - run) & 1) == first) ++run;
  const int rest = width - run - 1 > 0 ? width - run - 1 : 0, fraction_bits = rest > 2 ? rest - 2 : 0;
  const int tail = code & ((1 << rest) - 1), exponent = rest > 2 ? tail >> fraction_bits : tail << (2 - rest);
  const int fraction = tail & ((1 << fraction_bits) - 1);
  return (1 + fraction * assay::power_of_two(-fraction_bits)) *
         assay::power_of_two(4 * (first != 0 ? run - 1 : -run) + exponent);
}

}  // namespace custom

template <>
struct assay::FormatTraits<custom::posit8> {
  using Bits = std::uint8_t;
  static constexpr int bits = 8;

  static constexpr const char* name() { return "posit8"; }
  static constexpr Bits to_bits(custom::posit8 value) { return value.bits; }
  static constexpr custom::posit8 from_bits(Bits code) { return {code}; }
  static constexpr double decode(custom::posit8 value) {
    if (value.bits == 0x80) return std::numeric_limits<double>::quiet_NaN();
    if (value.bits == 0) return 0;
    return value.bits < 0x80 ? custom::posit_number(value.bits, 7) : -custom::posit_number(256 - value.bits, 7);
  }
  /// To nearest as the standard has it: the boundary between two codes is the code between them with one bit more,
  /// which is no midpoint where exponent bits are cut off, and no number becomes 0 or overflows. Directed modes as
  /// their names say, within the largest numbers.
  static constexpr custom::posit8 encode(double value, Rounding rounding = Rounding::nearest_even,
                                         Overflow overflow = Overflow::ieee) {
    if (is_nan(value) || (is_infinite(value) && overflow == Overflow::ieee)) return {0x80};
    if (is_zero(value)) return {0};
    const bool negative = value < 0;
    const double size = negative ? -value : value;
    int code = 0;
    for (int step = 64; step > 0; step /= 2)
      if (custom::posit_number(code + step, 7) <= size) code += step;
    const bool exact = code > 0 && custom::posit_number(code, 7) == size;
    bool away = false;
    switch (rounding) {
      case Rounding::nearest_even:
        away = code == 0 || size > boundary(code) || (size == boundary(code) && code % 2 != 0);
        break;
      case Rounding::nearest_away: away = code == 0 || size >= boundary(code); break;
      case Rounding::toward_zero: break;
      case Rounding::toward_positive: away = !negative && !exact; break;
      case Rounding::toward_negative: away = negative && !exact; break;
    }
    if (away && code < 127) ++code;
    return {static_cast<Bits>(negative ? 256 - code : code)};
  }

 private:
  static constexpr double boundary(int code) { return custom::posit_number(2 * code + 1, 8); }
};
static_assert(assay::Format<custom::posit8> && !assay::FloatFormat<custom::posit8>);

namespace custom {

using PositSum = std::function<posit8(const std::vector<posit8>& a, const std::vector<posit8>& b)>;

/// Σ a·b of 64 pairs of vectors in posit8. Products of 8 significant bits are exact in float32, sums round: E =
/// g·Σ|a·b|, see `growth_factor`.
[[nodiscard]] inline assay::Outcome check_posit_sums(const PositSum& kernel, assay::FillKind kind,
                                                     const assay::CaseContext& context) {
  using namespace assay;
  constexpr Index rows = 64, terms = 300;
  const Fill left{kind, context.seed, terms}, right{FillKind::normal, context.seed + 1, terms};
  std::vector<posit8> actual(rows);
  std::vector<ExpectedElement> due(rows);
  const GrowthFactor growth = growth_factor(terms, rows * terms, accumulation_in<float32>(), left.rounding_model());
  for (Index row = 0; row < rows; ++row) {
    std::vector<posit8> a(terms), b(terms);
    double sum = 0, magnitudes = 0;
    for (std::size_t k = 0; k < terms; ++k) {
      a[k] = encode<posit8>(left(row, static_cast<Index>(k))), b[k] = encode<posit8>(right(row, static_cast<Index>(k)));
      sum += decode(a[k]) * decode(b[k]);
      magnitudes += std::fabs(decode(a[k]) * decode(b[k]));
    }
    due[static_cast<std::size_t>(row)] = {sum, growth.value * magnitudes};
    actual[static_cast<std::size_t>(row)] = kernel(a, b);
  }
  Outcome outcome;
  Host host(1);
  auto stream = host.make_stream();
  const auto expected = [elements = due.data()](Index row, Index) { return elements[row]; };
  const auto compared = compare(host, stream.value(), StridedView<const posit8, 2>{actual.data(), {rows, 1}, {1, 1}},
                                expected, DerivedTolerance{});
  if (!compared) return outcome.verdict = Verdict::error, outcome.reason = compared.error().message, outcome;
  describe(compared.value(), {}, outcome);
  outcome.derivation = {growth.explanation, "E = g*sum|a*b|; products of posit8 are exact in f32",
                        DerivedTolerance{}.describe()};
  return outcome;
}

/// A kernel of such sums as an entry of a corpus: right without a fault.
[[nodiscard]] inline assay::CorpusKernel posit_kernel(std::string name, std::optional<assay::Fault> fault,
                                                      PositSum sum) {
  const auto suite = [sum = std::move(sum), name] {
    using enum assay::FillKind;
    assay::Suite cases;
    for (const assay::FillKind kind : {normal, log_uniform, swamping, one_hot}) {
      assay::Case entry;
      entry.id = "posit_sum/" + name + "/posit8/64x300/" + std::string(name_of(kind));
      entry.labels = {{"operation", "posit_sum"}, {"data", std::string(name_of(kind))}};
      entry.run = [sum, kind](const assay::CaseContext& context) { return check_posit_sums(sum, kind, context); };
      cases.push_back(std::move(entry));
    }
    return cases;
  };
  return assay::corpus_subject("posit_sum", name, std::move(fault), suite);
}

}  // namespace custom
