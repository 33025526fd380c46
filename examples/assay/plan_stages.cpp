#include "plan_stages.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "assay/core/printed_number.hpp"
#include "assay/core/process/executed_worker.hpp"
#include "assay/core/process/worker_output.hpp"
#include "assay/core/version.hpp"
#include "assay/release/results_folder.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "certificate.hpp"
#include "stage_journal.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;
using assay::detail::Ending;
using assay::detail::ExecutedWorker;

/// The command, the program and its version: where one differs, results are those of something else.
assay::Result<std::string> key_of(const assay::PlanStage& stage, const assay::Shard& shard) {
  static const auto program = hash_of_file("/proc/self/exe");
  if (!program) return program.propagate();
  std::string text = std::string(assay::version) + '\n' + program.value();
  for (const std::string& argument : stage.command) text += '\n' + argument;
  if (stage.divided()) text += '\n' + name_of(shard);
  return hash_of(text);
}

std::string last_line(const fs::path& log) {
  const auto text = assay::read_file(log);
  return text ? assay::clipped(assay::visible(assay::detail::last_line(text.value())), 200) : std::string();
}

/// How a stage's program ended, or why it could not be executed.
using StageEnding = assay::Result<Ending>;

/// Why what a stage left is no evidence; empty: it is.
std::string flaw_of(const assay::PlanStage& stage, const StageEnding& ended, const fs::path& folder) {
  const auto with_last_line = [&](std::string what) {
    const std::string line = last_line(folder / "log.txt");
    return line.empty() ? what : what + "; its last line: " + line;
  };
  if (!ended) return "cannot be started: " + ended.error().message;
  const Ending& ending = ended.value();
  if (ending.kind == Ending::Kind::timeout)
    return "took longer than its " + time_text(60 * stage.minutes) + ", and was killed";
  if (ending.kind == Ending::Kind::signal)
    return with_last_line("was killed by signal " + std::to_string(ending.number));
  if (ending.kind != Ending::Kind::exit) return with_last_line("ended: " + description_of(ending));
  if (ending.number > 2) return with_last_line("ended with exit code " + std::to_string(ending.number));
  const auto runs = assay::read_runs({folder});
  if (!runs) return with_last_line("exit code " + std::to_string(ending.number) + ", " + runs.error().message);
  std::size_t outcomes = 0;
  for (const assay::SavedRun& saved : runs.value()) {
    outcomes += saved.run.outcomes.size();
    if (saved.run.outcomes.size() < saved.run.planned_cases) return "was cut short: not all of its cases ran";
  }
  return outcomes == 0 ? with_last_line("left no results") : std::string();
}

/// `command` with its places filled in.
std::vector<std::string> filled(std::vector<std::string> command, const fs::path& folder, const assay::Shard& shard) {
  const std::pair<const char*, std::string> places[] = {
      {"{report}", (folder / "report.json").string()}, {"{out}", folder.string()}, {"{shard}", name_of(shard)}};
  for (std::string& argument : command)
    for (const auto& [name, value] : places)
      for (std::size_t at = argument.find(name); at != std::string::npos; at = argument.find(name, at + value.size()))
        argument.replace(at, std::string(name).size(), value);
  return command;
}

/// Starts a stage's command, with what it prints in `log`. It does not outlive this program, even if that is killed.
assay::Result<ExecutedWorker> start_stage(std::vector<std::string> arguments, const fs::path& log) {
  assay::detail::WorkerCommand command{std::move(arguments)};
  if (command.arguments[0] == "assay") command.program = "/proc/self/exe";
  command.channel = false;
  command.log = log.string();
  command.ends_with_thread = true;
  return ExecutedWorker::start(command);
}

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& argument : command) text += (text.empty() ? "" : " ") + argument;
  return text;
}

/// From when to when something ran, in seconds since 1970.
struct Interval {
  double start, end;
};

/// How long one of them at least ran.
double seconds_of(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& left, const Interval& right) { return left.start < right.start; });
  double seconds = 0, until = 0;
  for (const Interval& interval : intervals) {
    seconds += std::max(0.0, interval.end - std::max(until, interval.start));
    until = std::max(until, interval.end);
  }
  return seconds;
}

