#pragma once

#include "assay/validators/failures/judge_by_promises.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Asks of each refuted element which promise makes it right.
class PromisedElements {
 public:
  PromisedElements(const DiagnosedCase& given, const std::vector<UnitPromise>& promises)
      : case_(given), promises_(promises), needed_(promises.size()), flushed_operands_(given.before) {}

  [[nodiscard]] PromiseJudgment judgment() {
    PromiseJudgment found;
    if (!case_.memory_findings.empty() || case_.outputs.empty() || promises_.empty()) return found;
    if (flush_inputs()) flushed_ = case_.look(flushed_operands_.array(), case_.after);
    if (flushed_.size() != case_.outputs.size()) flushed_.clear();
    bool all = true;
    for (std::size_t output = 0; output < case_.outputs.size(); ++output) all = look(output) && all;
    if (!all) all = sums_are_flushed();
    all = all && accepted_ > 0 && nothing_else_is_wrong();
    found.accepted = accepted_;
    found.explains_all = all;
    found.worst_ratio = worst_ratio_;
    for (std::size_t i = 0; i < promises_.size(); ++i)
      if (needed_[i]) found.promises.push_back(described(promises_[i]));
    return found;
  }

 private:
  [[nodiscard]] static double smallest_normal(const ElementFormat& format) {
    return std::ldexp(1.0, format.layout.min_exponent());
  }
  [[nodiscard]] static bool is_subnormal_of(const ElementFormat& format, double value) {
    return value != 0 && std::fabs(value) < smallest_normal(format);
  }

  /// The first promise of that kind about a format, or about results of inputs that are of one; −1: none.
  [[nodiscard]] int promise_of(bool flushing, const ElementFormat& format, bool of_result) const {
    for (std::size_t i = 0; i < promises_.size(); ++i) {
      const UnitProperty property = promises_[i].property;
      const bool flushes = property == UnitProperty::flush_subnormals || property == UnitProperty::flush_products;
      if (flushes != flushing || (!flushes && property != UnitProperty::default_nan)) continue;
      bool about = promises_[i].is_about(format.name);
      for (const OperandSpec& spec : case_.specs)
        about = about || (of_result && spec.present && spec.role != OperandRole::output && spec.format.is_float() &&
                          promises_[i].is_about(spec.format.name));
      if (about) return static_cast<int>(i);
    }
    return -1;
  }

  /// Puts 0 in place of the subnormal inputs that promises are about. Whether there were any.
  [[nodiscard]] bool flush_inputs() {
    bool any = false;
    for (std::size_t i = 0; i < case_.specs.size(); ++i) {
      const OperandSpec& spec = case_.specs[i];
      if (!spec.present || spec.role == OperandRole::output || !spec.format.is_float()) continue;
      const int promise = promise_of(true, spec.format, false);
      if (promise < 0) continue;
      const Operand& original = case_.before[static_cast<int>(i)];
      const Operand* changed = nullptr;
      for (Index element = 0; element < original.size(); ++element) {
        const double value = original.load(element);
        if (!is_subnormal_of(spec.format, value)) continue;
        if (changed == nullptr) changed = &flushed_operands_.own(static_cast<int>(i));
        changed->store(element, std::copysign(0.0, value));
        input_promise_ = promise;
      }
      any = any || changed != nullptr;
    }
    return any;
  }

  void need(int promise) {
    ++accepted_;
    if (promise >= 0) needed_[static_cast<std::size_t>(promise)] = true;
  }
  void measure(const FailingOutput& output, std::size_t i) {
    const double ratio = error_over_interval(output.actual[i], output.expected[i], output.accepted(i));
    if (ratio > worst_ratio_) worst_ratio_ = std::min(ratio, 1.0);  // of an element that is right
  }

