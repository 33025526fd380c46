#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/inputs.hpp"
#include "assay/diagnosis/detail/misread_places.hpp"
#include "assay/diagnosis/detail/misread_slices.hpp"
#include "assay/diagnosis/detail/misread_values.hpp"
#include "assay/diagnosis/detail/misreading.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Which hypotheses are tried: all; those by which inputs are 0, wholly or in part; subnormal inputs read as 0; what
/// changes nothing of data without special values.
enum class Hypotheses { all, zeros, flushed, special };

/// What a kernel may have been given, or have taken its operands for, instead of what it was given: tried by asking of
/// what else its output is the right answer. A hypothesis that leaves no violation, and that refutes the answer that
/// was due, explains the failure.
class Counterfactuals {
 public:
  /// `other`: a launch on other data, which what explains the given one explains as well, if it is true. May be null.
  Counterfactuals(const DiagnosedCase& given, const OperandArray& right, double seconds,
                  const DiagnosedCase* other = nullptr);

  /// All explanations of the first kind that has any: subnormal numbers read as zero, misread members of the problem,
  /// operands read wrongly as a whole, in part.
  [[nodiscard]] std::vector<Diagnosis> explanations(Hypotheses which = Hypotheses::all);
  /// Operands that are read in wrong places, and nothing else.
  [[nodiscard]] std::vector<Diagnosis> wrong_places() {
    each_operand([&](int position) { try_places(position); });
    if (found_.empty()) try_first_slices();
    return settled();
  }
  [[nodiscard]] std::size_t tried() const { return tried_; }

 private:
  using enum FaultClass;

  [[nodiscard]] std::vector<Diagnosis> settled();

  void each_operand(const std::function<void(int)>& attempt) {
    for (const int position : inputs(case_)) attempt(position);
  }
  [[nodiscard]] const std::string& name(int position) const {
    return case_.specs[static_cast<std::size_t>(position)].name;
  }

  [[nodiscard]] bool spent() const {
    return found_.size() >= 6 ||
           std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count() > seconds_;
  }

  /// Whether the launch on other data is not as it should be, if the hypothesis were true.
  [[nodiscard]] bool contradicted(const Misreading& misread) const;

  /// Right draws may be right for another distribution, too, by chance; those of other rows hardly are.
  [[nodiscard]] bool refutes_reversed(int variation, const ChangedOperands& given) const;

  void attempt(int variation, const Misreading& misread, FaultClass fault_class, const std::string& kind,
               const std::string& effect, bool perhaps_late = false);

  void try_variations() {
    for (std::size_t i = 0; i < case_.variations.size(); ++i) {
      const ProblemVariation& variation = case_.variations[i];
      attempt(static_cast<int>(i), nullptr, variation.fault_class, variation.kind, variation.effect);
    }
  }

  /// Another value of each element: `change(value)`.
  void try_elements(int position, FaultClass fault_class, const std::string& kind, const std::string& effect,
                    const std::function<double(double)>& change) {
    attempt(-1, other_values(position, change), fault_class, kind, effect);
  }

  /// What a kernel sees that starts before its input has arrived.
  void try_not_ready(int position);

  /// Where rows of a packed operand begin: other numbers than these would lead beyond it.
  [[nodiscard]] bool tells_places(int position) const;

  [[nodiscard]] bool nothing_computed() const {
    for (const FailingOutput& output : case_.outputs)
      for (const float error : output.error)
        if (error > 0) return false;
    return true;
  }
  /// Whether nothing is computed, and outputs have fewer bits: to round an input is then to round the output twice.
  [[nodiscard]] bool rounds_twice(const FloatLayout& narrow) const;

  void try_flushed(int position);

  void try_values(int position) {
    if (tells_places(position)) return;
    try_each(position, ignored_values(name(position)));
    try_special_values(position);
    try_each(position, misread_values(name(position), case_.before[position]));
  }
  /// What may leave data without special values as they are: narrower formats, and NaN taken for numbers.
  void try_special_values(int position) {
    const ElementFormat& format = case_.before[position].format;
    if (!format.is_float()) return;
    try_each(position, narrowed_values(name(position), format,
                                       [this](const FloatLayout& narrow) { return rounds_twice(narrow); }));
    try_each(position, values_without_nan(name(position)));
  }
  void try_each(int position, const std::vector<MisreadValues>& misread) {
    for (const MisreadValues& one : misread) try_elements(position, one.fault_class, one.kind, one.effect, one.change);
  }

  /// What is misread of one operand may be of all of its sort.
  void try_values_of_several();
  void try_all(const std::function<bool(int)>& of_the_sort, const std::string& kind, const std::string& effect,
               const std::function<double(double)>& change);

  /// Elements of other places: `from(index along the dimension, its extent)`.
  void try_dimension(int position, int d, const std::string& kind, const std::string& effect,
                     const std::function<Index(Index, Index)>& from);

  void try_places(int position);

  /// Reads adjacent dimensions as if they were stored in the other order.
  void try_transpositions(int position);

  [[nodiscard]] static Misreading together(const std::vector<Misreading>& several);
  /// All inputs of the first matrix of a batch, or of the first sequence.
  void try_first_slices();

  void try_exchanges();

  /// Slices left out or counted twice.
  void try_parts(int position);
  void try_range(int position, int d, Index first, Index last, FaultClass fault_class, const std::string& kind,
                 const std::string& effect, double factor, double addend = 0);

  [[nodiscard]] static bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }

  const DiagnosedCase& case_;
  const OperandArray& right_;
  const DiagnosedCase* other_;
  double seconds_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t undetermined_ = 0, violations_ = 0, violations_of_other_ = 0;
  std::size_t tried_ = 0;
  bool invents_nan_ = false;   ///< which infinite inputs would explain, whatever the cause
  bool gives_places_ = false;  ///< which may be wrong themselves, with every input in its place
  std::vector<Diagnosis> found_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/counterfactuals.ipp"
#endif