class Stages {
 public:
  Stages(const assay::CertificationPlan& plan, const fs::path& folder, const StageOrders& orders)
      : plan_(plan), folder_(folder), orders_(orders), places_(stages_of_shard(plan, orders.shard)) {
    for (const std::size_t place : places_) outcomes_.push_back(outcome_of_stage(plan.stages[place].name));
    intervals_.resize(places_.size());
  }

  [[nodiscard]] assay::Result<std::vector<assay::Outcome>> run() {
    const auto lock = FolderLock::take(folder_);
    if (!lock) return lock.propagate();
    if (const auto taken = take_over(); !taken) return taken.propagate();
    std::size_t next = 0;
    while (next < places_.size() || !running_.empty()) {
      bool moved = false;
      if (next < places_.size() && has_room_for(next)) {
        if (const auto begun = begin(next); !begun) return begun.propagate();
        ++next, moved = true;
      }
      for (std::size_t at = 0; at < running_.size();) {
        const auto ending = running_[at].process.ended(running_[at].deadline);
        if (!ending) {
          ++at;
          continue;
        }
        const Running ended = std::move(running_[at]);
        running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
        if (const auto finished = finish(ended, *ending); !finished) return finished.propagate();
        moved = true;
      }
      if (!moved) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    measure_times();
    return std::move(outcomes_);
  }

 private:
  /// `number`: among the stages that run here.
  struct Running {
    std::size_t number;
    ExecutedWorker process;
    std::int64_t deadline;  ///< on the monotonic clock
    std::string key;
    double start;
  };

  [[nodiscard]] const assay::PlanStage& stage(std::size_t number) const { return plan_.stages[places_[number]]; }

  [[nodiscard]] double now() const {
    return began_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_).count();
  }

  [[nodiscard]] bool has_room_for(std::size_t number) const {
    return is_taken_over(number) || running_.empty() ||
           (running_.size() < orders_.jobs && !stage(number).measures && !stage(running_.front().number).measures);
  }

  /// Of all that ended before, the time as well.
  [[nodiscard]] assay::Result<void> take_over() {
    const std::map<std::string, EndedStage> known = read_stage_journal(folder_);
    for (std::size_t number = 0; number < places_.size(); ++number) {
      const auto key = key_of(stage(number), orders_.shard);
      if (!key) return key.propagate();
      const auto found = known.find(stage(number).name);
      if (found == known.end() || found->second.key != key.value() || !changed_file(folder_, found->second).empty())
        continue;
      intervals_[number] = Interval{found->second.start, found->second.end};
    }
    return {};
  }

  [[nodiscard]] bool is_taken_over(std::size_t number) const { return intervals_[number].has_value(); }

  /// Until now, of what runs too.
  [[nodiscard]] double spent() const {
    std::vector<Interval> intervals;
    for (const std::optional<Interval>& interval : intervals_)
      if (interval) intervals.push_back(*interval);
    for (const Running& running : running_) intervals.push_back({running.start, now()});
    return seconds_of(std::move(intervals));
  }

  void tell(std::size_t number, assay::Verdict verdict, std::string reason) {
    assay::Outcome& outcome = outcomes_[number];
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    std::printf("stage %-16s %-8s %s\n", stage(number).name.c_str(), std::string(name_of(verdict)).c_str(),
                outcome.reason.c_str());
    std::fflush(stdout);
  }

  [[nodiscard]] fs::path evidence_of(std::size_t number) const { return folder_ / "evidence" / stage(number).name; }
  [[nodiscard]] fs::path unfinished_of(std::size_t number) const { return folder_ / "unfinished" / stage(number).name; }

