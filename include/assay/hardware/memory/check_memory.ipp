#pragma once

#include "assay/hardware/memory/check_memory.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/processor.hpp"
#include "assay/hardware/memory/host_memory.hpp"
#include "assay/hardware/memory/march_coverage.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome begun_memory_outcome(const std::string& test) {
  Outcome outcome;
  outcome.id = "hardware/memory/" + test;
  outcome.labels = {{"operation", "memory"}, {"backend", "host"}, {"test", test}};
  outcome.reproduce = "assay hardware memory --test " + test;
  return outcome;
}

/// What defects have in common: the bits, and whether they stay.
ASSAY_DETAIL_HEADER_INLINE void tell_defects(Outcome& outcome, const std::vector<MemoryDefect>& defects,
                                             std::uint64_t wrong_reads) {
  outcome.measure("wrong_reads", static_cast<double>(wrong_reads), "words");
  if (wrong_reads == 0) return;
  outcome.verdict = Verdict::fail;
  std::uint64_t bits = 0;
  std::set<std::uint64_t> words, lost;
  for (const MemoryDefect& defect : defects) {
    bits |= defect.flipped();
    words.insert(defect.offset);
    if (!defect.recovered()) lost.insert(defect.offset);
  }
  int count = 0;
  for (int bit = 0; bit < 64; ++bit) count += static_cast<int>(bits >> bit & 1);
  outcome.reason = std::to_string(wrong_reads) + " words were read wrong, the first at " +
                   (defects.empty() ? "an unknown place" : defects.front().text());
  outcome.diagnosis.push_back(std::to_string(words.size()) + " different words and " + std::to_string(count) +
                              " bits of the word among the defects kept; " +
                              (lost.empty() ? "all were right when read again: transfer, cache, or cells that recover"
                                            : std::to_string(lost.size()) + " held what is wrong when read again"));
  Table table{"defects", {"offset", "physical", "expected", "read", "again", "flipped", "element", "background"}, {}};
  for (const MemoryDefect& defect : defects) {
    outcome.diagnosis.push_back(defect.text());
    table.rows.push_back({hexadecimal(defect.offset, 12), defect.physical ? hexadecimal(*defect.physical, 12) : "-",
                          hexadecimal(defect.expected), hexadecimal(defect.actual), hexadecimal(defect.reread),
                          hexadecimal(defect.flipped()), std::to_string(defect.element + 1), defect.background});
    if (table.rows.size() == 16) break;
  }
  outcome.tables.push_back(std::move(table));
}

/// "SAF 100, TF 50, …": of tests whose words depend on their place, simulated in words of several bits.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string coverage_text(const MarchTest& test, VisitingOrder order) {
  const bool wide = test.backgrounds == BackgroundSet::addresses || test.backgrounds == BackgroundSet::random_words ||
                    test.backgrounds == BackgroundSet::walking;
  std::string text;
  const std::size_t words = wide || order == VisitingOrder::any ? 2 : 6;
  for (const MarchCoverage& row : march_coverage(test, words, wide ? 4 : 1, order))
    text += (text.empty() ? "" : ", ") + row.fault_class + " " +
            printed_number(100.0 * static_cast<double>(row.detected) / static_cast<double>(row.faults), 0,
                           std::chars_format::fixed);
  return text;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> memory_test_names() {
  std::vector<std::string> names;
  for (const MarchTest& test : all_march_tests()) names.push_back(test.name);
  names.push_back("modulo_20");
  names.push_back("block_move");
  return names;
}

