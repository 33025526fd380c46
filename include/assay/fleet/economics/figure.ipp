#pragma once

#include "assay/fleet/economics/figure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string interval_text(double low, double high) {
  return low == high ? "-" : number_text(low, 4) + " to " + number_text(high, 4);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Assumption assumed(std::string name, double value, std::string unit, std::string source) {
  return {std::move(name), value, value, value, std::move(unit), std::move(source)};
}

ASSAY_DETAIL_HEADER_INLINE Result<Assumption> parse_assumption(std::string name, const std::string& text,
                                                               std::string unit, bool positive) {
  const auto refused = [&](const std::string& what) {
    return failure(ErrorKind::invalid, name + " is '" + clipped(visible(text), 40) + "': " + what);
  };
  const std::size_t colon = text.find(':');
  const auto low = detail::read_number(text.substr(0, colon)),
             high = colon == std::string::npos ? low : detail::read_number(text.substr(colon + 1));
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high))
    return refused("expected a number, or two as low:high");
  if (*low < 0) return refused("a negative number makes no sense here");
  if (positive && *low == 0) return refused("expected more than 0");
  if (*low > *high) return refused("the lower end stands first");
  return Assumption{std::move(name), *low / 2 + *high / 2, *low, *high, std::move(unit), {}};
}

ASSAY_DETAIL_HEADER_INLINE Figure evaluate(std::string name, std::string unit, std::string formula,
                                           std::vector<Assumption> assumptions,
                                           const std::function<double(const std::vector<double>&)>& function) {
  Figure figure{std::move(name), 0, 0, 0, std::move(unit), std::move(formula), std::move(assumptions)};
  std::vector<double> values;
  std::vector<std::size_t> uncertain;
  for (std::size_t i = 0; i < figure.assumptions.size(); ++i) {
    values.push_back(figure.assumptions[i].value);
    if (figure.assumptions[i].low < figure.assumptions[i].high) uncertain.push_back(i);
  }
  expect(uncertain.size() <= 16, [] { return std::string("evaluate: more than 16 assumptions with intervals"); });
  figure.value = figure.low = figure.high = function(values);
  for (std::size_t corner = 0; corner < std::size_t{1} << uncertain.size(); ++corner) {
    for (std::size_t bit = 0; bit < uncertain.size(); ++bit) {
      const Assumption& one = figure.assumptions[uncertain[bit]];
      values[uncertain[bit]] = (corner >> bit) % 2 != 0 ? one.high : one.low;
    }
    const double value = function(values);
    expect(!std::isnan(value), [&] { return "evaluate: '" + figure.name + "' is no number for what is assumed"; });
    figure.low = std::min(figure.low, value);
    figure.high = std::max(figure.high, value);
  }
  return figure;
}

ASSAY_DETAIL_HEADER_INLINE Table figure_table(const std::string& title, const std::vector<Figure>& figures) {
  Table table{title, {"figure", "value", "interval", "unit", "formula"}, {}};
  for (const Figure& figure : figures)
    table.rows.push_back({figure.name, std::isinf(figure.value) ? "never" : number_text(figure.value, 4),
                          detail::interval_text(figure.low, figure.high), figure.unit, figure.formula});
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table assumption_table(const std::vector<Figure>& figures) {
  Table table{"Assumptions", {"assumption", "value", "interval", "unit", "source"}, {}};
  std::vector<std::string> seen;
  for (const Figure& figure : figures)
    for (const Assumption& one : figure.assumptions) {
      if (std::find(seen.begin(), seen.end(), one.name) != seen.end()) continue;
      seen.push_back(one.name);
      table.rows.push_back({one.name, number_text(one.value, 4), detail::interval_text(one.low, one.high), one.unit,
                            one.source.empty() ? "given" : one.source});
    }
  return table;
}

}  // namespace assay::inline v0