  [[nodiscard]] assay::Result<void> begin(std::size_t number) {
    if (is_taken_over(number)) {
      const double seconds = intervals_[number]->end - intervals_[number]->start;
      outcomes_[number].duration_seconds = seconds;
      tell(number, assay::Verdict::pass, "ended before, after " + time_text(seconds) + "; not repeated");
      return {};
    }
    std::error_code code;
    const fs::path unfinished = unfinished_of(number);
    fs::remove_all(evidence_of(number), code);
    fs::remove_all(unfinished, code);
    const double minutes = stage(number).minutes;
    if (const double so_far = spent(); plan_.minutes > 0 && so_far + 60 * minutes > 60 * plan_.minutes) {
      tell(number, assay::Verdict::skipped,
           "left out: it may take " + time_text(60 * minutes) + ", and of the plan's " + time_text(60 * plan_.minutes) +
               " " + time_text(so_far) + " are spent");
      return {};
    }
    fs::create_directories(unfinished, code);
    if (code) return assay::failure(assay::ErrorKind::io, "'" + unfinished.string() + "': " + code.message());
    auto key = key_of(stage(number), orders_.shard);
    if (!key) return key.propagate();
    const double start = now();
    const std::int64_t deadline = assay::detail::deadline_in(60 * minutes);
    auto process = start_stage(filled(stage(number).command, unfinished, orders_.shard), unfinished / "log.txt");
    if (!process) {
      tell(number, assay::Verdict::error, flaw_of(stage(number), process.propagate(), unfinished));
      return {};
    }
    running_.push_back({number, std::move(process).value(), deadline, std::move(key).value(), start});
    return {};
  }

  [[nodiscard]] assay::Result<void> finish(const Running& ended, const Ending& ending) {
    const double seconds = now() - ended.start;
    const fs::path unfinished = unfinished_of(ended.number), evidence = evidence_of(ended.number);
    const Interval interval{ended.start, ended.start + seconds};
    intervals_[ended.number] = interval;
    assay::Outcome& outcome = outcomes_[ended.number];
    outcome.duration_seconds = seconds;
    outcome.reproduce = command_text(stage(ended.number).command);
    if (std::string flaw = flaw_of(stage(ended.number), ending, unfinished); !flaw.empty()) {
      tell(ended.number, assay::Verdict::error, std::move(flaw));
      return {};
    }
    std::error_code code;
    fs::rename(unfinished, evidence, code);
    if (code) return assay::failure(assay::ErrorKind::io, "'" + evidence.string() + "': " + code.message());
    auto files = hashes_below(folder_, evidence);
    if (!files) return files.propagate();
    const auto noted = note_ended_stage(folder_, stage(ended.number).name,
                                        {ended.key, interval.start, interval.end, std::move(files).value()});
    if (!noted) return noted.propagate();
    tell(ended.number, assay::Verdict::pass, "ended after " + time_text(seconds));
    return {};
  }

  void measure_times() {
    double first = std::numeric_limits<double>::infinity();
    for (const std::optional<Interval>& interval : intervals_)
      if (interval) first = std::min(first, interval->start);
    for (std::size_t number = 0; number < places_.size(); ++number) {
      if (!intervals_[number]) continue;
      outcomes_[number].measure("start", intervals_[number]->start - first, "s");
      outcomes_[number].measure("end", intervals_[number]->end - first, "s");
    }
  }

  const assay::CertificationPlan& plan_;
  const fs::path folder_;
  const StageOrders orders_;
  const std::vector<std::size_t> places_;           ///< in the plan, of what runs here
  std::vector<assay::Outcome> outcomes_;            ///< in the order of the plan
  std::vector<std::optional<Interval>> intervals_;  ///< of what has ended, here or before
  std::vector<Running> running_;
  const std::chrono::steady_clock::time_point clock_ = std::chrono::steady_clock::now();
  const double began_ = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
};

}  // namespace

assay::Outcome outcome_of_stage(const std::string& name) {
  assay::Outcome outcome;
  outcome.id = "certify/" + name;
  outcome.labels["stage"] = name;
  return outcome;
}

std::string time_text(double seconds) {
  return seconds < 120 ? assay::detail::printed_number(seconds, 3) + " s"
                       : assay::detail::printed_number(seconds / 60, 3) + " min";
}

assay::Result<std::vector<assay::Outcome>> run_plan_stages(const assay::CertificationPlan& plan, const fs::path& folder,
                                                           const StageOrders& orders) {
  return Stages(plan, folder, orders).run();
}

}  // namespace assay_program
