#pragma once

#include "assay/hardware/stress/stress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/hardware/detail/dot_product_gemm.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/detail/stress_problem.hpp"
#include "assay/hardware/processor_topology.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// Time that the system gave to this thread; 0: it does not tell.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double thread_seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  std::timespec time{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
#endif
  return 0;
}

/// The rate of one thread in windows of a second.
struct RateWindows {
  std::vector<double> operations;
  void add(double seconds, double done) {
    const auto window = static_cast<std::size_t>(seconds);
    if (operations.size() <= window) operations.resize(window + 1);
    operations[window] += done;
  }
};

/// One processor's share of a stress.
template <class Format>
class StressThread {
 public:
  using Clock = std::chrono::steady_clock;
  using Sum = typename Format::Sum;

  StressThread(const StressProblem<Format>& problem, const StressOptions& options, int processor,
               Clock::time_point start)
      : problem_(problem), own_a_(problem.a), options_(options), start_(start) {
    worker.processor = processor;
  }

  void run() {
    // once at least, however late the system lets this thread begin: each processor is to be proved
    for (bool first = true; (first || seconds() < options_.seconds) && !(options_.stop && options_.stop());
         first = false) {
      if (options_.pulses.hertz > 0) wait_for_load();
      const double begun = seconds();
      for (int i = 0; i < 8; ++i) product();
      const double ended = seconds();
      worker.busy_seconds += ended - begun;
      windows.add(ended, 8 * problem_.operations());
      if (worker.processor >= 0 && processor_of_this_thread() != worker.processor) ++worker.moved;
    }
    worker.operations = static_cast<double>(worker.products) * problem_.operations();
    worker.processor_seconds = thread_seconds();
  }

  StressWorker worker;
  std::vector<StressDefect> defects;
  RateWindows windows;

 private:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void wait_for_load() const {
    const double period = 1 / options_.pulses.hertz;
    const double phase = std::fmod(seconds(), period);
    if (phase > options_.pulses.duty * period)
      std::this_thread::sleep_for(std::chrono::duration<double>(period - phase));
  }

  void product() {
    IntegerGemm<Format> work = problem_.work();
    work.a = own_a_.data();
    work.context = this;
    work.report = [](void* self, std::size_t tile, const Sum* values) {
      static_cast<StressThread*>(self)->note(tile, values);
    };
    const auto& fault = options_.fault;
    const bool faulty = fault && fault->processor == worker.processor && runs_ >= fault->first_product &&
                        runs_ < fault->first_product + fault->products;
    if (faulty && !fault->of_operand) {
      work.damaged_tile = fault->tile;
      work.damaged_bit = fault->bit;
    }
    if (faulty && fault->of_operand) flip_operand(fault->bit);
    ++runs_;
    if (!options_.checked) {
      run_stress_product<TileFate::unchecked>(problem_.set, work);
      ++worker.products;
      return;
    }
    run_stress_product<TileFate::checked>(problem_.set, work);
    if (rerun_) return;
    ++worker.products;
    worker.tiles += problem_.tiles();
    if (fresh_ > 0) examine();
  }

  void flip_operand(int bit) {
    std::uint64_t word = 0;
    std::memcpy(&word, own_a_.data(), 8);
    word ^= std::uint64_t{1} << bit;
    std::memcpy(own_a_.data(), &word, 8);
  }

  void note(std::size_t tile, const Sum* values) {
    if (rerun_) {
      for (std::size_t i = defects.size() - kept_; i < defects.size(); ++i)
        if (defects[i].tile == tile) ++defects[i].seen_again;
      return;
    }
    ++worker.wrong_tiles;
    ++fresh_;
    if (defects.size() >= options_.most_defects) return;
    ++kept_;
    StressDefect defect;
    defect.processor = worker.processor;
    defect.tile = tile;
    defect.seconds = seconds();
    const Sum* const golden = problem_.golden_tile(tile);
    for (std::size_t i = 0; i < problem_.shape.rows * problem_.shape.columns; ++i) {
      std::uint64_t is = 0, should = 0;
      std::memcpy(&is, values + i, sizeof(Sum));
      std::memcpy(&should, golden + i, sizeof(Sum));
      if (is == should || defect.wrong_elements++ > 0) continue;
      defect.row = tile % problem_.row_tiles * problem_.shape.rows + i % problem_.shape.rows;
      defect.column = tile / problem_.row_tiles * problem_.shape.columns + i / problem_.shape.rows;
      defect.expected = static_cast<double>(golden[i]);
      defect.actual = static_cast<double>(values[i]);
      defect.flipped = is ^ should;
    }
    defects.push_back(defect);
  }

  /// Runs the product again on the same processor, and then mends what memory lost.
  void examine() {
    const bool intact = std::memcmp(own_a_.data(), problem_.a.data(), own_a_.size() * sizeof(own_a_[0])) == 0;
    rerun_ = true;
    for (unsigned i = 0; i < options_.reruns; ++i) product();
    rerun_ = false;
    for (std::size_t i = defects.size() - kept_; i < defects.size(); ++i) {
      defects[i].operands_intact = intact;
      defects[i].reruns = options_.reruns;
    }
    if (!intact) own_a_ = problem_.a;
    fresh_ = kept_ = 0;
  }

