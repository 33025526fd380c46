#pragma once

#include "assay/diagnosis/detail/counterfactuals.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Counterfactuals::Counterfactuals(const DiagnosedCase& given, const OperandArray& right,
                                                            double seconds, const DiagnosedCase* other)
    : case_(given), right_(right), other_(other), seconds_(seconds) {
  const DiagnosedCase::Trial own = case_.judge(-1, case_.before, case_.after, case_.arithmetic);
  undetermined_ = own.undetermined;
  violations_ = own.violations;
  for (const FailingOutput& output : case_.outputs) gives_places_ = gives_places_ || !output.format.is_float();
  for (const FailingOutput& output : case_.outputs)
    for (std::size_t i = 0; i < output.size(); ++i)
      invents_nan_ = invents_nan_ || (is_nan(output.actual[i]) && is_finite(output.expected[i]));
  if (other_ != nullptr)
    violations_of_other_ = other_->judge(-1, other_->before, other_->after, other_->arithmetic).violations;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> Counterfactuals::explanations(Hypotheses which) {
  each_operand([&](int position) { try_flushed(position); });
  if (which == Hypotheses::flushed) return settled();
  if (which == Hypotheses::zeros) {
    if (found_.empty()) each_operand([&](int position) { try_not_ready(position); });
    return settled();
  }
  if (which == Hypotheses::special) {
    if (found_.empty()) try_variations();
    if (found_.empty()) each_operand([&](int position) { try_special_values(position); });
    return settled();
  }
  if (found_.empty()) {
    each_operand([&](int position) { try_not_ready(position); });
    try_variations();
  }
  if (found_.empty()) each_operand([&](int position) { try_values(position); });
  if (found_.empty()) try_values_of_several();
  if (found_.empty()) each_operand([&](int position) { try_places(position); });
  if (found_.empty()) try_first_slices();
  if (found_.empty()) try_exchanges();
  if (found_.empty()) each_operand([&](int position) { try_parts(position); });
  return settled();
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Diagnosis> Counterfactuals::settled() {
  std::vector<FaultClass> classes;
  for (const Diagnosis& one : found_) classes.push_back(one.fault_class);
  bool unanimous = true;
  for (const FaultClass one : classes) unanimous = unanimous && one == classes.front();
  for (Diagnosis& one : found_)
    one.confidence = unanimous && one.confidence != Confidence::possible ? Confidence::certain : Confidence::likely;
  return std::move(found_);
}

ASSAY_DETAIL_HEADER_INLINE bool Counterfactuals::contradicted(const Misreading& misread) const {
  if (other_ == nullptr || !misread) return false;
  ChangedOperands changed(other_->before);
  static_cast<void>(misread(*other_, changed));
  const DiagnosedCase::Trial trial = other_->judge(-1, changed.array(), other_->after, other_->arithmetic);
  return trial.ran && trial.violations > violations_of_other_ / 8;
}

ASSAY_DETAIL_HEADER_INLINE bool Counterfactuals::refutes_reversed(int variation, const ChangedOperands& given) const {
  if (!case_.answer) return false;
  ChangedOperands reversed(right_);
  for (std::size_t position = 0; position < case_.specs.size(); ++position) {
    if (case_.specs[position].role == OperandRole::input || !case_.specs[position].present) continue;
    const Operand& right = right_[static_cast<int>(position)];
    const Operand& operand = reversed.own(static_cast<int>(position));
    for (Index element = 0; element < operand.size(); ++element)
      operand.store(element, right.load(operand.size() - 1 - element));
  }
  return case_.judge(variation, given.array(), reversed.array(), case_.arithmetic).violations > 0;
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::attempt(int variation, const Misreading& misread,
                                                         FaultClass fault_class, const std::string& kind,
                                                         const std::string& effect, bool perhaps_late) {
  if (spent()) return;
  for (const Diagnosis& known : found_)
    if (known.kind == kind) return;
  ChangedOperands changed(case_.before);
  if (misread && !misread(case_, changed)) return;
  ++tried_;
  const DiagnosedCase::Trial trial = case_.judge(variation, changed.array(), case_.after, case_.arithmetic);
  if (!trial.ran || trial.violations > 0 || trial.undetermined > undetermined_) return;
  const DiagnosedCase::Trial of_right = case_.judge(variation, changed.array(), right_, case_.arithmetic);
  if (!of_right.ran || (of_right.violations == 0 && !refutes_reversed(variation, changed)))
    return;  // it would accept anything
  if (contradicted(misread)) return;
  Diagnosis diagnosis;
  diagnosis.fault_class = fault_class;
  diagnosis.kind = kind;
  const bool copied =
      fault_class == precision && nothing_computed();  // which an output that is rounded twice looks like
  // Few elements may fit by chance; and what a misread number or an option that nobody asked for amounts to can be told
  // in several ways.
  const bool debatable =
      variation >= 0 &&
      (kind.ends_with("_assumed") || case_.variations[static_cast<std::size_t>(variation)].changes.front().whole != 0);
  // What would explain much less than is wrong, or may as well lie beyond an operand, or not have arrived, is not
  // certain either.
  const bool little = 4 * of_right.violations < violations_,
             elsewhere = holds(kind, "_of_next") || holds(kind, "_of_previous") || holds(kind, "_shifted");
  diagnosis.confidence = of_right.violations >= 4 + trial.elements / 200 && !debatable && !little && !elsewhere &&
                                 !copied && !(fault_class == addressing && gives_places_) && !perhaps_late
                             ? Confidence::likely
                             : Confidence::possible;
  diagnosis.evidence.push_back(
      "all " + std::to_string(trial.elements) + " elements are right for a kernel that " + effect +
      (of_right.violations > 0 ? ", which would get " + std::to_string(of_right.violations) + " of them wrong"
                               : std::string(", for which right ones might be as well")));
  found_.push_back(std::move(diagnosis));
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_not_ready(int position) {
  const Index size = case_.before[position].size();
  if (size >= 8)
    attempt(-1,
            scaled_where(
                position, [size](Index element) { return 2 * element >= size; }, 0, 0),
            state, "input_not_ready",
            "finds zeros in the second half of " + name(position) + ", as before it was filled");
}

ASSAY_DETAIL_HEADER_INLINE bool Counterfactuals::tells_places(int position) const {
  const Operand& operand = case_.before[position];
  if (operand.format.is_float() || operand.format.bytes < 4 || operand.rank != 1 || operand.size() < 2 ||
      operand.load(0) != 0)
    return false;
  for (Index element = 1; element < operand.size(); ++element)
    if (operand.load(element) < operand.load(element - 1)) return false;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool Counterfactuals::rounds_twice(const FloatLayout& narrow) const {
  for (const FailingOutput& output : case_.outputs)
    if (!output.format.is_float() || output.format.layout.precision() >= narrow.precision() ||
        output.format.layout.exponent_bits > narrow.exponent_bits)
      return false;
  return nothing_computed();
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_flushed(int position) {
  const ElementFormat& format = case_.before[position].format;
  if (!format.is_float()) return;
  const double smallest = std::ldexp(1.0, format.layout.min_exponent());
  const std::size_t known = found_.size();
  bool any_normal = false;  // or else the operand is 0 throughout, which has other causes, too
  for (Index element = 0; element < case_.before[position].size(); ++element)
    any_normal = any_normal || std::fabs(case_.before[position].load(element)) >= smallest;
  try_elements(position, special_value, name(position) + "_subnormals_flushed",
               "reads subnormal numbers of " + name(position) + " as 0",
               [smallest](double value) { return std::fabs(value) < smallest ? 0 : value; });
  if (found_.size() > known && !any_normal) found_.back().confidence = Confidence::possible;
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_values_of_several() {
  const auto is_scale = [&](int position) {
    return case_.before[position].format.is_float() && holds(name(position), "scale");
  };
  const auto is_byte = [&](int position) {
    return !case_.before[position].format.is_float() && case_.before[position].format.bytes == 1;
  };
  try_all(is_scale, "scales_exponent_off_by_one", "takes all scales to be twice as large",
          [](double value) { return 2 * value; });
  try_all(is_scale, "scales_exponent_off_by_one", "takes all scales to be half as large",
          [](double value) { return value / 2; });
  try_all(is_byte, "signs_misread", "reads all bytes with the other signedness", [](double value) {
    return value >= 128 ? value - 256 : value < 0 ? value + 256 : value;
  });
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_all(const std::function<bool(int)>& of_the_sort,
                                                         const std::string& kind, const std::string& effect,
                                                         const std::function<double(double)>& change) {
  std::vector<Misreading> misread;
  each_operand([&](int position) {
    if (of_the_sort(position)) misread.push_back(other_values(position, change));
  });
  if (misread.size() >= 2) attempt(-1, together(misread), special_value, kind, effect);
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_dimension(int position, int d, const std::string& kind,
                                                               const std::string& effect,
                                                               const std::function<Index(Index, Index)>& from) {
  const Operand& given = case_.before[position];
  Index inner = 1;
  for (int e = d + 1; e < given.rank; ++e) inner *= given.extents[e];
  const auto source = [inner, extent = given.extents[d], from](Index element) {
    const Index index = element / inner % extent, other = from(index, extent);
    return other < 0 || other >= extent ? element : element + (other - index) * inner;
  };
  attempt(-1, other_places(position, source), addressing, kind, effect);
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_places(int position) {
  if (tells_places(position)) return;
  const Operand& given = case_.before[position];
  const std::string& own = name(position);
  for (int d = 0; d < given.rank; ++d) {
    if (given.extents[d] < 2) continue;
    const std::string along = " along dimension " + std::to_string(d);
    for (const MisreadSlices& misread : misread_slices(own, given.extents[d]))
      try_dimension(position, d, own + misread.kind, misread.effect + along, misread.source);
  }
  try_transpositions(position);
  for (const MisreadPlaces& misread : misread_places(given))
    attempt(-1, other_places(position, misread.source), addressing, own + misread.kind, misread.effect + ", of " + own);
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_transpositions(int position) {
  const Operand& given = case_.before[position];
  for (int d = 0; d + 1 < given.rank; ++d) {
    const Index rows = given.extents[d], columns = given.extents[d + 1];
    if (rows < 2 || columns < 2) continue;
    Index inner = 1;
    for (int e = d + 2; e < given.rank; ++e) inner *= given.extents[e];
    const auto source = [=](Index element) {
      const Index within = element / inner % (rows * columns), row = within / columns, column = within % columns;
      return element + (column * rows + row - within) * inner;
    };
    attempt(-1, other_places(position, source), addressing, name(position) + "_transposed",
            "reads " + name(position) + " with dimensions " + std::to_string(d) + " and " + std::to_string(d + 1) +
                " exchanged");
  }
}

ASSAY_DETAIL_HEADER_INLINE Misreading Counterfactuals::together(const std::vector<Misreading>& several) {
  return [&several](const DiagnosedCase& of, ChangedOperands& changed) {
    bool any = false;
    for (const Misreading& one : several) any = one(of, changed) || any;
    return any;
  };
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_first_slices() {
  Index slices = 0;
  std::vector<Misreading> misread;
  each_operand([&](int position) {
    const Operand& given = case_.before[position];
    if (case_.specs[static_cast<std::size_t>(position)].role != OperandRole::input || given.rank < 2 ||
        given.extents[0] < 2 || (slices != 0 && given.extents[0] != slices))
      return;
    slices = given.extents[0];
    misread.push_back(
        other_places(position, [inner = given.size() / slices](Index element) { return element % inner; }));
  });
  if (misread.size() < 2) return;
  attempt(-1, together(misread), addressing, "operands_of_first",
          "reads the first of " + std::to_string(slices) + " slices of all its operands for all of them");
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_exchanges() {
  each_operand([&](int a) {
    each_operand([&](int b) {
      if (b <= a || !case_.before[a].format.is_float() || !(case_.before[a].format == case_.before[b].format) ||
          case_.before[a].rank != case_.before[b].rank || case_.before[a].size() != case_.before[b].size())
        return;
      attempt(-1, exchanged_operands(a, b), addressing, name(a) + "_and_" + name(b) + "_exchanged",
              "takes " + name(a) + " for " + name(b) + " and the reverse");
    });
  });
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_parts(int position) {
  const Operand& given = case_.before[position];
  if (!given.format.is_float()) return;
  for (int d = 0; d < given.rank; ++d) {
    const Index extent = given.extents[d];
    if (extent < 2) continue;
    for (const auto& [first, last] : parts_of_extent(extent)) {
      const std::string where = std::to_string(first) + (last - first > 1 ? " to " + std::to_string(last - 1) : "") +
                                " of dimension " + std::to_string(d) + " of " + name(position);
      try_range(position, d, first, last, missing_work, "terms_missing", "leaves out " + where, 0);
      if (!invents_nan_)
        try_range(position, d, first, last, missing_work, "terms_missing", "leaves out " + where, 0, -HUGE_VAL);
      try_range(position, d, first, last, repeated_work, "terms_repeated", "counts twice " + where, 2);
    }
  }
}

ASSAY_DETAIL_HEADER_INLINE void Counterfactuals::try_range(int position, int d, Index first, Index last,
                                                           FaultClass fault_class, const std::string& kind,
                                                           const std::string& effect, double factor, double addend) {
  const Operand& given = case_.before[position];
  const Index extent = given.extents[d];
  Index inner = 1;
  for (int e = d + 1; e < given.rank; ++e) inner *= given.extents[e];
  const auto chosen = [=](Index element) {
    return element / inner % extent >= first && element / inner % extent < last;
  };
  attempt(-1, scaled_where(position, chosen, factor, addend), fault_class, kind, effect,
          factor == 0 && d == 0 && first > 0 && last == extent);
}

}  // namespace assay::inline v0::detail
