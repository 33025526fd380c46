#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/fleet/node/check_scheme.hpp"
#include "assay/fleet/node/metrics_server.hpp"
#include "assay/fleet/node/node_files.hpp"
#include "assay/fleet/node/probe_node.hpp"
#include "assay/fleet/node/telemetry_metrics.hpp"
#include "assay/report/json.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"
#include "hardware.hpp"
#include "interruption.hpp"
#include "load_recorder.hpp"

namespace assay_program {

namespace {

/// Ends the program with the verdict UNKNOWN when time is up: a driver may hang whoever asks it, and cannot be left.
class TimeLimit {
 public:
  TimeLimit(double seconds, int code)
      : watcher_([this, seconds, code] {
          std::unique_lock<std::mutex> lock(mutex_);
          if (done_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; })) return;
          const std::string line = "UNKNOWN the check took longer than it may: something that it asked hangs\n";
          static_cast<void>(!::write(STDOUT_FILENO, line.data(), line.size()));
          ::_exit(code);
        }) {}
  ~TimeLimit() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    done_.notify_one();
    watcher_.join();
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  std::thread watcher_;
};

/// No verdict: the reason where verdicts stand, and in full beside it.
int no_verdict(assay::CheckScheme scheme, const std::string& why) {
  std::printf("%s\n", assay::cut_to_verdict("UNKNOWN " + why).c_str());
  static_cast<void>(fault(why));
  return assay::no_verdict_code(scheme);
}

[[nodiscard]] bool reads_telemetry(const NodeOptions& options) {
  return !options.telemetry.sources.empty() && options.telemetry.sources.front() != "none";
}

/// "all" means those that are here; what is read lies below the root of the node.
[[nodiscard]] TelemetryOrigin telemetry_origin(const NodeOptions& options) {
  TelemetryOrigin origin = options.telemetry;
  if (!origin.sources.empty() && origin.sources.front() == "all") origin.sources.clear();
  if (options.root != "/") origin.root = options.root + "/sys";
  return origin;
}

/// The hardware check of a level with its telemetry, or telemetry alone.
assay::Result<std::vector<assay::Outcome>> machine_outcomes(const NodeOptions& options) {
  if (options.level > 0) {
    HardwareOptions hardware;
    hardware.action = "check";
    hardware.level = options.level;
    hardware.loaded = options.loaded;
    hardware.telemetry = telemetry_origin(options);
    return hardware_outcomes(hardware);
  }
  if (!reads_telemetry(options)) return std::vector<assay::Outcome>{};
  auto recorder = LoadRecorder::start(telemetry_origin(options), 0.1, "");
  if (!recorder) return recorder.propagate();
  std::this_thread::sleep_for(std::chrono::duration<double>(options.watch));
  std::vector<assay::Outcome> told = recorder.value()->finish({}), kept;
  for (assay::Outcome& outcome : told)  // no load ran: power and heat under one are not judged
    if (outcome.label("operation") != "power" && outcome.label("operation") != "thermal")
      kept.push_back(std::move(outcome));
  return kept;
}

assay::Result<assay::NodeObservation> observe(const NodeOptions& options, const assay::NodeManifest& manifest) {
  assay::NodeObservation seen = assay::probe_node(manifest, options.root);
  if (!options.name.empty()) seen.node = options.name;
  for (const std::string& file : options.readings) {
    const auto text = assay::read_file(file, "readings as CSV");
    if (!text) return text.propagate();
    const auto readings = assay::parse_node_readings(text.value());
    if (!readings) return assay::failure(readings.error().kind, "'" + file + "': " + readings.error().message);
    seen.readings.insert(seen.readings.end(), readings.value().begin(), readings.value().end());
    for (const assay::NodeReading& one : readings.value())
      if (one.name == "present" && one.state == assay::ReadingState::value && one.value > 0)
        seen.devices.push_back(one.device);
  }
  for (const std::string& file : options.results) {
    auto run = assay::read_json(file);
    if (!run) return run.propagate();
    if (run.value().exit_code() == 2) {
      assay::Outcome undecided;
      undecided.id = "results/" + file;
      undecided.verdict = assay::Verdict::error;
      undecided.reason = "the run decided nothing, or was cut short";
      seen.outcomes.push_back(std::move(undecided));
    }
    for (assay::Outcome& outcome : run.value().outcomes) seen.outcomes.push_back(std::move(outcome));
  }
  return seen;
}

