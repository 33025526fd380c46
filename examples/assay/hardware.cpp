#include "hardware.hpp"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/counting_resource.hpp"
#include "assay/backends/recycling_resource.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/hardware/bandwidth/latency.hpp"
#include "assay/hardware/bandwidth/storage.hpp"
#include "assay/hardware/bandwidth/stream.hpp"
#include "assay/hardware/memory/check_memory.hpp"
#include "assay/hardware/memory/host_memory.hpp"
#include "assay/hardware/memory/march_coverage.hpp"
#include "assay/hardware/pools/check_pool.hpp"
#include "assay/hardware/processor_topology.hpp"
#include "assay/hardware/soak/soak.hpp"
#include "assay/hardware/soak/soak_journal.hpp"
#include "assay/hardware/stress/stress.hpp"
#include "assay/hardware/timeline_html.hpp"
#if defined(ASSAY_HAS_HWLOC)
#include "assay/hardware/hwloc_topology.hpp"
#endif
#include "assay/report/html.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/telemetry/sysfs.hpp"
#include "fault.hpp"
#include "interruption.hpp"
#include "load_recorder.hpp"
#include "printed_table.hpp"
#include "report_format.hpp"

namespace assay_program {

namespace {

using assay::Outcome;
using assay::Verdict;

/// What a level asks of each part.
struct Level {
  std::size_t memory_divisor;  ///< of what is available
  std::size_t most_memory;
  double memory_seconds;
  std::vector<std::string> memory_tests;
  double stress_seconds;  ///< of a format
  double soak_seconds;
};

Level level_of(int number) {
  constexpr std::size_t gibibyte = std::size_t{1} << 30;
  switch (number) {
    case 1: return {8, gibibyte / 8, 30, {"own_address", "march_c-"}, 5, 0};
    case 2:
      return {4, 64 * gibibyte, 300, {"own_address", "march_c-", "moving_inversions", "random", "walking_ones"}, 60, 0};
    case 3: return {2, SIZE_MAX, 1500, {"own_address", "march_c-", "march_lr", "random", "bit_fade"}, 300, 900};
    default: break;
  }
  std::vector<std::string> all = assay::memory_test_names();
  return {2, SIZE_MAX, 10000, all, 1200, 14000};
}

/// One run of the command: takes outcomes, prints each as it comes, writes reports at the end.
class HardwareRun {
 public:
  /// `quiet`: nothing is printed.
  HardwareRun(const HardwareOptions& options, std::string command, bool quiet = false)
      : options_(options), command_(std::move(command)), quiet_(quiet), interruption_(true) {
#if defined(ASSAY_HAS_HWLOC)
    if (auto read = assay::hwloc_topology()) topology_ = std::move(read).value();
#endif
    if (topology_.processors.empty())
      if (auto read = assay::read_processor_topology()) topology_ = std::move(read).value();
    processors_ = assay::parse_processor_list(options.processors).value();
  }

  int perform() {
    if (auto worked = work(); !worked) return fault(worked.error().message);
    return finish();
  }

  [[nodiscard]] assay::Result<std::vector<Outcome>> outcomes() {
    if (auto worked = work(); !worked) return worked.propagate();
    if (stops()) return assay::failure(assay::ErrorKind::invalid, "the check was interrupted");
    return std::move(outcomes_);
  }

 private:
  [[nodiscard]] assay::Result<void> work() {
    if (topology_.processors.empty())
      say("topology: unknown\n");
    else
      say("%zu processors, %zu open to this process; %zu NUMA nodes; last cache %s MiB (%s)\n",
          topology_.processors.size(), topology_.numbers().size(), topology_.numa_nodes().size(),
          assay::number_text(static_cast<double>(topology_.last_level_cache_bytes) / 1048576).c_str(),
          topology_.source.c_str());
    const std::string& action = options_.action;
    if (auto started = begin_telemetry(); !started) return started;
    if (action == "check") check();
    if (action == "memory")
      memory(options_.tests, assay::available_host_memory(), 256u << 20, options_.seconds.value_or(0));
    if (action == "stress") stress(options_.seconds.value_or(10));
    if (action == "power" || action == "thermal") sustain(options_.seconds.value_or(120));
    if (action == "bandwidth") bandwidth();
    if (action == "pools") pools();
    if (action == "soak") soak(options_.seconds.value_or(60), options_.journal);
    end_telemetry();
    return {};
  }