  /// Whether every element of an output is right; keeps the others.
  [[nodiscard]] bool look(std::size_t number) {
    const FailingOutput& kept = case_.outputs[number];
    const FailingOutput* const flushed = flushed_.empty() ? nullptr : &flushed_[number];
    const bool is_float = kept.format.is_float();
    const int flushes = is_float ? promise_of(true, kept.format, true) : -1,
              forgets = is_float ? promise_of(false, kept.format, true) : -1;
    std::vector<std::size_t> unexplained;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept.violated[i]) {
        if (is_finite(kept.actual[i])) measure(kept, i);
      } else if (flushed != nullptr && !flushed->violated[i] && is_other(kept, *flushed, i)) {
        need(input_promise_);
        if (is_finite(kept.actual[i])) measure(*flushed, i);
      } else if (flushes >= 0 && (is_flushed(kept, i) || (flushed != nullptr && is_flushed(*flushed, i)))) {
        need(flushes);
      } else if (forgets >= 0 && is_nan(kept.actual[i]) && is_nan(kept.expected[i])) {
        need(forgets);
      } else {
        unexplained.push_back(i);
      }
    }
    const bool all = unexplained.empty();
    unexplained_.push_back(std::move(unexplained));
    return all;
  }

  /// Whether flushed inputs change what is expected of an element.
  [[nodiscard]] static bool is_other(const FailingOutput& kept, const FailingOutput& flushed, std::size_t i) {
    if (is_nan(kept.expected[i]) && is_nan(flushed.expected[i])) return false;
    return kept.expected[i] != flushed.expected[i] || kept.error[i] != flushed.error[i];
  }

  /// Whether the launch is right with the answers that were due in place of those that promises explain. Operations
  /// that are judged by their codes tell a lost payload or sign only where all values are right.
  [[nodiscard]] bool nothing_else_is_wrong() const {
    if (!case_.judge) return true;
    for (const FailingOutput& output : case_.outputs)
      if (promise_of(false, output.format, true) >= 0) return true;  // payloads and the like need not be kept
    ChangedOperands written(case_.after);
    std::size_t own = 0;
    for (std::size_t i = 0; i < case_.specs.size() && own < case_.outputs.size(); ++i) {
      if (case_.specs[i].role == OperandRole::input || !case_.specs[i].present) continue;
      const FailingOutput& output = case_.outputs[own++];
      const Operand& operand = written.own(static_cast<int>(i));
      for (std::size_t e = 0; e < output.size(); ++e)
        if (output.violated[e]) operand.store(static_cast<Index>(e), output.right(e));
    }
    const DiagnosedCase::Trial trial = case_.judge(-1, case_.before, written.array(), case_.arithmetic);
    return trial.ran && trial.violations == 0;
  }

  /// Whether 0 stands where a subnormal number would be right.
  [[nodiscard]] static bool is_flushed(const FailingOutput& output, std::size_t i) {
    const AcceptanceInterval accepted = output.accepted(i);
    const double smallest = smallest_normal(output.format);
    return output.actual[i] == 0 && accepted.lower <= accepted.upper && accepted.lower < smallest &&
           accepted.upper > -smallest;
  }

  /// Whether what is left lies within the bound of sums that lose their subnormal values: judged beside right answers
  /// in all other places.
  [[nodiscard]] bool sums_are_flushed() {
    int promise = -1;
    for (const FailingOutput& output : case_.outputs)
      if (output.format.is_float()) promise = std::max(promise, promise_of(true, output.format, true));
    if (promise < 0 || !case_.judge) return false;
    Arithmetic arithmetic = case_.arithmetic;
    AccumulationModel& sums = arithmetic.accumulation;
    sums.min_subnormal = std::ldexp(sums.min_subnormal, sums.precision - 1);
    const std::vector<FailingOutput>& right = flushed_.empty() ? case_.outputs : flushed_;
    ChangedOperands written(case_.after);
    std::size_t own = 0, left = 0, elements = 0;
    for (std::size_t i = 0; i < case_.specs.size() && own < right.size(); ++i) {
      if (case_.specs[i].role == OperandRole::input || !case_.specs[i].present) continue;
      const Operand& operand = written.own(static_cast<int>(i));
      const std::vector<std::size_t>& unexplained = unexplained_[own];
      for (std::size_t e = 0; e < right[own].size(); ++e)
        if (!std::binary_search(unexplained.begin(), unexplained.end(), e))
          operand.store(static_cast<Index>(e), right[own].right(e));
      left += unexplained.size();
      elements += right[own].size();
      ++own;
    }
    const DiagnosedCase::Trial trial = case_.judge(-1, flushed_operands_.array(), written.array(), arithmetic);
    if (!trial.ran || trial.violations > 0 || trial.undetermined > 0 || trial.elements != elements) return false;
    for (; left > 0; --left) need(promise);
    return true;
  }

  const DiagnosedCase& case_;
  const std::vector<UnitPromise>& promises_;
  std::vector<bool> needed_;
  ChangedOperands flushed_operands_;
  std::vector<FailingOutput> flushed_;
  std::vector<std::vector<std::size_t>> unexplained_;  ///< elements, in ascending order, of each output
  int input_promise_ = -1;
  std::uint64_t accepted_ = 0;
  double worst_ratio_ = 0;
};

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE PromiseJudgment judge_by_promises(const DiagnosedCase& given,
                                                             const std::vector<UnitPromise>& promises) {
  return detail::PromisedElements(given, promises).judgment();
}

}  // namespace assay::inline v0
