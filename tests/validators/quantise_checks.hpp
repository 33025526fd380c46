#pragma once

#include <string>

#include "assay/backends/host.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/validators/check_dequantise.hpp"
#include "assay/validators/check_quantise.hpp"
#include "assay/validators/faults/emulated_quantise.hpp"

namespace assay::testing {

inline Host& quantise_worker() {
  static Host host(2);
  return host;
}

inline QuantiseProblem quantise_problem(const BlockScaling& scheme, Index rows, Index columns) {
  QuantiseProblem problem;
  problem.rows = rows;
  problem.columns = columns;
  problem.scheme = scheme;
  return problem;
}

template <class Op>
Outcome quantise_outcome(const QuantiseSubject<Op>& subject, const QuantiseProblem& problem, QuantiseFillKind fill, std::uint64_t seed = 1,
                         unsigned repetitions = 1) {
  return check_quantise<Op>(quantise_worker(), subject, problem, fill, CaseContext{seed, repetitions});
}
template <class Op>
Outcome dequantise_outcome(const QuantiseSubject<Op>& subject, const QuantiseProblem& problem, DequantiseFillKind fill,
                           std::uint64_t seed = 1, unsigned repetitions = 1) {
  return check_dequantise<Op>(quantise_worker(), subject, problem, fill, CaseContext{seed, repetitions});
}

/// Reason, findings and the first mismatch in one text, for searching.
inline std::string all_said(const Outcome& outcome) {
  std::string text = outcome.reason;
  for (const std::string& finding : outcome.diagnosis) text += '\n' + finding;
  for (const Table& table : outcome.tables)
    for (const auto& row : table.rows) {
      text += "\n ";
      for (const std::string& cell : row) text += ' ' + cell;
    }
  return text;
}

}  // namespace assay::testing