  [[nodiscard]] double expected_seconds() const {
    const Level level = level_of(options_.level);
    if (options_.action == "check")
      return level.memory_seconds + static_cast<double>(assay::stress_formats().size()) * level.stress_seconds +
             level.soak_seconds;
    return options_.seconds.value_or(120);
  }

  [[nodiscard]] bool watches_sensors() const {
    return options_.action != "memory" && options_.action != "bandwidth" && options_.action != "pools";
  }

  [[nodiscard]] assay::Result<void> begin_telemetry() {
    if (!watches_sensors()) return {};
    const auto& sources = options_.telemetry.sources;
    if (std::find(sources.begin(), sources.end(), "none") != sources.end()) return {};
    // Twice a second suffices to see throttling, and keeps a night's readings small.
    auto started = LoadRecorder::start(options_.telemetry, expected_seconds() > 700 ? 0.5 : 0.1, options_.recording);
    if (!started) return started.propagate();
    telemetry_ = std::move(started).value();
    say("telemetry: %zu sensors\n", telemetry_->sensors());
    for (const std::string& note : telemetry_->notes()) say("  not here: %s\n", assay::visible(note).c_str());
    return {};
  }

  void end_telemetry() {
    const std::string& action = options_.action;
    if (!telemetry_) {
      if (!watches_sensors()) return;
      Outcome outcome;
      outcome.id = "hardware/sensors";
      outcome.labels = {{"operation", "sensors"}, {"backend", "host"}};
      outcome.verdict = Verdict::skipped;
      outcome.reason = "--telemetry none: power, temperatures, clocks and counters of errors are not judged";
      return take(std::move(outcome));
    }
    assay::LoadTelemetryOptions how;
    how.power.ramp_seconds = how.thermal.ramp_seconds = options_.ramp;
    how.thermal.steady_seconds = options_.steady;
    how.power.least_seconds = options_.steady / 2;
    how.power.window_seconds = std::min(10.0, options_.steady / 2);  // long beside the steps of a counter
    how.specifications = specified_watts(options_).value();
    how.loaded = options_.loaded;
    how.steady_load = action != "soak";
    const bool all = processors_.empty() && topology_.numbers().size() == topology_.processors.size();
    if (all && action != "soak" && options_.pulses == 0)
      how.loaded.insert(how.loaded.end(), {"processor/*", "rapl/package-?"});
    for (Outcome& outcome : telemetry_->finish(std::move(how))) {
      const std::string of = outcome.label("operation");
      if ((action == "power" && of == "thermal") || (action == "thermal" && of == "power")) continue;
      take(std::move(outcome));
    }
  }

  /// Everything that the processors can take, for sensors to be judged by.
  void sustain(double seconds) {
    const std::string format = options_.formats.empty() ? "f64" : options_.formats.front();
    take(assay::check_stress(format, stress_options(seconds)));
  }

  __attribute__((format(printf, 2, 3))) void say(const char* form, ...) const {
    if (quiet_) return;
    std::va_list values;
    va_start(values, form);
    std::vprintf(form, values);
    va_end(values);
    std::fflush(stdout);
  }

