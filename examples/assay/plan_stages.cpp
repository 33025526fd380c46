#include "plan_stages.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "assay/core/printed_number.hpp"
#include "assay/core/version.hpp"
#include "assay/release/results_folder.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "certificate.hpp"
#include "stage_process.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// What is known of a stage that has ended.
struct KnownStage {
  std::string key;
  double seconds = 0;
  std::map<std::string, std::string> files;  ///< by path from the folder, their hashes
};

std::string in_minutes(double seconds) {
  return seconds < 120 ? assay::detail::printed_number(seconds, 3) + " s"
                       : assay::detail::printed_number(seconds / 60, 3) + " min";
}

/// The command, the program and its version: where one differs, results are those of something else.
assay::Result<std::string> key_of(const assay::PlanStage& stage) {
  static const auto program = hash_of_file("/proc/self/exe");
  if (!program) return program.propagate();
  std::string text = std::string(assay::version) + '\n' + program.value();
  for (const std::string& argument : stage.command) text += '\n' + argument;
  return hash_of(text);
}

/// Lines that do not parse are those that a crash has torn: their stages run again.
std::map<std::string, KnownStage> read_journal(const fs::path& path) {
  std::map<std::string, KnownStage> known;
  const auto text = assay::read_file(path);
  if (!text) return known;
  for (std::size_t start = 0; start < text.value().size();) {
    const std::size_t end = text.value().find('\n', start);
    if (end == std::string::npos) break;
    const Json line = Json::parse(text.value().substr(start, end - start), nullptr, false);
    start = end + 1;
    if (!line.is_object() || !line.contains("stage") || !line["stage"].is_string()) continue;
    KnownStage& stage = known[line["stage"].get<std::string>()];
    stage = {};
    if (const auto key = line.find("key"); key != line.end() && key->is_string()) stage.key = key->get<std::string>();
    if (const auto seconds = line.find("seconds"); seconds != line.end() && seconds->is_number())
      stage.seconds = seconds->get<double>();
    if (const auto files = line.find("files"); files != line.end() && files->is_object())
      for (const auto& [file, hash] : files->items())
        if (hash.is_string()) stage.files[file] = hash.get<std::string>();
  }
  return known;
}

assay::Result<void> append(const fs::path& path, const std::string& line) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (written) return {};
  return assay::failure(assay::ErrorKind::io, "'" + path.string() + "' cannot be written; is the disk full?");
}

std::string last_line(const fs::path& log) {
  const auto text = assay::read_file(log);
  if (!text) return {};
  std::string last;
  std::size_t start = 0;
  while (start < text.value().size()) {
    const std::size_t end = std::min(text.value().find('\n', start), text.value().size());
    if (end > start) last = text.value().substr(start, end - start);
    start = end + 1;
  }
  return assay::clipped(assay::visible(last), 200);
}

/// Why what a stage left is no evidence; empty: it is.
std::string flaw_of(const assay::PlanStage& stage, const StageEnding& ending, const fs::path& folder) {
  const auto with_last_line = [&](std::string what) {
    const std::string line = last_line(folder / "log.txt");
    return line.empty() ? what : what + "; its last line: " + line;
  };
  if (ending.timed_out) return "took longer than its " + in_minutes(60 * stage.minutes) + ", and was killed";
  if (ending.signal != 0) return with_last_line("was killed by signal " + std::to_string(ending.signal));
  if (ending.exit_code > 2) return with_last_line("ended with exit code " + std::to_string(ending.exit_code));
  const auto runs = assay::read_runs({folder});
  if (!runs) return with_last_line("exit code " + std::to_string(ending.exit_code) + ", " + runs.error().message);
  std::size_t outcomes = 0;
  for (const assay::SavedRun& saved : runs.value()) {
    outcomes += saved.run.outcomes.size();
    if (saved.run.outcomes.size() < saved.run.planned_cases) return "was cut short: not all of its cases ran";
  }
  return outcomes == 0 ? with_last_line("left no results") : std::string();
}

/// `command` with its places filled in.
std::vector<std::string> filled(std::vector<std::string> command, const fs::path& folder) {
  const std::pair<const char*, std::string> places[] = {{"{report}", (folder / "report.json").string()},
                                                        {"{out}", folder.string()}};
  for (std::string& argument : command)
    for (const auto& [name, value] : places)
      for (std::size_t at = argument.find(name); at != std::string::npos; at = argument.find(name, at + value.size()))
        argument.replace(at, std::string(name).size(), value);
  return command;
}

