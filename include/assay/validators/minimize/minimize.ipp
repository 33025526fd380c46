#pragma once

#include "assay/validators/minimize/minimize.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The part of a reason that is the same for the same failure at other sizes: words up to the first comma or colon,
/// without numbers.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string failure_kind(const std::string& reason) {
  std::string kind;
  for (const char letter : reason) {
    if (letter == ',') break;
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_') kind += letter;
  }
  return kind;
}

/// Class and kind of the first diagnosis, "missing_work, terms_missing", of whatever extent; empty where there is none.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string diagnosed_fault(const Outcome& outcome) {
  if (outcome.diagnosis.empty()) return {};
  const std::string& line = outcome.diagnosis.front();
  const std::size_t begin = line.find(": "), end = begin == std::string::npos ? begin : line.find(": ", begin + 2);
  if (begin == std::string::npos || line.find(", ", begin) == std::string::npos) return {};
  std::string fault = line.substr(begin + 2, end == std::string::npos ? end : end - begin - 2);
  for (const char* extent : {"scattered_", "most_"})
    if (const std::size_t at = fault.find(extent); at != std::string::npos) fault.erase(at, std::strlen(extent));
  return fault;
}

ASSAY_DETAIL_HEADER_INLINE Shrinker::Shrinker(const RecordedKernel& kernel, CaseRecord record, const Outcome& outcome,
                                              const MinimizeOptions& options)
    : kernel_(kernel),
      options_(options),
      kind_(failure_kind(outcome.reason)),
      diagnosis_(diagnosed_fault(outcome)),
      verdict_(outcome.verdict),
      operation_(outcome.label("operation")),
      current_(std::move(record)) {}

ASSAY_DETAIL_HEADER_INLINE void Shrinker::shrink() {
  for (bool changed = true; changed && !exhausted();) {
    changed = simplify_options();
    changed |= shrink_numbers();
  }
  shrink_values();
}

ASSAY_DETAIL_HEADER_INLINE bool Shrinker::fails(const CaseRecord& record) {
  if (exhausted()) return false;
  ++runs;
  const Outcome outcome = kernel_.run(record);
  const bool same = outcome.verdict == verdict_ && failure_kind(outcome.reason) == kind_ &&
                    outcome.label("operation") == operation_ &&
                    (diagnosis_.empty() || diagnosed_fault(outcome) == diagnosis_);
  if (same) last_failure = outcome;
  return same;
}

