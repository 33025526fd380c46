#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "assay/backends/byte_work.hpp"
#include "assay/backends/host_block.hpp"
#include "assay/validators/device/detail/device_check.hpp"
#include "assay/validators/device/detail/multiprocessor_work.hpp"

namespace assay::inline v0 {

/// How multiprocessors are compared.
struct MultiprocessorOptions {
  unsigned present = 0;                    ///< multiprocessors; 0: as many as the backend says
  unsigned rounds = 64;                    ///< launches at most, until each has computed `least_blocks`
  unsigned least_blocks = 4;               ///< on each multiprocessor; fewer are inconclusive
  unsigned blocks_per_multiprocessor = 8;  ///< of one launch, if they were dealt out evenly
  int steps = 2048;                        ///< of each thread, in each unit
};

/// Whether every multiprocessor (compute unit) of the device computes, and computes right: blocks tell where they ran,
/// and what came of integers, float32 and float64 and of shared memory there, which the host has computed as well. One
/// that is wrong is named, with the unit; while any was not seen, the outcome is `inconclusive`, never a pass. Two
/// tables: the map of all that were seen, and those that are wrong.
///
/// Measurements: "multiprocessors_seen", "multiprocessors_present", "multiprocessors_wrong", "rounds". Label "fault":
/// `wrong_multiprocessor`, or `lost_blocks`. `unsupported` where blocks cannot tell where they run, or the backend not
/// how many there are. Takes some milliseconds a round. Misuse: no round, block or step.
template <BlockBackend B, class Arithmetic = detail::RightArithmetic>
[[nodiscard]] Outcome check_multiprocessors(B& backend, const MultiprocessorOptions& options = {},
                                            const Arithmetic& arithmetic = {}) {
  using Record = detail::MultiprocessorRecord;
  using Work = detail::MultiprocessorWork<Arithmetic>;
  expect(options.rounds > 0 && options.blocks_per_multiprocessor > 0 && options.steps > 0 && options.least_blocks > 0,
         [] { return "a check of multiprocessors was given no rounds, blocks or steps; give 1 or more of each"; });
  Outcome outcome = detail::begun_outcome("multiprocessors", backend.name(), "");
  const detail::Stopwatch watch;
  std::size_t present = options.present;
  if constexpr (requires { backend.multiprocessors(); })
    if (present == 0) present = static_cast<std::size_t>(backend.multiprocessors());
  if (present == 0)
    return detail::refuse(outcome,
                          {ErrorKind::unsupported,
                           std::string(backend.name()) +
                               " does not say how many multiprocessors it has; set MultiprocessorOptions::present"});

  Record right;
  {
    std::vector<Record> records(1);
    detail::RunHostBlock<detail::MultiprocessorWork<>>{{records.data(), options.steps, {}}, ThreadOrder::ascending}(0);
    right = records[0];
  }

  auto stream = backend.make_stream();
  if (!stream) return detail::refuse(outcome, stream.error());
  const std::size_t blocks = present * options.blocks_per_multiprocessor;
  auto memory = backend.template allocate<Record>(blocks);
  if (!memory) return detail::refuse(outcome, memory.error());
  struct Seen {
    std::size_t blocks = 0, wrong[Record::units] = {};
    [[nodiscard]] std::size_t all_wrong() const { return wrong[0] + wrong[1] + wrong[2] + wrong[3]; }
  };
  std::map<int, Seen> seen;
  std::vector<Record> records(blocks);
  unsigned rounds = 0;
  std::size_t lost = 0, done = 0;
  for (; rounds < options.rounds && (seen.size() < present || done < seen.size()) && lost == 0; ++rounds) {
    if (auto cleared = detail::fill_bytes(backend, stream.value(), memory.value().data(), blocks * sizeof(Record), 0);
        !cleared)
      return detail::refuse(outcome, cleared.error());
    auto run = detail::launch_alone(backend, stream.value(), "the check of multiprocessors", [&] {
      return backend.parallel_blocks(stream.value(), blocks, Work{memory.value().data(), options.steps, arithmetic});
    });
    if (run) detail::assign(run, backend.copy_to_host(stream.value(), records.data(), memory.value().data(), blocks));
    if (run) detail::assign(run, backend.synchronize(stream.value()));
    if (!run) return detail::refuse(outcome, run.error());
    for (const Record& record : records) {
      if (record.written != 1) {
        ++lost;
        continue;
      }
      Seen& here = seen[record.multiprocessor];
      ++here.blocks;
      for (int unit = 0; unit < Record::units; ++unit)
        here.wrong[unit] += record.digests[unit] != right.digests[unit] ? 1 : 0;
    }
    if (seen.count(-1) > 0 && seen.size() == 1) break;
    done = 0;
    for (const auto& [number, here] : seen) done += here.blocks >= options.least_blocks ? 1 : 0;
  }

  Table map{"multiprocessors", {"number", "blocks", "wrong blocks"}, {}},
      wrong{"wrong multiprocessors", {"number", "blocks", "unit", "wrong blocks"}, {}};
  std::string names;
  for (const auto& [number, here] : seen) {
    std::size_t most = 0;
    for (int unit = 0; unit < Record::units; ++unit) {
      most = std::max(most, here.wrong[unit]);
      if (here.wrong[unit] > 0)
        wrong.rows.push_back({std::to_string(number), std::to_string(here.blocks), detail::unit_name(unit),
                              std::to_string(here.wrong[unit])});
    }
    map.rows.push_back({std::to_string(number), std::to_string(here.blocks), std::to_string(most)});
    if (most == 0) continue;
    names += (names.empty() ? "" : ", ") + std::to_string(number);
    outcome.measure("wrong_multiprocessor", number, "number");
  }
  const std::size_t known = seen.size() - seen.count(-1);
  std::size_t bad = 0;
  for (const auto& [number, here] : seen) bad += here.all_wrong() > 0 ? 1 : 0;
  outcome.measure("multiprocessors_seen", static_cast<double>(known), "multiprocessors");
  outcome.measure("multiprocessors_present", static_cast<double>(present), "multiprocessors");
  outcome.measure("multiprocessors_wrong", static_cast<double>(bad), "multiprocessors");
  outcome.measure("rounds", rounds, "launches");
  outcome.tables.push_back(std::move(map));
  if (!wrong.rows.empty()) outcome.tables.push_back(std::move(wrong));
  outcome.duration_seconds = watch.seconds();

  const std::string counted = std::to_string(known) + " of " + std::to_string(present) + " multiprocessors were seen";
  if (bad > 0) {
    const std::string where = known > 0 ? "multiprocessor " + names + (bad == 1 ? " computes" : " compute") + " wrong"
                                        : "some multiprocessor computes wrong, and blocks do not tell which";
    return detail::fail(outcome, "wrong_multiprocessor", where + "; " + counted);
  }
  if (lost > 0)
    return detail::fail(outcome, "lost_blocks",
                        std::to_string(lost) + " of " + std::to_string(blocks) +
                            " blocks of a launch wrote nothing, though it succeeded");
  if (known == 0)
    return detail::refuse(outcome, {ErrorKind::unsupported,
                                    "blocks of " + std::string(backend.name()) +
                                        " do not tell on which multiprocessor they run; what they computed is right"});
  if (known < present) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = counted + " in " + std::to_string(rounds) +
                     " launches: the others were not tried; something else may use them, or the device may not (a "
                     "partition, a reservation)";
  } else if (done < seen.size()) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = counted + ", but some with fewer than " + std::to_string(options.least_blocks) + " blocks in " +
                     std::to_string(rounds) + " launches; give it more rounds";
  } else if (known > present) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = counted + ": the device has more than it says, so that it cannot be told whether these are all";
  } else {
    outcome.verdict = Verdict::pass;
    outcome.reason = counted + ", each with " + std::to_string(options.least_blocks) + " right blocks or more";
  }
  return outcome;
}

}  // namespace assay::inline v0
