#pragma once

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/relations/check_relation.hpp"

namespace assay::testing {

/// The relations by which a kernel fails, and how many cases were decided.
struct RelationResult {
  std::set<std::string> broken;
  std::size_t decided = 0;
  std::string first;
};

template <Operation Op>
[[nodiscard]] RelationResult broken_relations(const OperationSubject<Op>& subject, std::uint64_t seed = 1,
                                              const RelationSuiteOptions& options = {}) {
  Suite suite;
  add_relation_cases<Op>(suite, Host(1), subject, options);
  RelationResult result;
  for (const Case& entry : suite) {
    if (result.broken.count(entry.labels.at("relation")) > 0) continue;
    CaseContext context;
    context.seed = case_seed(seed, entry.id);
    const Outcome outcome = entry.run(context);
    CHECK(outcome.verdict != Verdict::error);
    result.decided += outcome.verdict == Verdict::pass || outcome.verdict == Verdict::fail ? 1 : 0;
    if (outcome.verdict != Verdict::fail) continue;
    result.broken.insert(entry.labels.at("relation"));
    if (result.first.empty()) result.first = entry.id + ": " + outcome.reason;
  }
  return result;
}

/// No right kernel breaks a relation, and each relation decides something of one.
template <Operation Op>
void require_right_kernels_keep(const std::vector<OperationSubject<Op>>& kernels, unsigned seeds = 1) {
  for (const OperationSubject<Op>& subject : kernels)
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      const RelationResult result =
          broken_relations<Op>(subject, seed, {{element_format<float32>(), element_format<bfloat16>()}, {}});
      INFO(subject.name << ": " << result.first);
      CHECK(result.broken.empty());
    }
  CHECK(broken_relations<Op>(kernels.front()).decided > OperationRelations<Op>::all().size());
}

/// The relations by which kernels with a fault are caught; none for a fault that commutes with all.
using RelationTable = std::map<std::string, std::set<std::string>>;

/// The table relation × fault is as it is known, row by row. Printed where ASSAY_RELATION_TABLE is set.
template <Operation Op, class Faulty>
void require_table(const RelationTable& table, Faulty faulty,
                   const std::vector<ElementFormat>& formats = {element_format<float32>()}) {
  for (const auto& [fault, known] : table) {
    const RelationResult result = broken_relations<Op>(faulty(fault), 1, {formats, {}});
    std::string list;
    for (const std::string& relation : result.broken) list += (list.empty() ? "" : ", ") + relation;
    if (std::getenv("ASSAY_RELATION_TABLE") != nullptr)
      std::printf("| %s | %s | %s |\n", Op::name(), fault.c_str(), list.empty() ? "none" : list.c_str());
    INFO(fault << " is caught by: " << list);
    CHECK(known == result.broken);
  }
}

/// A kernel with one of an operation's own faults, or a common one.
template <Operation Op>
[[nodiscard]] OperationSubject<Op> faulty_kernel(const std::string& name) {
  for (const Fault& fault : OperationFaults<Op>::faults())
    if (fault.name == name) return OperationFaults<Op>::faulty(name);
  return with_common_fault<Op>(OperationFaults<Op>::correct().front(), name);
}

}  // namespace assay::testing