ASSAY_DETAIL_HEADER_INLINE bool Shrinker::accept(CaseRecord candidate) {
  for (unsigned attempt = 0; attempt < std::max(options_.seeds, 1u); ++attempt, ++candidate.seed) {
    if (fails(candidate)) {
      current_ = std::move(candidate);
      return true;
    }
    if (!candidate.operands.empty()) break;
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool Shrinker::simplify_options() {
  bool changed = false;
  const auto attempt = [&](const std::string& what, CaseRecord candidate) {
    if (!accept(std::move(candidate))) return;
    steps.push_back(what);
    changed = true;
  };
  CaseRecord plain = current_;
  plain.row_padding = plain.misalignment = 0;
  if (current_.row_padding != 0 || current_.misalignment != 0) {
    attempt("dense and aligned storage", plain);
    plain = current_;
    plain.misalignment = 0;
    if (current_.misalignment != 0) attempt("aligned storage", plain);
    plain = current_;
    if (current_.row_padding > 1) plain.row_padding = 1, attempt("rows one element apart", plain);
  }
  if (current_.repetitions > 1) {
    CaseRecord once = current_;
    once.repetitions = 1;
    attempt("one run", once);
  }
  for (const RecordedField& simple : kernel_.simplest())
    for (std::size_t i = 0; i < current_.problem.size(); ++i) {
      Index now = 0, then = 0;
      RecordedField& field = current_.problem[i];
      if (field.name != simple.name || field.value == simple.value) continue;
      if (whole(field.value, now) && whole(simple.value, then) && (now < then || now > 1)) continue;
      CaseRecord candidate = current_;
      candidate.problem[i].value = simple.value;
      attempt(field.name + " " + field.value + " -> " + simple.value, candidate);
    }
  return changed;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::vector<std::size_t>> Shrinker::groups() const {
  std::vector<std::vector<std::size_t>> groups;
  const std::vector<RecordedField> simplest = kernel_.simplest();
  for (std::size_t i = 0; i < current_.problem.size(); ++i) {
    Index number = 0;
    const bool known =
        std::any_of(simplest.begin(), simplest.end(),
                    [&](const RecordedField& simple) { return simple.name == current_.problem[i].name; }) ||
        current_.problem[i].name.find_first_of("[.") !=
            std::string::npos;  // of a list, which the simplest problem has not
    if (known && whole(current_.problem[i].value, number) && number > 1) groups.push_back({i});
  }
  const std::size_t single = groups.size();
  for (std::size_t first = 0; first < single; ++first) {
    std::vector<std::size_t> same = groups[first];
    bool earlier = false;
    for (std::size_t other = 0; other < single; ++other) {
      if (current_.problem[groups[other][0]].value != current_.problem[groups[first][0]].value || other == first)
        continue;
      earlier |= other < first;
      same.push_back(groups[other][0]);
    }
    if (!earlier && same.size() > 1) groups.push_back(std::move(same));
  }
  std::sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) { return value_of(a) > value_of(b); });
  return groups;
}

ASSAY_DETAIL_HEADER_INLINE bool Shrinker::shrink_numbers() {
  bool changed = false;
  for (const std::vector<std::size_t>& group : groups()) {
    const Index start = value_of(group);
    bool smaller = true;
    while (smaller && !exhausted()) {
      smaller = false;
      const Index now = value_of(group);
      for (Index step = now - 1; step > 0 && !smaller; step /= 2) smaller = set(group, now - step);
      if (!smaller && now <= 20)
        for (Index value = 1; value < now && !smaller; ++value) smaller = set(group, value);
    }
    if (value_of(group) >= start) continue;
    changed = true;
    std::string names;
    for (const std::size_t field : group) names += (names.empty() ? "" : " = ") + current_.problem[field].name;
    steps.push_back(names + " " + std::to_string(start) + " -> " + std::to_string(value_of(group)));
  }
  return changed;
}

ASSAY_DETAIL_HEADER_INLINE void Shrinker::shrink_values() {
  auto valued = kernel_.with_values(current_);
  if (!valued) return;
  std::size_t elements = 0;
  for (const RecordedOperand& operand : valued.value().operands) elements += operand.codes.size();
  if (elements > options_.most_values) {
    steps.push_back("values stay as their pattern: " + std::to_string(elements) + " elements");
    return;
  }
  valued.value().rounding = RoundingModel::worst_case;
  if (!fails(valued.value())) {
    steps.push_back("values stay as their pattern: under the bound of the worst case it does not fail");
    return;
  }
  current_ = std::move(valued).value();
  const std::size_t before = non_zero().size();
  zero_blocks();
  simplify_values();
  steps.push_back("values other than 0: " + std::to_string(before) + " -> " + std::to_string(non_zero().size()));
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Shrinker::Place> Shrinker::non_zero() const {
  std::vector<Place> places;
  for (std::size_t operand = 0; operand < current_.operands.size(); ++operand) {
    const auto format = changeable(current_.operands[operand]);
    if (!format) continue;
    for (std::size_t e = 0; e < current_.operands[operand].codes.size(); ++e)
      if (current_.operands[operand].codes[e] != format->encode(0.0)) places.push_back({operand, e});
  }
  return places;
}

ASSAY_DETAIL_HEADER_INLINE bool Shrinker::set_values(const std::vector<Place>& places, std::size_t first,
                                                     std::size_t last, double (*simpler)(double)) {
  CaseRecord candidate = current_;
  bool differs = false;
  for (std::size_t i = first; i < last; ++i) {
    RecordedOperand& operand = candidate.operands[places[i].operand];
    const ElementFormat format = *changeable(operand);
    std::uint64_t& code = operand.codes[places[i].element];
    const std::uint64_t simple = format.encode(simpler(format.decode(code)));
    differs |= simple != code;
    code = simple;
  }
  return differs && accept(std::move(candidate));
}

ASSAY_DETAIL_HEADER_INLINE void Shrinker::zero_blocks() {
  for (bool changed = true; changed && !exhausted();) {
    changed = false;
    std::vector<Place> places = non_zero();
    for (std::size_t block = places.size(); block > 0 && !exhausted(); block /= 2)
      for (std::size_t first = 0; first < places.size();) {
        const std::size_t last = std::min(first + block, places.size());
        if (set_values(places, first, last, [](double) { return 0.0; })) {
          places.erase(places.begin() + static_cast<std::ptrdiff_t>(first),
                       places.begin() + static_cast<std::ptrdiff_t>(last));
          changed = true;
        } else {
          first = last;
        }
      }
  }
}

ASSAY_DETAIL_HEADER_INLINE void Shrinker::simplify_values() {
  for (const auto simpler : {+[](double) { return 1.0; },
                             +[](double x) {
                               return is_finite(x) ? std::copysign(std::exp2(std::round(std::log2(std::fabs(x)))), x)
                                                   : x;
                             }}) {
    const std::vector<Place> places = non_zero();
    if (set_values(places, 0, places.size(), simpler)) continue;
    for (std::size_t i = 0; i < places.size() && !exhausted(); ++i)
      if (const double value = value_at(places[i]); value != 1)
        static_cast<void>(set_values(places, i, i + 1, simpler));
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<MinimizedCase> minimize(const RecordedKernel& kernel, CaseRecord start,
                                                          const MinimizeOptions& options) {
  const Outcome first = kernel.run(start);
  if (first.verdict != Verdict::fail)
    return failure(ErrorKind::invalid, "the case does not fail, so there is nothing to shrink: its verdict is " +
                                           std::string(name_of(first.verdict)) +
                                           (first.reason.empty() ? "" : ", " + first.reason));
  detail::Shrinker shrinker(kernel, std::move(start), first, options);
  shrinker.last_failure = first;
  shrinker.shrink();
  MinimizedCase result;
  result.exhausted = shrinker.exhausted();
  result.record = shrinker.current();
  result.runs = shrinker.runs + 1 + options.confirmations;
  result.outcome = first;
  for (unsigned run = 0; run < options.confirmations; ++run) {
    Outcome again = kernel.run(result.record);
    if (again.verdict != Verdict::fail) continue;
    ++result.failed_confirmations;
    result.outcome = std::move(again);
  }
  if (result.failed_confirmations == 0 && options.confirmations > 0) result.outcome = shrinker.last_failure;
  result.record.verdict = result.outcome.verdict;
  result.record.reason = result.outcome.reason;
  result.steps = std::move(shrinker.steps);
  return Result<MinimizedCase>(std::move(result));
}

}  // namespace assay::inline v0
