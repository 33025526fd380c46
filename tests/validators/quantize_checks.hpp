#pragma once

#include <string>

#include "assay/backends/host.hpp"
#include "assay/faults/emulated_quantize.hpp"
#include "assay/formats/block_schemes.hpp"
#include "assay/validators/check_dequantize.hpp"
#include "assay/validators/check_quantize.hpp"

namespace assay::testing {

inline Host& quantize_worker() {
  static Host host(2);
  return host;
}

inline QuantizeProblem quantize_problem(const BlockScaling& scheme, Index rows, Index columns) {
  QuantizeProblem problem;
  problem.rows = rows;
  problem.columns = columns;
  problem.scheme = scheme;
  return problem;
}

template <class Op>
Outcome quantize_outcome(const QuantizeSubject<Op>& subject, const QuantizeProblem& problem, QuantizeFillKind fill,
                         std::uint64_t seed = 1, unsigned repetitions = 1) {
  return check_quantize<Op>(quantize_worker(), subject, problem, fill, CaseContext{seed, repetitions});
}
template <class Op>
Outcome dequantize_outcome(const QuantizeSubject<Op>& subject, const QuantizeProblem& problem, DequantizeFillKind fill,
                           std::uint64_t seed = 1, unsigned repetitions = 1) {
  return check_dequantize<Op>(quantize_worker(), subject, problem, fill, CaseContext{seed, repetitions});
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
