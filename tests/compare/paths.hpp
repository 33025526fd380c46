#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "testing/catch.hpp"

/// The vector paths of `compare` against its element-wise path.
namespace assay::testing {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Everything but the sums, bit for bit, as text.
inline std::string findings(const Comparison& c) {
  std::string text;
  const auto number = [&](const char* name, double value) {
    text += std::string(name) + "=" + std::to_string(value) + "/" + std::to_string(detail::bits_of(value)) + ' ';
  };
  const auto count = [&](const char* name, auto value) {
    text += std::string(name) + "=" + std::to_string(value) + ' ';
  };
  count("elements", c.elements);
  count("violations", c.violations);
  count("undetermined", c.undetermined);
  count("refined", c.refined);
  count("in_doubt", c.in_doubt);
  count("nan_unexpected", c.nan_unexpected);
  count("nan_missing", c.nan_missing);
  count("infinity_unexpected", c.infinity_unexpected);
  count("infinity_missing", c.infinity_missing);
  count("summed", c.statistics.elements);
  count("misrounded", c.statistics.misrounded);
  count("inward", c.statistics.misrounded_inward);
  text += '\n';
  for (const Extremum& e : {c.max_absolute_error, c.max_relative_error, c.max_ulp_error, c.max_ratio}) {
    number("extremum", e.value);
    count("row", e.position.row);
    count("column", e.position.column);
  }
  text += '\n';
  for (const ComparedElement& e : c.worst) {
    count("worst row", e.position.row);
    count("column", e.position.column);
    for (double value : {e.actual, e.expected, e.lower, e.upper, e.ratio}) number("value", value);
  }
  text += '\n';
  for (double value : c.row_ratio) number("group", value);
  text += '\n';
  for (double value : c.tiles.values) number("tile", value);
  return text;
}

inline std::string sums(const Comparison& c) {
  std::string text;
  for (double value : {c.statistics.signed_error, c.statistics.squared_error, c.statistics.squared_reference,
                       c.statistics.expected_misrounded})
    text += std::to_string(detail::bits_of(value)) + ' ';
  return text;
}

/// Ways in which data can be hard on a vector path.
enum class Hard {
  clean,
  noisy,
  tied,
  ascending,
  broken,
  tiny,
  zeros,
  binades,
  special,
  infinities,
  vast,
  undetermined,
  masked,
  opposed,
  padded
};
inline constexpr Hard all_hard[] = {Hard::clean, Hard::noisy,        Hard::tied,    Hard::ascending, Hard::broken,
                                    Hard::tiny,  Hard::zeros,        Hard::binades, Hard::special,   Hard::infinities,
                                    Hard::vast,  Hard::undetermined, Hard::masked,  Hard::opposed,   Hard::padded};

/// NaN of any sign and payload.
template <class T>
T any_nan(std::uint64_t bits) {
  constexpr FloatLayout layout = FormatTraits<T>::layout;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << layout.fraction_bits) - 1);
  const std::uint64_t code =
      (bits >> 63 != 0 ? layout.sign_mask() : 0) | layout.infinity_bits() | (fraction == 0 ? 1 : fraction);
  return FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code));
}

/// An output, its references in float64 and as stored values, and error bounds.
template <class T>
struct HardData {
  Index rows, columns;
  std::vector<T> actual, stored;
  std::vector<double> value, error;

  /// Makes larger what comes later in a row.
  void grow() {
    for (std::size_t i = 0; i < actual.size(); ++i)
      if (std::isfinite(value[i]) && std::fabs(value[i]) < 8) {
        const double power = std::ldexp(1, static_cast<int>(i % static_cast<std::size_t>(columns)) / 500 % 8);
        value[i] *= power;
        error[i] *= power;
        actual[i] = encode<T>(decode(actual[i]) * power);
      }
  }