  const StressProblem<Format>& problem_;
  std::vector<typename Format::A> own_a_;
  const StressOptions& options_;
  Clock::time_point start_;
  std::uint64_t runs_ = 0;
  std::size_t fresh_ = 0, kept_ = 0;
  bool rerun_ = false;
};

template <class Format>
[[nodiscard]] StressResult run_stress_in(const std::string& format, const StressOptions& options) {
  const InstructionSet set = instruction_set();
  const StressProblem<Format> problem(set, options.depth, options.seed);
  const std::vector<int> processors = chosen_processors(options.processors);
  StressResult result;
  result.format = format;
  result.depth = options.depth;
  result.tile_rows = problem.shape.rows;
  result.tile_columns = problem.shape.columns;
  // two vectors of fused operations a cycle, at a clock that no processor reaches
  result.ceiling = static_cast<double>(processors.size()) *
                   static_cast<double>(vector_bytes(set) / sizeof(typename Format::A)) * 4 * 6.5e9;
  if (options.processors.empty())
    if (const auto topology = read_processor_topology())
      for (const LogicalProcessor& each : topology.value().processors)
        if (!each.allowed) result.outside.push_back(each.number);
  std::mutex mutex;
  std::vector<double> windows;
  const auto start = std::chrono::steady_clock::now();
  result.missing = run_pinned(processors, [&](std::size_t, int processor) {
    StressThread<Format> thread(problem, options, processor, start);
    thread.run();
    const std::lock_guard lock(mutex);
    result.workers.push_back(thread.worker);
    for (const StressDefect& defect : thread.defects)
      if (result.defects.size() < options.most_defects) result.defects.push_back(defect);
    if (windows.size() < thread.windows.operations.size()) windows.resize(thread.windows.operations.size());
    for (std::size_t i = 0; i < thread.windows.operations.size(); ++i) windows[i] += thread.windows.operations[i];
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::sort(result.workers.begin(), result.workers.end(),
            [](const StressWorker& a, const StressWorker& b) { return a.processor < b.processor; });
  result.rate = {
      "rate of all processors", "time, s", std::is_integral_v<typename Format::Sum> ? "Gop/s" : "GFLOP/s", {}};
  for (std::size_t i = 0; i < windows.size() && static_cast<double>(i + 1) <= result.seconds; ++i)
    result.rate.points.emplace_back(static_cast<double>(i) + 0.5, windows[i] / 1e9);  // whole windows alone
  return result;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const std::vector<std::string>& stress_formats() {
  static const std::vector<std::string> formats = [] {
    std::vector<std::string> found;
    detail::for_each_stress_format([&]<class Format>(std::string_view name) {
      if (detail::lacks_for_stress<Format>(instruction_set()).empty()) found.emplace_back(name);
    });
    return found;
  }();
  return formats;
}

ASSAY_DETAIL_HEADER_INLINE Result<StressResult> run_stress(const std::string& format, const StressOptions& options) {
  if (options.depth == 0 || options.depth > 1024)
    return failure(ErrorKind::invalid, "the depth of products is " + std::to_string(options.depth) +
                                           "; give 1 to 1024, or sums of integers are not exact");
  if (!(options.seconds > 0) || !(options.pulses.hertz >= 0) || !std::isfinite(options.pulses.hertz) ||
      !(options.pulses.duty > 0 && options.pulses.duty <= 1))
    return failure(ErrorKind::invalid,
                   "a stress takes a time above 0 s, pulses of 0 Hz or more, and a duty above 0, at "
                   "most 1");
  std::optional<Result<StressResult>> result;
  std::string known;
  detail::for_each_stress_format([&]<class Format>(std::string_view name) {
    known += (known.empty() ? "" : ", ") + std::string(name);
    if (format != name) return;
    const std::string_view lack = detail::lacks_for_stress<Format>(instruction_set());
    if (lack.empty())
      result = detail::run_stress_in<Format>(format, options);
    else
      result = failure(ErrorKind::unsupported, "a stress in " + format + " cannot run: " + std::string(lack));
  });
  if (result) return *std::move(result);
  return failure(ErrorKind::unsupported,
                 "there is no stress in the format '" + format + "' on the host; there is one in " + known);
}

ASSAY_DETAIL_HEADER_INLINE Outcome judge_stress(const Result<StressResult>& result, const std::string& format,
                                                const StressOptions& options) {
  Outcome outcome;
  outcome.id = "hardware/stress/" + format;
  outcome.labels = {{"operation", "stress"}, {"backend", "host"}, {"formats", format}};
  outcome.reproduce = "assay hardware stress --dtype " + format;
  outcome.seed = options.seed;
  if (!result) {
    outcome.verdict = result.error().kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error;
    outcome.reason = result.error().message;
    return outcome;
  }
  const StressResult& found = result.value();
  if (found.backend != "host") {
    outcome.id = "hardware/stress/" + found.backend + "/" + format;
    outcome.labels["backend"] = found.backend;
    outcome.reproduce.clear();
  }
  outcome.duration_seconds = found.seconds;
  double operations = 0, busy = 0;
  std::uint64_t tiles = 0, wrong = 0, moved = 0, idle = 0;
  Table table{"processors", {"processor", "Gop/s", "tiles checked", "wrong", "moved"}, {}};
  for (const StressWorker& worker : found.workers) {
    operations += worker.operations;
    busy = std::max(busy, worker.busy_seconds);
    tiles += worker.tiles;
    wrong += worker.wrong_tiles;
    moved += worker.moved;
    idle += worker.products == 0 ? 1 : 0;
    table.rows.push_back({std::to_string(worker.processor),
                          number_text(worker.busy_seconds > 0 ? worker.operations / worker.busy_seconds / 1e9 : 0),
                          number_text(static_cast<double>(worker.tiles)),
                          number_text(static_cast<double>(worker.wrong_tiles)),
                          number_text(static_cast<double>(worker.moved))});
  }
  const double rate = busy > 0 ? operations / busy : 0;
  outcome.measure("rate", rate / 1e9, "Gop/s");
  outcome.measure("tiles_checked", static_cast<double>(tiles));
  outcome.measure("wrong_tiles", static_cast<double>(wrong));
  outcome.measure("processors", static_cast<double>(found.workers.size() - idle));
  outcome.tables.push_back(std::move(table));
  if (found.rate.points.size() > 1) outcome.series.push_back(found.rate);
  outcome.derivation.push_back("products of integers " + std::to_string(found.rows) + " × " +
                               std::to_string(found.columns) + " × " + std::to_string(found.depth) + " in tiles of " +
                               std::to_string(found.tile_rows) + " × " + std::to_string(found.tile_columns) +
                               ": every sum is exact, golden results are those of 64-bit integers; nothing is allowed "
                               "for");
  if (found.ceiling > 0)
    outcome.derivation.push_back("rate: operations over the time of the busiest processor; a rate above " +
                                 number_text(found.ceiling / 1e9) +
                                 " Gop/s (two vectors of products a cycle at 6.5 GHz) would not have been computed");
  for (const StressDefect& defect : found.defects) outcome.diagnosis.push_back(defect.text());
  const auto decide = [&](Verdict verdict, const std::string& reason) {
    outcome.verdict = verdict;
    outcome.reason = reason;
  };
  const double ceiling = found.ceiling > 0 ? found.ceiling : std::numeric_limits<double>::infinity();
  const double most = options.peak ? std::min(*options.peak, ceiling) : ceiling;
  if (wrong > 0)
    decide(Verdict::fail, std::to_string(wrong) + " of " + std::to_string(tiles) + " tiles were wrong; " +
                              (found.defects.empty() ? "" : found.defects.front().text()));
  else if (found.workers.empty() && !found.missing.empty())
    decide(Verdict::error, "no processor took part: " + found.missing.front());
  else if (rate <= 0 || !std::isfinite(rate))
    decide(Verdict::fail, "nothing was computed: the rate is " + number_text(rate / 1e9) + " Gop/s");
  else if (rate > most)
    decide(Verdict::fail, "the rate of " + number_text(rate / 1e9) + " Gop/s is above the peak of " +
                              number_text(most / 1e9) + ": work was left out, or the peak is wrong");
  else if (options.least_rate && !(rate >= *options.least_rate))
    decide(Verdict::fail,
           "the rate of " + number_text(rate / 1e9) + " Gop/s is below " + number_text(*options.least_rate / 1e9));
  else if (!options.checked || tiles == 0)
    decide(Verdict::inconclusive, "no result was checked");
  else if (!found.missing.empty())
    decide(Verdict::error, "not every processor took part: " + found.missing.front());
  else if (idle > 0)
    decide(Verdict::inconclusive, std::to_string(idle) + " processors computed nothing; give more time");
  else if (moved > 0)
    decide(Verdict::inconclusive, "threads were found on other processors than their own " + std::to_string(moved) +
                                      " times: it is not known which computed what");
  else if (!found.outside.empty())
    decide(Verdict::inconclusive, std::to_string(found.outside.size()) +
                                      " processors of this machine are closed to this process (affinity, cgroup), "
                                      "the first of them " +
                                      std::to_string(found.outside.front()) +
                                      "; run without the limit, or name those to test by --processors");
  else
    outcome.verdict = Verdict::pass;
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_stress(const std::string& format, const StressOptions& options) {
  const std::vector<CounterReading> before = options.counters ? options.counters() : std::vector<CounterReading>();
  Outcome outcome = judge_stress(run_stress(format, options), format, options);
  if (outcome.verdict != Verdict::unsupported)
    judge_counters(outcome, before, options.counters ? options.counters() : std::vector<CounterReading>());
  return outcome;
}

}  // namespace assay::inline v0
