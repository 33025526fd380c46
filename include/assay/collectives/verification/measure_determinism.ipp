#pragma once

#include "assay/collectives/verification/measure_determinism.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// A hash of this rank's output of one call; `parts` calls of consecutive elements make it.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::uint64_t> output_hash_of(AnyCollective& collective,
                                                                              RankCheck& check, std::uint64_t number,
                                                                              int parts,
                                                                              const CollectiveCheckOptions& options) {
  if (auto prepared = check.prepare(0, number); !prepared) return prepared.propagate();
  const CollectiveCall whole = check.call(0);
  for (int part = 0; part < parts; ++part) {
    CollectiveCall call = whole;
    const Index first = whole.count * part / parts, bytes = first * static_cast<Index>(bytes_of(whole.type));
    call.count = whole.count * (part + 1) / parts - first;
    if (call.send != nullptr) call.send = static_cast<const char*>(call.send) + bytes;
    if (call.receive != nullptr) call.receive = static_cast<char*>(call.receive) + bytes;
    if (auto done = collective.run(call, deadline_after(options.timeout)); !done) return done.propagate();
  }
  if (auto inspected = check.inspect(0); !inspected) return inspected.propagate();
  return check.output_hash(0);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<DeterminismLevel> measure_determinism(AnyCollective& collective,
                                                                        Coordinator& coordinator,
                                                                        const CollectiveProblem& problem,
                                                                        const CollectiveCheckOptions& options) {
  CollectiveProblem moved = problem;
  moved.offset = problem.offset + 3;
  auto check = RankCheck::make(collective, problem, 1);
  auto elsewhere = RankCheck::make(collective, moved, 1);
  if (!check) return check.propagate();
  if (!elsewhere) return elsewhere.propagate();
  const bool elementwise =
      problem.operation == CollectiveOperation::all_reduce || problem.operation == CollectiveOperation::reduce;
  auto reached = DeterminismLevel::across_ranks;
  std::uint64_t first = 0;
  constexpr int repeated = 16;  // orders that vary give the same by chance: 4 ranks in pairs two times out of three
  for (int trial = 0; trial <= repeated + 1 + (elementwise ? 1 : 0); ++trial) {
    RankCheck& used = trial == repeated + 1 ? elsewhere.value() : check.value();
    const auto hash =
        detail::output_hash_of(collective, used, options.first_call, trial == repeated + 2 ? 2 : 1, options);
    if (trial == 0 && hash) first = hash.value();
    auto all = coordinator.exchange(!hash                   ? "error"
                                    : hash.value() == first ? "same"
                                                            : "other",
                                    deadline_after(options.timeout + std::chrono::seconds(10)));
    if (!hash) return hash.propagate();
    if (!all) return all.propagate();
    bool same = true;
    for (const auto& said : all.value()) {
      if (!said || *said == "error") return failure(ErrorKind::aborted, "another rank could not repeat its call");
      same = same && *said == "same";
    }
    if (!same) return reached;
    if (trial >= repeated)
      reached = static_cast<DeterminismLevel>(static_cast<int>(DeterminismLevel::run_to_run) + trial - repeated);
  }
  return reached;
}

}  // namespace assay::inline v0