  HardData(Hard kind, Index row_count, Index column_count, unsigned seed) : rows(row_count), columns(column_count) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const double ulp = unit_roundoff<T>() * 2;
    const double tiny = min_subnormal<T>();
    for (Index i = 0; i < rows * columns; ++i) {
      double r = unit(random) * 4, e = std::fabs(r) * ulp * 0.1, out = r + unit(random) * e;
      switch (kind) {
        case Hard::clean: break;
        case Hard::noisy:
          e = ulp * std::ldexp(1, static_cast<int>(random() % 8) - 4);
          out = r + unit(random) * e * 1.5;
          break;
        case Hard::tied:
          r = static_cast<double>(static_cast<int>(random() % 33) - 16) * 0.25;
          e = random() % 2 == 0 ? 0 : std::fabs(r) * ulp;
          out = r * (1 + ulp * static_cast<double>(static_cast<int>(random() % 5) - 2) * 0.5);
          break;
        case Hard::ascending: out = r * (1 + ulp * static_cast<double>(i) * 0.01); break;
        case Hard::broken: out = unit(random) * 4; break;
        case Hard::tiny:
          r = tiny * unit(random) * static_cast<double>(random() % 64);
          e = random() % 3 == 0 ? 0 : tiny * static_cast<double>(random() % 4);
          out = r + tiny * unit(random) * 3;
          break;
        case Hard::zeros:
          r = random() % 2 == 0 ? 0 : r;
          e = 0;
          out = random() % 3 == 0 ? r : random() % 3 == 0 ? -0.0 : r + unit(random) * ulp;
          break;
        case Hard::binades:
          r = std::ldexp(random() % 2 == 0 ? 1.0 : -1.0, static_cast<int>(random() % 8) - 4) *
              (1 + ulp * 0.25 * static_cast<double>(static_cast<int>(random() % 9) - 4));
          e = std::fabs(r) * ulp * 0.25 * static_cast<double>(random() % 4);
          out = r * (1 + ulp * 0.5 * static_cast<double>(static_cast<int>(random() % 9) - 4));
          break;
        case Hard::special: {
          const double choice[] = {infinite, -infinite, std::nan(""), max_finite<T>(), -max_finite<T>(), 0.0, 1.0, r};
          if (random() % 4 == 0) r = choice[random() % 8];
          out = random() % 5 == 0 ? choice[random() % 8] : random() % 2 == 0 ? r : r * (1 + ulp);
          e = random() % 6 == 0 ? infinite : e;
          break;
        }
        case Hard::infinities:
          if (random() % 2 == 0)
            r = out = random() % 2 == 0 ? infinite : -infinite;
          else if (random() % 8 == 0)
            r = out = std::nan("");
          else if (random() % 8 == 0)
            out = std::nan("");
          break;
        case Hard::vast:
          r = unit(random) * max_finite<T>() * (random() % 4 == 0 ? 1.0 : 0.3);
          e = std::fabs(r) * ulp * static_cast<double>(random() % 4);
          out = r * (1 + ulp * unit(random) * 2);
          break;
        case Hard::undetermined:
          if (random() % 2 == 0) e = infinite;
          if (random() % 16 == 0) out = std::nan("");
          break;
        case Hard::masked:
        case Hard::opposed:  // what is masked away may be wrong
          if (const auto what = random() % 20; what < 2)
            r = out = std::nan("");
          else if (what < 5)
            r = out = what < 4 ? -infinite : infinite;
          if (random() % 8 == 0) e = random() % 2 == 0 ? infinite : std::nan("");
          if (kind == Hard::opposed && random() % 64 == 0) {
            const double special[] = {infinite, -infinite, std::nan(""), 1.0};
            out = special[random() % 4];
            if (random() % 2 == 0) r = special[random() % 4];
          }
          break;
        case Hard::padded:
          if (i % 700 > 200) r = out = i % 1400 < 700 ? -infinite : std::nan("");
          break;
      }
      actual.push_back(std::isnan(out) ? any_nan<T>(random()) : encode<T>(out));
      value.push_back(std::isnan(r) ? any_nan<double>(random()) : r);
      stored.push_back(std::isnan(r) ? any_nan<T>(random()) : encode<T>(r));
      error.push_back(e);
    }
  }
};