  /// Counts of errors of memory, before and after each test.
  [[nodiscard]] assay::ReadCounters memory_counters() const {
    assay::SysfsOptions how;
    how.root = options_.telemetry.root;
    how.pci_classes.clear();
    how.seldom_seconds = 0;
    return [how] {
      std::vector<assay::CounterReading> found;
      auto source = assay::SysfsSource::open(how);
      if (!source) return found;
      for (const assay::Reading& reading : source.value().poll()) {
        const assay::Sensor& sensor = source.value().sensors()[reading.sensor];
        const assay::TelemetryDevice& device = source.value().devices()[sensor.device];
        if (device.kind == "memory" && reading.has_value() &&
            (sensor.quantity == assay::Quantity::corrected_errors ||
             sensor.quantity == assay::Quantity::uncorrected_errors))
          found.push_back({device.id + " " + sensor.text(), reading.value});
      }
      return found;
    };
  }

  [[nodiscard]] bool stops() const {
    return interruption_.requested();
  }

  void take(Outcome outcome) {
    std::string figures;
    for (const char* name : {"rate", "best", "largest", "overhead"})
      for (const assay::Measurement& entry : outcome.measurements)
        if (entry.name == name) figures += "  " + entry.name + " " + assay::quantity_text(entry.value, entry.unit);
    say("%-12s %s%s%s%s\n", std::string(name_of(outcome.verdict)).c_str(), outcome.id.c_str(), figures.c_str(),
        outcome.reason.empty() ? "" : ": ", assay::visible(outcome.reason).c_str());
    if (outcome.verdict == Verdict::fail)
      for (std::size_t i = 0; i < std::min<std::size_t>(outcome.diagnosis.size(), 8); ++i)
        say("             %s\n", assay::visible(outcome.diagnosis[i]).c_str());
    outcomes_.push_back(std::move(outcome));
  }

  void memory(std::vector<std::string> tests, std::size_t bytes, std::size_t most, double seconds) {
    if (tests.empty()) tests = {"march_c-"};
    if (std::find(tests.begin(), tests.end(), "all") != tests.end()) tests = assay::memory_test_names();
    assay::MemoryCheckOptions check;
    check.bytes = hardware_bytes(options_, std::max<std::size_t>(std::min(bytes, most), 1 << 20)).value();
    check.budget_seconds = seconds;
    check.march.processors = processors_;
    check.march.seed = options_.seed;
    check.march.cache_bytes = topology_.last_level_cache_bytes;
    check.march.pause_seconds = options_.action == "check" && options_.level > 2 ? 60 : 5;
    check.march.stop = [&] { return stops(); };
    check.tests = std::move(tests);
    check.counters = memory_counters();
    for (Outcome& outcome : assay::check_memory(check)) take(std::move(outcome));
  }

  [[nodiscard]] assay::StressOptions stress_options(double seconds) const {
    assay::StressOptions stress;
    stress.processors = processors_;
    stress.seconds = seconds;
    stress.seed = options_.seed;
    stress.pulses.hertz = options_.pulses;
    stress.counters = memory_counters();
    if (options_.peak) stress.peak = *options_.peak * 1e9;
    stress.stop = [this] { return stops(); };
    return stress;
  }

  void stress(double seconds) {
    for (const std::string& format : options_.formats.empty() ? assay::stress_formats() : options_.formats) {
      if (stops()) return;
      take(assay::check_stress(format, stress_options(seconds)));
    }
  }

  void bandwidth() {
    assay::StreamOptions stream;
    stream.processors = processors_;
    if (options_.memory_bandwidth) stream.theoretical = *options_.memory_bandwidth * 1e9;
    stream.least_share = options_.least_share;
    take(assay::check_stream(topology_, stream));
    take(assay::check_latency({.seed = options_.seed}));
    assay::StorageOptions storage;
    storage.folder = options_.storage;
    storage.seed = options_.seed;
    if (!options_.storage.empty())
      for (Outcome& outcome : assay::check_storage(storage)) take(std::move(outcome));
  }

