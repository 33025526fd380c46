#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/table.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/faults/unseen_faults.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/failures/diagnose_operation.hpp"
#include "assay/validators/operation_memory.hpp"

namespace assay::inline v0 {

/// What the diagnosis made of one failing case of a kernel with a known fault.
struct NamedFault {
  /// Of the failing case.
  std::string operation, fault, shape;
  FaultClass declared = FaultClass::missing_work;  ///< the class that the fault is known to be of
  std::vector<Diagnosis> diagnoses;                ///< most telling first
  double seconds = 0;                              ///< time that the diagnosis took

  /// Whether anything was named.
  [[nodiscard]] bool diagnosed() const { return !diagnoses.empty(); }
  /// Whether the first diagnosis has the right class.
  [[nodiscard]] bool rightly() const { return diagnosed() && diagnoses.front().fault_class == declared; }
  /// Whether a wrong class was named with certainty, which must not happen.
  [[nodiscard]] bool wrongly_certain() const {
    return diagnosed() && !rightly() && diagnoses.front().confidence == Confidence::certain;
  }
};

/// Which failing cases of a corpus are diagnosed.
struct NameFaultsOptions {
  int half = -1;                        ///< 0 or 1: the faults whose names fall into that half of the corpus; −1: all
  std::vector<std::uint64_t> seeds{1};  ///< each seed runs all cases once
  std::size_t cases_a_fault = 3;        ///< failing cases diagnosed of each fault and seed
  std::size_t most_tried = 60;          ///< cases run in search of failing ones
  DiagnosisOptions diagnosis;           ///< by whom: `{&diagnose, 1, true}`
  std::vector<AnyCommonFault>
      /// if there are any, they are tried instead of the corpus, and `half` must be −1; of GEMM those of rounding are
      /// left out
      others;
  std::vector<ElementFormat> formats{element_format<float32>(), element_format<bfloat16>(), element_format<float16>()};
};

/// The half of the corpus to which a fault belongs: by a hash of its name alone, so that faults of one name in several
/// operations stay together.
[[nodiscard]] inline int half_of(std::string_view fault) {
  return static_cast<int>(case_seed(0x5A17, fault) >> 17 & 1);
}

namespace detail {

/// Tries cases in an order that fault and seed decide, until enough of them fail: `name(case, seed)` gives nothing
/// where one passes. `invisible`: why none can fail.
template <class Name>
void name_some(const Fault& fault, const std::string& invisible, const std::vector<std::string>& cases,
               const NameFaultsOptions& options, std::vector<NamedFault>& named, Name&& name) {
  if (!invisible.empty() || (options.half >= 0 && half_of(fault.name) != options.half)) return;
  for (const std::uint64_t seed : options.seeds) {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < cases.size(); ++i) order.emplace_back(case_seed(seed, fault.name + "/" + cases[i]), i);
    std::sort(order.begin(), order.end());
    std::size_t found = 0, tried = 0;
    for (const auto& [own_seed, i] : order) {
      if (found >= options.cases_a_fault || (tried++ >= options.most_tried && found > 0)) break;
      if (std::optional<NamedFault> one = name(i, own_seed)) {
        one->shape = cases[i];
        named.push_back(std::move(*one));
        ++found;
      }
    }
  }
}

template <Operation Op>
[[nodiscard]] std::optional<NamedFault> name_fault(const OperationSubject<Op>& subject, const Fault& fault,
                                                   const typename Op::Problem& problem, FillKind fill,
                                                   std::uint64_t seed, const DiagnosisOptions& options) {
  auto specs = Op::operands(problem);
  Host host(1);
  auto stream = host.make_stream();
  if (!specs || !stream) return std::nullopt;
  const Arithmetic arithmetic = subject.arithmetic(problem);
  const OperationData data = Op::data(problem, fill, arithmetic, seed);
  auto prepared = OperationMemory<Host>::create(
      host, stream.value(), std::move(specs).value(), data,
      OperandStorage{fault.name.find("strides") != std::string::npos ? Index{3} : Index{0}, 0});
  if (!prepared) return std::nullopt;
  OperationMemory<Host>& memory = prepared.value();
  if (!subject.run(problem, memory.operands())) return std::nullopt;
  const auto findings = memory.inspect();
  const auto before = memory.operands_before();
  if (!findings || !before) return std::nullopt;
  const OperandArray after = memory.operands();
  OperationInquiry<Op> inquiry(problem, memory.specs(), data.model, ChosenTolerance{});
  if (findings.value().empty() && inquiry.judge(problem, before.value(), after, arithmetic).violations == 0)
    return std::nullopt;
  NamedFault named{Op::name(), fault.name, {}, fault.fault_class, {}, 0};
  const auto started = std::chrono::steady_clock::now();
  named.diagnoses = diagnose_operation<Op>(subject, problem, memory.specs(), data, before.value(), after,
                                           ChosenTolerance{}, findings.value(), false, options);
  named.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return named;
}

}  // namespace detail

/// Diagnoses failing cases of an operation's faulty kernels, its own and those that all operations can have, one case
/// at a time. Each fault and seed has its own order of cases.
template <Operation Op>
[[nodiscard]] std::vector<NamedFault> name_faults(const NameFaultsOptions& options) {
  std::vector<NamedFault> all;
  std::vector<std::pair<OperationShape<typename Op::Problem>, FillKind>> cases;
  std::vector<std::string> names;
  for (const ElementFormat& format : options.formats)
    for (const auto& shape : Op::shapes(format))
      for (const FillKind fill : shape.fills) {
        if (shape.large) continue;
        cases.emplace_back(shape, fill);
        names.push_back(Op::name_of(shape.problem) + "/" + Op::formats_of(shape.problem) + "/" +
                        std::string(name_of(fill)));
      }
  const auto try_fault = [&](const Fault& fault, const OperationSubject<Op>& subject) {
    detail::name_some(fault, proof_of_invisibility(Op::name(), fault.name), names, options, all,
                      [&](std::size_t i, std::uint64_t seed) {
                        return detail::name_fault<Op>(subject, fault, cases[i].first.problem, cases[i].second, seed,
                                                      options.diagnosis);
                      });
  };
  for (const AnyCommonFault& other : options.others)
    try_fault(fault_of(other), with_common_fault<Op>(OperationFaults<Op>::correct().front(), other));
  if (!options.others.empty()) return all;
  for (const Fault& fault : OperationFaults<Op>::faults()) try_fault(fault, OperationFaults<Op>::faulty(fault.name));
  for (const Fault& fault : common_operation_faults())
    try_fault(fault, with_common_fault<Op>(OperationFaults<Op>::correct().front(), fault.name));
  return all;
}

/// In the order of `FaultClass`; progress is none of a single kernel.
inline constexpr std::array<FaultClass, 8> all_fault_classes{
    FaultClass::missing_work, FaultClass::repeated_work, FaultClass::precision, FaultClass::rounding,
    FaultClass::addressing,   FaultClass::special_value, FaultClass::memory,    FaultClass::state};

/// Rows: the class that faults declare. Columns: the class of the first diagnosis.
[[nodiscard]] Table confusion_matrix(const std::vector<NamedFault>& named);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/name_faults.ipp"
#endif