class Stages {
 public:
  Stages(const assay::CertificationPlan& plan, const fs::path& folder)
      : plan_(plan), folder_(folder), known_(read_journal(folder / "journal.jsonl")) {}

  [[nodiscard]] assay::Result<std::vector<assay::Outcome>> run() {
    std::vector<assay::Outcome> outcomes;
    for (const assay::PlanStage& stage : plan_.stages) {
      auto outcome = run(stage);
      if (!outcome) return outcome.propagate();
      std::printf("stage %-16s %-8s %s\n", stage.name.c_str(), std::string(name_of(outcome.value().verdict)).c_str(),
                  outcome.value().reason.c_str());
      std::fflush(stdout);
      outcomes.push_back(std::move(outcome).value());
    }
    return outcomes;
  }

 private:
  [[nodiscard]] assay::Result<assay::Outcome> run(const assay::PlanStage& stage) {
    assay::Outcome outcome;
    outcome.id = "certify/" + stage.name;
    outcome.labels["stage"] = stage.name;
    const auto key = key_of(stage);
    if (!key) return key.propagate();
    const fs::path evidence = folder_ / "evidence" / stage.name;
    if (const auto known = known_.find(stage.name); known != known_.end() && is_whole(known->second, key.value())) {
      spent_ += known->second.seconds;
      outcome.verdict = assay::Verdict::pass;
      outcome.duration_seconds = known->second.seconds;
      outcome.reason = "ended before, after " + in_minutes(known->second.seconds) + "; not repeated";
      return outcome;
    }
    std::error_code code;
    const fs::path unfinished = folder_ / "unfinished" / stage.name;
    fs::remove_all(evidence, code);
    fs::remove_all(unfinished, code);
    if (plan_.minutes > 0 && spent_ + 60 * stage.minutes > 60 * plan_.minutes) {
      outcome.verdict = assay::Verdict::skipped;
      outcome.reason = "left out: it may take " + in_minutes(60 * stage.minutes) + ", and of the plan's " +
                       in_minutes(60 * plan_.minutes) + " " + in_minutes(spent_) + " are spent";
      return outcome;
    }
    fs::create_directories(unfinished, code);
    if (code) return assay::failure(assay::ErrorKind::io, "'" + unfinished.string() + "': " + code.message());
    const auto ended = run_stage_command(filled(stage.command, unfinished), unfinished / "log.txt", 60 * stage.minutes);
    if (!ended) return ended.propagate();
    spent_ += ended.value().seconds;
    outcome.duration_seconds = ended.value().seconds;
    outcome.reproduce = command_text(stage);
    const std::string flaw = flaw_of(stage, ended.value(), unfinished);
    if (!flaw.empty()) {
      outcome.verdict = assay::Verdict::error;
      outcome.reason = flaw;
      return outcome;
    }
    fs::rename(unfinished, evidence, code);
    if (code) return assay::failure(assay::ErrorKind::io, "'" + evidence.string() + "': " + code.message());
    if (const auto noted = note(stage, key.value(), ended.value().seconds, evidence); !noted) return noted.propagate();
    outcome.verdict = assay::Verdict::pass;
    outcome.reason = "ended after " + in_minutes(ended.value().seconds);
    return outcome;
  }

  [[nodiscard]] bool is_whole(const KnownStage& stage, const std::string& key) const {
    if (stage.key != key || stage.files.empty()) return false;
    for (const auto& [file, hash] : stage.files) {
      const auto now = hash_of_file(folder_ / file);
      if (!now || now.value() != hash) return false;
    }
    return true;
  }

  [[nodiscard]] assay::Result<void> note(const assay::PlanStage& stage, const std::string& key, double seconds,
                                         const fs::path& evidence) {
    Json line{{"stage", stage.name}, {"key", key}, {"seconds", seconds}, {"files", Json::object()}};
    const auto files = hashes_below(folder_, evidence);
    if (!files) return files.propagate();
    for (const auto& [file, hash] : files.value()) line["files"][file] = hash;
    return append(folder_ / "journal.jsonl", line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  [[nodiscard]] static std::string command_text(const assay::PlanStage& stage) {
    std::string text;
    for (const std::string& argument : stage.command) text += (text.empty() ? "" : " ") + argument;
    return text;
  }

  const assay::CertificationPlan& plan_;
  const fs::path folder_;
  const std::map<std::string, KnownStage> known_;
  double spent_ = 0;  ///< seconds, of all stages
};

}  // namespace

assay::Result<std::vector<assay::Outcome>> run_plan_stages(const assay::CertificationPlan& plan,
                                                           const fs::path& folder) {
  return Stages(plan, folder).run();
}

}  // namespace assay_program