/// One check: what is there is judged, and the state kept.
struct NodeChecked {
  assay::NodeManifest manifest;
  assay::NodeObservation seen;
  assay::NodeReport report;
};

/// `sensors`: what telemetry and the hardware check say counts, too.
assay::Result<NodeChecked> check_once(const NodeOptions& options, bool sensors) {
  NodeChecked checked;
  checked.manifest.limits = assay::default_node_limits();
  if (!options.manifest.empty()) {
    auto read = assay::read_node_manifest(options.manifest);
    if (!read) return read.propagate();
    checked.manifest = std::move(read).value();
  }
  auto machine =
      sensors ? machine_outcomes(options) : assay::Result<std::vector<assay::Outcome>>(std::vector<assay::Outcome>{});
  if (!machine) return machine.propagate();
  auto seen = observe(options, checked.manifest);
  if (!seen) return seen.propagate();
  checked.seen = std::move(seen).value();
  for (assay::Outcome& outcome : machine.value()) checked.seen.outcomes.push_back(std::move(outcome));
  assay::NodeState before;
  std::string broken_state;
  if (!options.state.empty()) {
    auto read = assay::read_node_state(options.state);
    if (read)
      before = std::move(read).value();
    else
      broken_state = read.error().message;
  }
  checked.report = assay::judge_node(checked.manifest, checked.seen, before);
  if (!broken_state.empty()) checked.report.notes.push_back(broken_state);
  if (!options.state.empty())
    if (const auto written = assay::write_node_state(checked.report.state, options.state); !written)
      return written.propagate();
  return checked;
}

/// The findings, and the outcomes that they come from.
assay::Run run_of(const NodeChecked& checked) {
  assay::Run run = assay::node_run(checked.report);
  run.outcomes.insert(run.outcomes.end(), checked.seen.outcomes.begin(), checked.seen.outcomes.end());
  run.planned_cases = run.outcomes.size();
  return run;
}

int check(const NodeOptions& options, const std::string& command, assay::CheckScheme scheme) {
  constexpr double of_level[] = {0, 600, 3600, 14400, 100000};
  const double usual = options.level > 0 ? of_level[options.level] : assay::time_limit_seconds(scheme);
  const TimeLimit limit(options.time_limit > 0 ? options.time_limit : usual,
                        assay::exit_code(scheme, assay::HealthLevel::unknown));
  const auto checked = check_once(options, true);
  if (!checked) return no_verdict(scheme, checked.error().message);
  const assay::NodeReport& report = checked.value().report;
  if (!options.json.empty()) {
    assay::Run run = run_of(checked.value());
    run.command = command;
    run.environment = assay::detect_environment();
    if (const auto written = assay::write_json(run, options.json); !written)
      return no_verdict(scheme, written.error().message);
  }
  if (!options.prometheus.empty())
    if (const auto written = assay::write_metrics(
            assay::node_metrics(report, checked.value().manifest, checked.value().seen), options.prometheus);
        !written)
      return no_verdict(scheme, written.error().message);
  std::printf("%s\n", assay::verdict_line(report).c_str());
  for (const assay::NodeFinding& finding : report.findings)
    std::printf("%s: %s%s%s\n", std::string(name_of(finding.level)).c_str(), finding.what.c_str(),
                finding.remedy.empty() ? "" : "; to do: ", finding.remedy.c_str());
  for (const std::string& note : report.notes) std::printf("note: %s\n", note.c_str());
  return assay::exit_code(scheme, report.level);
}

/// The text of the last check and of the last readings, for whoever scrapes.
class Exported {
 public:
  void keep(std::vector<assay::MetricFamily> families) {
    const std::lock_guard<std::mutex> lock(mutex_);
    checked_ = std::move(families);
  }
  /// The last reading of each sensor; `description` has the sensors.
  void describe(assay::Recording description) {
    const std::lock_guard<std::mutex> lock(mutex_);
    last_ = std::move(description);
    last_.readings.resize(last_.sensors.size());
  }
  void keep(const std::vector<assay::Reading>& readings) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const assay::Reading& reading : readings) last_.readings[reading.sensor].assign(1, reading);
  }
  [[nodiscard]] std::string text(assay::MetricForm form, const std::string& node) {
    std::vector<assay::MetricFamily> families;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      families = checked_;
      for (assay::MetricFamily& family : assay::telemetry_metrics(last_, {{"node", node}}))
        families.push_back(std::move(family));
    }
    auto text = assay::metrics_text(families, form);
    if (!text) throw std::runtime_error(text.error().message);
    return std::move(text).value();
  }

 private:
  std::mutex mutex_;
  std::vector<assay::MetricFamily> checked_;
  assay::Recording last_;
};