ASSAY_DETAIL_HEADER_INLINE Outcome judge_march(const MarchTest& test, const MarchHostResult& result) {
  Outcome outcome = detail::begun_memory_outcome(test.name);
  outcome.duration_seconds = result.seconds;
  outcome.measure("tested", static_cast<double>(result.bytes), "B");
  outcome.measure("backgrounds", static_cast<double>(result.backgrounds));
  outcome.measure("parts", static_cast<double>(result.parts));
  if (result.seconds > 0 && result.backgrounds > 0)
    outcome.measure("rate",
                    static_cast<double>(result.bytes) * static_cast<double>(result.backgrounds) / result.seconds / 1e9,
                    "GB/s a background");
  outcome.derivation = {
      test.text() + ", on " + std::to_string(result.planned_backgrounds) + " backgrounds",
      "coverage in the stated order, % of simulated faults: " + detail::coverage_text(test, VisitingOrder::as_stated),
      "not seen: the order of words within 256 bytes, which lie in one burst of cache lines"};
  if (result.parts > 1)
    outcome.derivation.push_back(
        "memory is in " + std::to_string(result.parts) +
        " parts, a thread each: the stated order holds within a part; a fault that couples cells of two parts is found "
        "by chance (% that any order finds: " +
        detail::coverage_text(test, VisitingOrder::any) + "); one processor keeps the order of all");
  if (!result.flushed)
    outcome.derivation.push_back("caches cannot be flushed on this processor: reads at turns may come from them");
  detail::tell_defects(outcome, result.defects, result.wrong_reads);
  if (outcome.verdict == Verdict::fail) return outcome;
  if (!result.missing.empty()) {
    outcome.verdict = Verdict::error;
    outcome.reason = "a part of memory was not tested: " + result.missing.front();
  } else if (!result.complete) {
    outcome.reason = result.bytes == 0 ? "nothing was tested"
                                       : "only " + std::to_string(result.backgrounds) + " of " +
                                             std::to_string(result.planned_backgrounds) +
                                             " backgrounds were run in the time; give more time, or less memory";
  } else {
    outcome.verdict = Verdict::pass;
  }
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_memory(const MemoryCheckOptions& options) {
  std::vector<Outcome> outcomes;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  auto memory = HostMemory::take(options.bytes);
  const double whole = detail::host_memory_bytes();
  for (const std::string& name : options.tests) {
    Outcome outcome = detail::begun_memory_outcome(name);
    const double begun = seconds();
    const std::vector<std::string> names = memory_test_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      outcome.verdict = Verdict::error;
      outcome.reason = unknown_name("test of memory", name, names);
      outcomes.push_back(std::move(outcome));
      continue;
    }
    if (!memory) {
      outcome.verdict = memory.error().kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
      outcome.reason = memory.error().message;
      outcomes.push_back(std::move(outcome));
      continue;
    }
    const std::vector<CounterReading> before = options.counters ? options.counters() : std::vector<CounterReading>();
    MarchHostOptions march = options.march;
    march.stop = [&, given = options.march.stop] {
      return (options.budget_seconds > 0 && seconds() > options.budget_seconds) || (given && given());
    };
    if (const auto test = march_named(name)) {
      outcome = judge_march(test.value(), march_host(memory.value().words(), test.value(), march));
    } else {
      ClassicTestOptions classic;
      classic.most_defects = march.most_defects;
      classic.seed = march.seed;
      classic.stop = march.stop;
      const ClassicTestResult result = name == "modulo_20" ? modulo_20(memory.value().words(), classic)
                                                           : block_move(memory.value().words(), classic);
      outcome.derivation.push_back("one thread; coverage of fault classes is not simulated for this test");
      detail::tell_defects(outcome, result.defects, result.wrong_reads);
      if (result.wrong_reads == 0 && result.complete)
        outcome.verdict = Verdict::pass;
      else if (result.wrong_reads == 0)
        outcome.reason = "the test did not end in the time; give more time, or less memory";
      outcome.measure("tested", static_cast<double>(memory.value().words().size_bytes()), "B");
    }
    outcome.duration_seconds = seconds() - begun;
    outcome.derivation.push_back(memory.value().locked()
                                     ? "pages were locked"
                                     : "pages could not be locked (ulimit -l): they may have moved or been swapped");
    if (whole > 0) {
      const double share = static_cast<double>(memory.value().words().size_bytes()) / whole;
      outcome.measure("share_of_memory", share);
      if (share < options.least_share && outcome.verdict == Verdict::pass) {
        outcome.verdict = Verdict::inconclusive;
        outcome.reason = "only " + detail::printed_number(100 * share, 3) + " % of the machine's memory was tested, " +
                         detail::printed_number(100 * options.least_share, 3) + " % were asked for";
      }
    }
    if (options.counters) judge_counters(outcome, before, options.counters());
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace assay::inline v0
