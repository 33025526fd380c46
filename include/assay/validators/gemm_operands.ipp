#pragma once

#include "assay/validators/gemm_operands.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE void judge_memory(const MemoryFindings& findings, Outcome& outcome) {
  const auto refute = [&](const std::string& finding) { judge_findings({finding}, outcome); };
  if (findings.unwritten > 0) refute(std::to_string(findings.unwritten) + " elements of C were never written");
  if (findings.gaps_overwritten > 0)
    refute(
        std::to_string(findings.gaps_overwritten) +
        " elements between the rows or matrices of C were overwritten: leading_dimension or batch_stride is ignored");
  const auto canary = [&](const char* operand, const CanaryReport& report) {
    if (!report.intact())
      refute("canary of " + std::string(operand) + " overwritten: " + std::to_string(report.overwritten_before) +
             " elements before, " + std::to_string(report.overwritten_after) + " behind it");
  };
  if (findings.a_modified) refute("input A was modified");
  if (findings.b_modified) refute("input B was modified");
  canary("A", findings.a);
  canary("B", findings.b);
  canary("C", findings.c);
}

}  // namespace assay::inline v0::detail
