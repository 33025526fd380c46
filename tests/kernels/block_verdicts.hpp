#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>

#include "kernels/block_host.hpp"
#include "testing/operation_conformance.hpp"

namespace assay::testing {

/// Kernels are judged by a device's references, which come by blocks, as by the host's: a sample of one case in `step`
/// for right kernels and faulty ones, of which more than half must be caught by it.
template <Operation Op>
void require_same_verdicts_by_blocks(std::size_t step) {
  OperationSuiteOptions options;
  options.formats = {element_format<float32>(), element_format<bfloat16>()};
  std::size_t case_number = 0;
  const auto failures_of = [&](const OperationSubject<Op>& subject) {
    Suite here, there;
    add_operation_cases<Op>(here, BlockHost(ThreadOrder::descending), subject, options);
    add_operation_cases<Op>(there, Host(1), subject, options);
    REQUIRE(here.size() == there.size());
    std::size_t failed = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (is_large(here[i]) || case_number++ % step != 0) continue;
      CaseContext context;
      context.seed = case_seed(3, here[i].id);
      const Outcome a = here[i].run(context), b = there[i].run(context);
      INFO(subject.name << ", " << here[i].id << ": " << a.reason << " | " << b.reason);
      CHECK(a.verdict == b.verdict);
      failed += a.verdict == Verdict::fail ? 1 : 0;
    }
    return failed;
  };
  for (const OperationSubject<Op>& subject : OperationFaults<Op>::correct()) failures_of(subject);
  std::size_t caught = 0;
  for (const Fault& fault : OperationFaults<Op>::faults())
    caught += failures_of(OperationFaults<Op>::faulty(fault.name)) > 0 ? 1 : 0;
  INFO(caught << " of " << OperationFaults<Op>::faults().size() << " faults caught");
  CHECK(2 * caught > OperationFaults<Op>::faults().size());
}

}  // namespace assay::testing