/// What came and what was due, as codes.
struct PairOfCodes {
  std::uint64_t actual, expected;
  bool agrees;
};
template <class T, std::uint64_t infinity = FormatTraits<T>::layout.infinity_bits(),
          std::uint64_t sign = FormatTraits<T>::layout.sign_mask()>
inline constexpr PairOfCodes special_pairs[] = {{infinity + 1, sign + infinity + 2, true},
                                                {infinity, infinity, true},
                                                {sign + infinity, sign + infinity, true},
                                                {infinity, sign + infinity, false},
                                                {sign + infinity, infinity, false},
                                                {infinity + 1, infinity, false},
                                                {0, sign + infinity + 1, false}};

/// Clean data with one such pair in every column, each in a row of its own: at every place of a block and behind the
/// last.
template <class T>
HardData<T> one_pair_a_column(const PairOfCodes& pair) {
  const Index columns = 150;
  HardData<T> data(Hard::clean, 2 * columns, columns, 7);
  for (Index column = 0; column < columns; ++column) {
    const auto at = static_cast<std::size_t>((2 * column + 1) * columns + column);
    data.actual[at] = FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(pair.actual));
    data.stored[at] = FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(pair.expected));
    data.value[at] = decode(data.stored[at]);
  }
  return data;
}

/// All paths on one output: every instruction set that the machine has finds what the element-wise path finds, and
/// their sums are the same and near the element-wise ones.
template <class T, std::size_t Rank, class Expected, class Model>
void check_paths(const StridedView<const T, Rank>& view, const Expected& expected, const Model& model,
                 unsigned threads = 1) {
  Host host(threads);
  Host::Stream stream;
  const auto plain = detail::compare_on({false, InstructionSet::baseline}, host, stream, view, expected, model);
  REQUIRE(plain);
  const Comparison& wanted = plain.value();
  const std::string wanted_findings = findings(wanted);
  std::string first_sums;
  for (InstructionSet set : all_instruction_sets) {
    if (set > widest_instruction_set()) continue;
    const auto compared = detail::compare_on({true, set}, host, stream, view, expected, model);
    REQUIRE(compared);
    const Comparison& found = compared.value();
    if (findings(found) != wanted_findings) {
      FAIL(name_of(set) << ", " << model.describe() << ", " << wanted.rows << " x " << wanted.columns << ":\n"
                        << findings(found).substr(0, 3000) << "\nwanted\n"
                        << wanted_findings.substr(0, 3000));
    }
    if (first_sums.empty()) first_sums = sums(found);
    CHECK(sums(found) == first_sums);
    const ErrorStatistics &a = found.statistics, &b = wanted.statistics;
    const auto near = [](double left, double right, double scale) {
      return left == right || std::fabs(left - right) <= 2e-7 * scale || !std::isfinite(right);
    };
    CHECK(
        near(a.signed_error, b.signed_error, std::sqrt(b.squared_error) * std::sqrt(static_cast<double>(b.elements))));
    CHECK(near(a.squared_error, b.squared_error, b.squared_error));
    CHECK(near(a.squared_reference, b.squared_reference, b.squared_reference));
    CHECK(near(a.expected_misrounded, b.expected_misrounded, b.expected_misrounded));
  }
}

inline std::vector<ChosenTolerance> tolerances() {
  std::vector<ChosenTolerance> all;
  for (const char* name : {"derived", "exact", "strict", "normal", "ulps=1", "ulps=3", "ulps=65536", "atol=1e-3",
                           "rtol=1e-3", "atol=0.01,rtol=0.02", "atol=0"})
    all.push_back(tolerance_named(name).value());
  return all;
}

}  // namespace assay::testing