int serve_metrics(const NodeOptions& options) {
  assay::MetricsServerOptions how;
  how.address = options.listen;
  auto server = assay::MetricsServer::listen(how);
  if (!server) return fault(server.error().message);
  const Interruption interruption(true);
  Exported exported;
  // The first check is made before anything is served, so that no scrape finds a node without a verdict.
  const auto measure = [&]() -> assay::Result<std::string> {
    const auto checked = check_once(options, false);  // readings are exported themselves
    if (!checked) return checked.propagate();
    std::vector<assay::MetricFamily> families =
        assay::node_metrics(checked.value().report, checked.value().manifest, checked.value().seen);
    for (assay::MetricFamily& family :
         assay::run_metrics(run_of(checked.value()), {{"node", checked.value().report.node}}))
      families.push_back(std::move(family));
    exported.keep(std::move(families));
    return checked.value().report.node;
  };
  const auto node = measure();
  if (!node) return fault(node.error().message);
  std::unique_ptr<assay::Recorder> recorder;
  if (reads_telemetry(options)) {
    auto sources = open_telemetry_sources(telemetry_origin(options));
    if (!sources) return fault(sources.error().message);
    for (const std::string& note : sources.value().notes) std::fprintf(stderr, "assay: not here: %s\n", note.c_str());
    assay::RecorderOptions each;
    each.interval_seconds = 1;
    each.keep = false;
    each.observer = [&](const std::vector<assay::Reading>& readings, const std::vector<assay::TelemetryEvent>&) {
      exported.keep(readings);
    };
    recorder = std::make_unique<assay::Recorder>(std::move(sources.value().open), each);
    exported.describe(recorder->description());
    recorder->start();
  }
  std::printf("metrics of %s at http://%s/metrics, checked every %s s\n", node.value().c_str(),
              server.value().address().c_str(), assay::number_text(options.every, 4).c_str());
  std::fflush(stdout);
  std::mutex mutex;
  std::condition_variable wake;
  bool ending = false;
  // A check that hangs leaves its time behind, which is exported; scrapes are answered by another thread.
  std::thread checker([&] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!wake.wait_for(lock, std::chrono::duration<double>(options.every), [&] { return ending; })) {
      lock.unlock();
      if (const auto again = measure(); !again) std::fprintf(stderr, "assay: %s\n", again.error().message.c_str());
      lock.lock();
    }
  });
  const auto served = server.value().serve([&](assay::MetricForm form) { return exported.text(form, node.value()); },
                                           [&] { return interruption.requested().load(); });
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  wake.notify_all();
  checker.join();
  if (recorder) static_cast<void>(recorder->stop());
  return served ? 0 : fault(served.error().message);
}

}  // namespace

int node(const NodeOptions& options, const std::string& command) {
  const auto scheme = assay::check_scheme_named(options.scheme);
  if (!scheme) return fault(scheme.error().message);
  if (!(options.time_limit >= 0 && options.time_limit < 1e6)) return fault("--time-limit is more than 0 s");
  if (!(options.level >= 0 && options.level <= 4)) return fault("--level is 1, 2, 3 or 4");
  if (!(options.watch > 0 && options.watch < 1e6)) return fault("--watch is more than 0 s");
  if (!(options.every >= 1 && options.every < 1e6)) return fault("--every is at least 1 s");
  if (options.action == "check") return check(options, command, scheme.value());
  if (options.action == "export") return serve_metrics(options);
  assay::NodeManifest manifest;
  manifest.disks = {"/"};
  const auto seen = observe(options, manifest);
  if (!seen) return fault(seen.error().message);
  if (options.action == "manifest") {
    std::fputs(assay::node_manifest_text(seen.value()).c_str(), stdout);
    return 0;
  }
  for (const std::string& device : seen.value().devices) std::printf("device %s\n", device.c_str());
  for (const auto& [name, version] : seen.value().versions) std::printf("%s %s\n", name.c_str(), version.c_str());
  for (const assay::NodeReading& reading : seen.value().readings)
    std::printf("%s %s%s\n", reading.device.c_str(), reading.name.c_str(),
                reading.state == assay::ReadingState::value ? (" " + assay::number_text(reading.value, 6)).c_str()
                                                            : (" " + std::string(name_of(reading.state))).c_str());
  return 0;
}

}  // namespace assay_program
