#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/fleet/node/check_scheme.hpp"
#include "assay/fleet/node/node_files.hpp"
#include "assay/fleet/node/probe_node.hpp"
#include "assay/report/json.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"

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

int check(const NodeOptions& options, const std::string& command, assay::CheckScheme scheme) {
  const TimeLimit limit(options.time_limit > 0 ? options.time_limit : assay::time_limit_seconds(scheme),
                        assay::exit_code(scheme, assay::HealthLevel::unknown));
  assay::NodeManifest manifest;
  manifest.limits = assay::default_node_limits();
  if (!options.manifest.empty()) {
    auto read = assay::read_node_manifest(options.manifest);
    if (!read) return no_verdict(scheme, read.error().message);
    manifest = std::move(read).value();
  }
  const auto seen = observe(options, manifest);
  if (!seen) return no_verdict(scheme, seen.error().message);
  assay::NodeState before;
  std::string broken_state;
  if (!options.state.empty()) {
    auto read = assay::read_node_state(options.state);
    if (read)
      before = std::move(read).value();
    else
      broken_state = read.error().message;
  }
  assay::NodeReport report = assay::judge_node(manifest, seen.value(), before);
  if (!broken_state.empty()) report.notes.push_back(broken_state);
  if (!options.state.empty())
    if (const auto written = assay::write_node_state(report.state, options.state); !written)
      return no_verdict(scheme, written.error().message);
  if (!options.json.empty()) {
    assay::Run run = assay::node_run(report);
    run.command = command;
    run.environment = assay::detect_environment();
    if (const auto written = assay::write_json(run, options.json); !written)
      return no_verdict(scheme, written.error().message);
  }
  if (!options.prometheus.empty())
    if (const auto written =
            assay::write_metrics(assay::node_metrics(report, manifest, seen.value()), options.prometheus);
        !written)
      return no_verdict(scheme, written.error().message);
  std::printf("%s\n", assay::verdict_line(report).c_str());
  for (const assay::NodeFinding& finding : report.findings)
    std::printf("%s: %s%s%s\n", std::string(name_of(finding.level)).c_str(), finding.what.c_str(),
                finding.remedy.empty() ? "" : "; to do: ", finding.remedy.c_str());
  for (const std::string& note : report.notes) std::printf("note: %s\n", note.c_str());
  return assay::exit_code(scheme, report.level);
}

}  // namespace

CLI::App& add_node_command(CLI::App& app, NodeOptions& options) {
  CLI::App& node = *app.add_subcommand("node", "is this node fit for work? one verdict, for whoever schedules it");
  node.add_option("action", options.action,
                  "check; manifest: print one of what is here; show: devices and readings, without a verdict")
      ->required()
      ->type_name("check|manifest|show");
  node.add_option("--manifest", options.manifest, "what the node must have; without it absent devices cannot be told")
      ->type_name("FILE.json");
  node.add_option("--scheme", options.scheme, "whose exit codes (npd)")->type_name("npd|nagios|slurm|nvidia");
  node.add_option("--results", options.results, "runs on this node that count, too")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE.json[,FILE.json…]");
  node.add_option("--readings", options.readings, "readings of other sources: device,reading,value,state")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE.csv[,FILE.csv…]");
  node.add_option("--state", options.state, "what is kept from check to check: counters, and how it went")
      ->type_name("FILE");
  node.add_option("--time-limit", options.time_limit, "of the whole check (npd 4.5, others 60)")->type_name("SECONDS");
  node.add_option("--json", options.json, "the findings as a run, for assay report and gate")->type_name("FILE.json");
  node.add_option("--prometheus", options.prometheus, "for node_exporter's textfile collector")->type_name("FILE.prom");
  node.add_option("--name", options.name, "of the node (its host name)")->type_name("NAME");
  node.add_option("--root", options.root, "before every path that is read, such as /host in a container (/)")
      ->type_name("DIR");
  node.footer(
      "Examples:\n"
      "  assay node manifest                                  what is here, to be read before it is trusted\n"
      "  assay node check --manifest node.json --scheme slurm --state /var/lib/assay/node.state\n"
      "  assay node check --manifest node.json --scheme npd --prometheus /var/lib/node_exporter/assay.prom\n\n"
      "Exit code by scheme: npd 0 1 2, nagios 0 1 2 3, slurm and nvidia 0 1; examples/fleet has recipes.");
  return node;
}

int node(const NodeOptions& options, const std::string& command) {
  const auto scheme = assay::check_scheme_named(options.scheme);
  if (!scheme) return fault(scheme.error().message);
  if (!(options.time_limit >= 0 && options.time_limit < 1e6)) return fault("--time-limit is more than 0 s");
  if (options.action == "check") return check(options, command, scheme.value());
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
