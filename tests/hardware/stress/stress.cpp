#include "assay/hardware/stress/stress.hpp"

#include <algorithm>
#include <type_traits>

#include "assay/hardware/detail/integer_gemm.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/detail/stress_problem.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

StressOptions short_stress() {
  StressOptions options;
  options.seconds = 0.05;
  options.depth = 32;
  options.processors = detail::chosen_processors({});
  return options;
}

}  // namespace

TEST_CASE("right processors pass in every format, each of them counted, at any depth") {
  for (const std::string& format : stress_formats())
    for (const std::size_t depth : {1u, 100u, 1024u}) {
      CAPTURE(format);
      CAPTURE(depth);
      StressOptions options = short_stress();
      options.depth = depth;
      const auto result = run_stress(format, options);
      REQUIRE(result);
      REQUIRE(result.value().workers.size() == options.processors.size());
      for (const StressWorker& worker : result.value().workers) {
        CHECK(worker.tiles > 0);
        CHECK(worker.wrong_tiles == 0);
      }
      const Outcome outcome = judge_stress(result, format, options);
      CHECK(outcome.verdict != Verdict::fail);  // a thread that was moved decides nothing
      CHECK(outcome.id == "hardware/stress/" + format);
    }
}

TEST_CASE("one flipped bit of one tile is a failure that names processor, element and bit, of any format") {
  for (const std::string& format : stress_formats()) {
    CAPTURE(format);
    StressOptions options = short_stress();
    options.fault = StressFault{options.processors.back(), 3, 20, 1, 1, false};
    const auto result = run_stress(format, options);
    const Outcome outcome = judge_stress(result, format, options);
    REQUIRE(outcome.verdict == Verdict::fail);
    REQUIRE(result.value().defects.size() == 1);
    const StressDefect& defect = result.value().defects[0];
    CHECK(defect.processor == options.processors.back());
    CHECK(defect.tile == 3);
    CHECK(defect.wrong_elements == 1);
    CHECK(defect.flipped == std::uint64_t{1} << 20);
    CHECK(defect.operands_intact);
    CHECK(defect.seen_again == 0);
    CHECK(defect.reruns == 3);
    CHECK(outcome.reason.find("not seen again") != std::string::npos);
  }
}

TEST_CASE("a fault that stays is seen again, and one of memory is told from one of arithmetic") {
  StressOptions options = short_stress();
  options.fault = StressFault{options.processors.front(), 0, 5, 0, 1000000000, false};
  const auto stays = run_stress("f64", options);
  REQUIRE(!stays.value().defects.empty());
  CHECK(stays.value().defects[0].seen_again == 3);
  options.fault = StressFault{options.processors.front(), 0, 55, 2, 1, true};
  const auto operand = run_stress("f64", options);
  REQUIRE(!operand.value().defects.empty());
  CHECK(!operand.value().defects[0].operands_intact);
  CHECK(operand.value().workers.front().wrong_tiles < operand.value().workers.front().tiles / 2);  // it was mended
  for (const std::string& format : stress_formats()) {
    CAPTURE(format);
    options.fault = StressFault{options.processors.front(), 0, 6, 2, 1, true};  // 64 in a byte, half a unit of bf16
    const auto of_format = run_stress(format, options);
    REQUIRE(of_format);
    if (format != "f64" && format != "f32") CHECK(!of_format.value().defects.empty());
  }
}

TEST_CASE("what instructions sum in pairs and quadruples is right at depths that end within a group") {
  const auto pairs_fit = [](auto& problem) {
    using Problem = std::remove_reference_t<decltype(problem)>;
    CHECK(problem.steps * Problem::group >= problem.depth);
    CHECK(problem.a.size() == 96 * problem.steps * Problem::group);
  };
  const InstructionSet set = instruction_set();
  detail::StressProblem<detail::Bfloat16Pairs> pairs(set, 33, 1);
  pairs_fit(pairs);
  detail::StressProblem<detail::ByteQuadruples> quadruples(set, 33, 1);
  pairs_fit(quadruples);
  for (const std::string& format : stress_formats())
    for (const std::size_t depth : {1u, 2u, 3u, 5u, 33u, 34u, 35u}) {
      CAPTURE(format);
      CAPTURE(depth);
      StressOptions options = short_stress();
      options.seconds = 0.001;
      options.depth = depth;
      const auto result = run_stress(format, options);
      REQUIRE(result);
      CHECK(result.value().defects.empty());
    }
}