  void pools() {
    assay::AllocationTrace trace = assay::serving_trace(5000, std::size_t{64} << 20, options_.seed);
    if (!options_.trace.empty()) {
      const auto text = assay::read_file(options_.trace);
      auto read =
          text ? assay::read_allocation_trace(text.value()) : assay::Result<assay::AllocationTrace>(text.propagate());
      if (!read) {
        Outcome outcome;
        outcome.id = "hardware/pools";
        outcome.verdict = Verdict::error;
        outcome.reason = "'" + options_.trace + "': " + read.error().message;
        return take(std::move(outcome));
      }
      trace = std::move(read).value();
    }
    take(assay::check_pool(assay::pool_subject("heap", std::make_shared<assay::AlignedResource>()), trace));
    using Counting = assay::CountingResource<>;
    const auto upstream = std::make_shared<Counting>();
    const auto pool = std::make_shared<assay::RecyclingResource<Counting>>(std::size_t{256} << 20, *upstream);
    assay::PoolSubject recycling = assay::pool_subject("recycling", pool);
    recycling.reserved_bytes = [upstream] { return upstream->usage().current_bytes; };
    take(assay::check_pool(recycling, trace));
  }

  void soak(double seconds, const std::string& path) {
    const std::size_t bytes = hardware_bytes(options_, std::size_t{64} << 20).value();
    std::vector<assay::SoakStep> steps;
    for (const std::string& format : assay::stress_formats())
      steps.push_back({"stress_" + format, [this, format](double part, std::uint64_t round) {
                         assay::StressOptions stress = stress_options(part);
                         stress.pulses.hertz = round % 2 == 0 ? 0 : 2;
                         stress.seed += round;
                         return assay::check_stress(format, stress);
                       }});
    steps.push_back({"memory", [this, bytes](double, std::uint64_t round) {
                       assay::MemoryCheckOptions check;
                       check.bytes = bytes;
                       check.march.processors = processors_;
                       check.march.seed = options_.seed + round;
                       check.counters = memory_counters();
                       check.march.cache_bytes = topology_.last_level_cache_bytes;
                       return assay::check_memory(check).front();
                     }});
    steps.push_back({"latency", [this](double, std::uint64_t round) {
                       return assay::check_latency({.seed = options_.seed + round});
                     }});
    steps.push_back({"pools", [this](double, std::uint64_t round) {
                       return assay::check_pool(
                           assay::pool_subject("recycling", std::make_shared<assay::RecyclingResource<>>()),
                           assay::serving_trace(2000, std::size_t{16} << 20, options_.seed + round));
                     }});
    assay::SoakOptions soak;
    soak.seconds = seconds;
    soak.step_seconds = std::min(10.0, std::max(0.5, seconds / 40));
    soak.stop = [this] { return stops(); };
    std::unique_ptr<assay::SoakJournal> journal;
    std::vector<assay::SoakRecord> earlier;
    const auto refuse = [&](const assay::Error& error) {
      Outcome outcome;
      outcome.id = "hardware/soak";
      outcome.verdict = Verdict::error;
      outcome.reason = error.message;
      take(std::move(outcome));
    };
    if (!path.empty()) {
      auto opened = assay::SoakJournal::open(path, "soak of " + std::to_string(bytes) + " bytes, processors " +
                                                       (options_.processors.empty() ? "all" : options_.processors) +
                                                       ", seed " + std::to_string(options_.seed));
      if (!opened) return refuse(opened.error());
      journal = std::make_unique<assay::SoakJournal>(std::move(opened).value());
      earlier = journal->records();
      if (!earlier.empty()) say("going on after %zu results of '%s'\n", earlier.size(), path.c_str());
    }
    soak.keep = [&](const assay::SoakRecord& record) -> assay::Result<void> {
      say("%8s  round %llu, %s: %s%s%s%s\n", assay::duration_text(record.begin).c_str(),
          static_cast<unsigned long long>(record.round + 1), record.step.c_str(),
          std::string(name_of(record.verdict)).c_str(),
          record.rate ? (", rate " + assay::number_text(*record.rate)).c_str() : "", record.reason.empty() ? "" : ": ",
          assay::visible(record.reason).c_str());
      return journal ? journal->keep(record) : assay::Result<void>{};
    };
    const auto result = assay::run_soak(steps, soak, std::move(earlier));
    if (!result) return refuse(result.error());
    for (Outcome& outcome : assay::judge_soak(steps, result.value(), soak)) take(std::move(outcome));
  }

  void check() {
    const Level level = level_of(options_.level);
    const std::function<void()> parts[] = {[&] {
                                             memory(level.memory_tests,
                                                    assay::available_host_memory() / level.memory_divisor,
                                                    level.most_memory, level.memory_seconds);
                                           },
                                           [&] {
                                             if (telemetry_) telemetry_->begin_load();
                                             stress(level.stress_seconds);
                                             if (telemetry_) telemetry_->end_load();
                                           },
                                           [&] { bandwidth(); }, [&] { pools(); },
                                           [&] {
                                             if (level.soak_seconds > 0) soak(level.soak_seconds, "");
                                           }};
    for (const auto& part : parts)
      if (!stops()) part();
  }

  int finish() {
    assay::Run run;
    run.title =
        "hardware " + options_.action + (options_.action == "check" ? ", level " + std::to_string(options_.level) : "");
    run.command = command_;
    run.seed = options_.seed;
    run.environment = assay::detect_environment();
    run.planned_cases = outcomes_.size() + (stops() ? 1 : 0);
    run.outcomes = std::move(outcomes_);
    run.duration_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    say("%zu passed, %zu failed, %zu erred, %zu inconclusive, %zu unsupported, in %s%s\n", run.count(Verdict::pass),
        run.count(Verdict::fail), run.count(Verdict::error), run.count(Verdict::inconclusive),
        run.count(Verdict::unsupported), assay::duration_text(run.duration_seconds).c_str(),
        stops() ? "; cut short" : "");
    if (!options_.report.empty()) {
      const auto formats = report_formats_named({"json"});
      if (auto written = formats.value().front()->write(run, options_.report); !written)
        return fault(written.error().message);
      say("report: %s\n", options_.report.c_str());
    }
    if (!options_.html.empty()) {
      assay::HtmlOptions page;
      if (telemetry_) {
        page.figures = telemetry_->figures();
        page.figures_style = assay::timeline_style_text();
      }
      if (auto written = assay::write_html(run, options_.html, page); !written) return fault(written.error().message);
      say("report: %s\n", options_.html.c_str());
    }
    // a kernel log without errors alone says nothing of what was to be loaded
    const bool decided = std::any_of(run.outcomes.begin(), run.outcomes.end(), [](const Outcome& outcome) {
      return outcome.verdict == Verdict::pass && outcome.id != "hardware/kernel_log";
    });
    return run.exit_code() == 0 && !decided ? 2 : run.exit_code();
  }

  const HardwareOptions& options_;
  std::string command_;
  bool quiet_;
  Interruption interruption_;
  std::unique_ptr<LoadRecorder> telemetry_;
  assay::ProcessorTopology topology_;
  std::vector<int> processors_;
  std::vector<Outcome> outcomes_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int print_coverage() {
  std::vector<assay::MarchTest> tests;
  for (const assay::MarchTest& test : assay::all_march_tests())
    if (test.backgrounds == assay::BackgroundSet::by_width || test.name == "checkerboard" || test.name == "bit_fade")
      tests.push_back(test);
  for (const auto& [order, size] : {std::pair{assay::VisitingOrder::as_stated, std::size_t{6}},
                                    std::pair{assay::VisitingOrder::any, std::size_t{2}}}) {
    const assay::Table table = assay::march_coverage_table(tests, size, 1, order);
    std::printf("%s\n", table.title.c_str());
    print_table(table);
  }
  return 0;
}

}  // namespace

int hardware(const HardwareOptions& options, const std::string& command) {
  if (options.coverage) return print_coverage();
  return HardwareRun(options, command).perform();
}

assay::Result<std::vector<assay::Outcome>> hardware_outcomes(const HardwareOptions& options) {
  return HardwareRun(options, "", true).outcomes();
}

}  // namespace assay_program