TEST_CASE("exchanged accumulators change the signature") {
  using Signature = detail::TileSignature<16>;
  const Signature::Word a{1, 2}, b{3, 4};
  Signature::Word first{}, second{};
  Signature::add(first, a);
  Signature::add(first, b);
  Signature::add(second, b);
  Signature::add(second, a);
  CHECK((first[0] != second[0] && first[1] != second[1]));
}

TEST_CASE("no rate, an impossible rate, missing processors and unchecked work are no pass") {
  StressResult result;
  result.ceiling = 1e12;
  result.workers.push_back({0, 10, 10, 0, 0, 1, 1e9, 1});
  StressOptions options;
  const auto verdict = [&](const StressResult& judged) { return judge_stress(judged, "f64", options).verdict; };
  CHECK(verdict(result) == Verdict::pass);
  CHECK(verdict({}) == Verdict::fail);
  StressResult changed = result;
  changed.workers[0].operations = 3.0652e13;  // the compiler ran a pure function once
  CHECK(verdict(changed) == Verdict::fail);
  changed = result;
  changed.workers[0].operations = 0;
  CHECK(verdict(changed) == Verdict::fail);
  options.peak = 1e8;
  CHECK(verdict(result) == Verdict::fail);
  options.peak.reset();
  options.least_rate = 2e9;
  CHECK(verdict(result) == Verdict::fail);
  options.least_rate.reset();
  changed = result;
  changed.missing = {"processor 1: the system does not let a thread run there"};
  CHECK(verdict(changed) == Verdict::error);
  changed = result;
  changed.outside = {5};
  CHECK(verdict(changed) == Verdict::inconclusive);
  changed = result;
  changed.workers[0].moved = 1;
  CHECK(verdict(changed) == Verdict::inconclusive);
  changed = result;
  changed.workers.push_back({1, 0, 0, 0, 0, 0, 0, 0});
  CHECK(verdict(changed) == Verdict::inconclusive);
  options.checked = false;
  CHECK(verdict(result) == Verdict::inconclusive);
}

TEST_CASE("what cannot be stressed is said") {
  const Outcome unknown = check_stress("f16");
  CHECK(unknown.verdict == Verdict::unsupported);
  CHECK_THAT(unknown.reason, testing::contains("f64, f32, i32, bf16, i8"));
  for (const char* format : {"bf16", "i8"})
    if (std::find(stress_formats().begin(), stress_formats().end(), format) == stress_formats().end()) {
      CHECK(check_stress(format).verdict == Verdict::unsupported);
      CHECK_THAT(check_stress(format).reason, testing::contains("cannot run"));
    }
  StressOptions options = short_stress();
  options.depth = 4096;
  CHECK(check_stress("f64", options).verdict == Verdict::error);
  options = short_stress();
  options.seconds = 0;
  CHECK(check_stress("f64", options).verdict == Verdict::error);
  options = short_stress();
  options.processors = {1 << 19};
  CHECK(check_stress("f64", options).verdict != Verdict::pass);
}

TEST_CASE("pulses leave processors idle between, and a stress can be stopped") {
  StressOptions options = short_stress();
  options.pulses = {100, 0.3};
  const auto result = run_stress("f32", options);
  REQUIRE(result);
  CHECK(result.value().workers[0].products > 0);
  options = short_stress();
  options.seconds = 1e6;
  options.stop = [] { return true; };
  CHECK(judge_stress(run_stress("f64", options), "f64", options).verdict == Verdict::fail);  // nothing was computed
}
