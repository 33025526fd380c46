#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/performance/clock_resolution.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/serving/event_log.hpp"
#include "assay/serving/latency_limits.hpp"
#include "assay/serving/load_run.hpp"
#include "assay/serving/load_summary.hpp"
#include "assay/serving/rate_search.hpp"
#include "assay/serving/scenario.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "serve.hpp"
#include "serve_study.hpp"

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;
using Records = std::vector<assay::RequestRecord>;

/// "250ms" or "1.5s" in seconds.
std::optional<double> seconds_of(const std::string& text) {
  const std::size_t unit = text.find_first_not_of("0123456789.eE+-");
  if (unit == std::string::npos) return std::nullopt;
  const auto number = assay::detail::read_number(text.substr(0, unit));
  const double scale = text.substr(unit) == "ms" ? 1e-3 : text.substr(unit) == "s" ? 1 : 0;
  if (!number || !(*number > 0 && *number < 1e6) || scale == 0) return std::nullopt;
  return *number * scale;
}

assay::Result<assay::ServiceLevel> level_of(std::string text) {
  assay::ServiceLevel level;
  const std::vector<std::pair<std::string, std::optional<double>*>> members{{"ttft", &level.first_token},
                                                                            {"tpot", &level.per_token},
                                                                            {"e2e", &level.end_to_end},
                                                                            {"gap", &level.longest_gap}};
  while (!text.empty()) {
    const std::string entry = text.substr(0, text.find(','));
    text.erase(0, entry.size() + 1);
    const std::size_t equals = entry.find('=');
    const auto seconds = equals == std::string::npos ? std::nullopt : seconds_of(entry.substr(equals + 1));
    const auto member = std::find_if(members.begin(), members.end(),
                                     [&](const auto& one) { return one.first == entry.substr(0, equals); });
    if (member == members.end())
      return failure(ErrorKind::not_found,
                     assay::unknown_name("limit", entry.substr(0, equals), {"ttft", "tpot", "e2e", "gap"}));
    if (!seconds)
      return failure(ErrorKind::invalid, "--level has '" + entry + "'; give a time such as ttft=250ms or e2e=2s");
    *member->second = *seconds;
  }
  return level;
}

/// The limits of --limits, or of --level.
assay::Result<assay::ScenarioRules> rules_of(const ServeOptions& given, const assay::ServiceLevel& level) {
  assay::ScenarioRules rules = assay::rules_of(given.scenario == "SingleStream" ? assay::Scenario::single_stream
                                               : given.scenario == "Server"     ? assay::Scenario::server
                                                                                : assay::Scenario::offline);
  rules.most_latency = level.end_to_end;
  rules.most_first_token = level.first_token;
  rules.most_per_token = level.per_token;
  if (given.least_queries > 0) rules.least_queries = rules.least_samples = given.least_queries;
  if (given.limits.empty()) return rules;
  const std::string model = given.limits.substr(0, given.limits.find('/'));
  const bool interactive = given.limits.size() > model.size();
  const auto* limits = assay::find_latency_limits(model, interactive);
  if (limits == nullptr || (interactive && given.limits.substr(model.size()) != "/interactive")) {
    std::vector<std::string> known;
    for (const auto& one : assay::mlperf_latency_limits)
      known.push_back(std::string(one.model) + (one.interactive ? "/interactive" : ""));
    return failure(ErrorKind::not_found, assay::unknown_name("model with limits", given.limits, known));
  }
  rules.most_first_token = limits->first_token;
  rules.most_per_token = limits->per_token;
  return rules;
}

assay::ScenarioRun scenario_run(const Records& records, const assay::TokenCounter& counter) {
  assay::ScenarioRun run;
  std::int64_t begin = 0, end = 0;
  for (const assay::RequestRecord& record : records) {
    const auto metrics = assay::request_metrics(record, counter);
    begin = begin == 0 ? record.scheduled_ns : std::min(begin, record.scheduled_ns);
    end = std::max(end, record.end_ns);
    if (!metrics.served) {
      ++run.failed;
      continue;
    }
    ++run.samples;
    run.latencies.push_back(*metrics.end_to_end);
    run.first_tokens.push_back(*metrics.first_token);
    if (metrics.per_token) run.per_token.push_back(*metrics.per_token);
  }
  run.seconds = static_cast<double>(end - begin) * 1e-9;
  return run;
}

/// What the server did with a number of tokens that was to be exact: the finding, empty where nothing is wrong.
std::string note_token_counts(assay::Outcome& outcome, const Records& records, bool exact) {
  std::size_t told = 0, shorter = 0;
  for (const assay::RequestRecord& record : records) {
    if (!record.usage.completion || record.end != assay::RequestEnd::complete) continue;
    ++told;
    shorter += *record.usage.completion < record.most_tokens ? 1 : 0;
  }
  if (!exact) return {};
  outcome.derivation.push_back(told == 0 ? "whether ignore_eos was kept is not known: the server tells no token counts"
                                         : std::to_string(shorter) + " of " + std::to_string(told) +
                                               " answers are shorter than ignore_eos asks for");
  if (shorter == 0) return {};
  const std::string finding = std::to_string(shorter) + " of " + std::to_string(told) +
                              " answers are shorter than ignore_eos asks for: the load was another than was to be";
  if (outcome.verdict == assay::Verdict::pass) {
    outcome.verdict = assay::Verdict::inconclusive;
    outcome.reason = finding;
  }
  return finding;
}

/// One step after the other, and what they are together.
class Steps {
 public:
  Steps(ServeSession& session, const ServeOptions& given, assay::LoadPlan plan, assay::ServiceLevel level)
      : session_(session), given_(given), plan_(std::move(plan)), level_(level) {}

  assay::Result<assay::LoadSummary> run(std::size_t users, double rate, const std::string& name) {
    session_.tell("load: " + name);
    assay::LoadPlan plan = plan_;
    plan.users = users;
    plan.arrivals.rate = rate > 0 ? rate : 1;
    plan.warm_up = given_.warm_up.value_or(std::max<std::size_t>(users, 1));
    const double start = assay::monotonic_seconds();
    auto records = assay::run_load(session_.server(), plan, session_.client());
    if (!records) return records.propagate();
    assay::LoadSummaryOptions options;
    options.level = level_;
    options.counter = session_.counter();
    assay::LoadSummary summary = assay::summarize_load(records.value(), options);
    outcomes_.push_back(assay::load_outcome(summary, "bench/" + given_.interface + "/" + name, given_.least_kept));
    outcomes_.back().seed = given_.seed;
    outcomes_.back().duration_seconds = assay::monotonic_seconds() - start;
    const std::string finding = note_token_counts(outcomes_.back(), records.value(), given_.ignore_eos);
    if (token_finding_.empty() && !finding.empty()) token_finding_ = name + ": " + finding;
    records_ = std::move(records).value();
    add_point(summary, users > 0 ? static_cast<double>(users) : rate);
    return summary;
  }
  void add_frontier(const std::string& x) {
    if (throughput_.points.size() < 2) return;
    assay::Outcome frontier;
    frontier.id = "serving/bench/" + given_.interface + "/frontier";
    frontier.labels["operation"] = "serving";
    frontier.verdict = assay::Verdict::pass;
    for (const assay::Outcome& step : outcomes_)
      if (step.verdict != assay::Verdict::pass) {
        frontier.verdict = assay::Verdict::inconclusive;
        frontier.reason = "a step did not pass: " + step.id;
      }
    throughput_.x_label = x;
    frontier.series = {throughput_, frontier_};
    outcomes_.push_back(std::move(frontier));
  }
  [[nodiscard]] std::vector<assay::Outcome>& outcomes() { return outcomes_; }
  [[nodiscard]] const Records& records() const { return records_; }
  /// The first step's whose answers were not as long as was asked for; empty where none was.
  [[nodiscard]] const std::string& token_finding() const { return token_finding_; }

 private:
  void add_point(const assay::LoadSummary& summary, double load) {
    throughput_.points.emplace_back(load, summary.output_tokens_per_second);
    if (const auto* pace = summary.metric("tpot"); pace != nullptr && pace->percentiles[1].value > 0)
      frontier_.points.emplace_back(1 / pace->percentiles[1].value, summary.output_tokens_per_second);
  }

  ServeSession& session_;
  const ServeOptions& given_;
  assay::LoadPlan plan_;
  assay::ServiceLevel level_;
  std::vector<assay::Outcome> outcomes_;
  Records records_;
  std::string token_finding_;
  assay::Series throughput_{"Output by load", "", "output tokens/s", {}};
  assay::Series frontier_{
      "Throughput against speed of a user", "tokens/s of a user (1/median TPOT)", "output tokens/s", {}};
};

assay::Result<assay::LoadPlan> plan_of(const ServeSession& session, const ServeOptions& given) {
  assay::LoadPlan plan;
  plan.request = session.request();
  plan.request.max_tokens = given.output_tokens.value_or(100);
  plan.request.ignore_eos = given.ignore_eos;
  plan.request.temperature = given.temperature;
  plan.request.count_every_event = given.count_every_event;
  plan.workload = {given.input_words.value_or(100), given.prefix_words, given.distinct, !given.unsalted, given.seed};
  plan.prompts = session.prompts();
  plan.pause = given.pause;
  plan.seconds = given.seconds.value_or(30);
  plan.requests = given.requests;
  plan.arrivals.process = given.arrivals == "gamma"      ? assay::ArrivalProcess::gamma
                          : given.arrivals == "constant" ? assay::ArrivalProcess::constant
                                                         : assay::ArrivalProcess::poisson;
  plan.arrivals.burstiness = given.burstiness;
  plan.arrivals.final_rate = given.final_rate;
  plan.arrivals.seed = given.seed;
  if (given.trace.empty()) return plan;
  const auto text = assay::read_file(given.trace, "a trace");
  if (!text) return text.propagate();
  auto trace = assay::trace_from_text(text.value());
  if (!trace) return trace.propagate();
  plan.trace = std::move(trace).value();
  return plan;
}

int replay(const CommandLine& line, ServeSession& session, const assay::ServiceLevel& level) {
  const auto records = assay::read_event_log(line.serve.replay);
  if (!records) return fault(records.error().message);
  assay::LoadSummaryOptions options;
  options.level = level;
  options.counter = session.counter();
  const assay::LoadSummary summary = assay::summarize_load(records.value(), options);
  return session.finish("Events of " + line.serve.replay,
                        {assay::load_outcome(summary, "bench/replay", line.serve.least_kept)}, 1);
}

int search(const CommandLine& line, ServeSession& session, Steps& steps) {
  const ServeOptions& given = line.serve;
  assay::RateSearchOptions options;
  options.whole = given.find == "users";
  options.most = given.most;
  options.least_kept = given.least_kept;
  options.most_probes = 3;
  const auto found = assay::search_rate(
      [&](double load) -> assay::Result<assay::RateProbe> {
        if (session.stop()) return failure(ErrorKind::aborted, "the search was stopped");
        const auto users = options.whole ? static_cast<std::size_t>(load) : 0;
        const auto summary = steps.run(users, load, (options.whole ? "users-" : "rate-") + assay::number_text(load, 4));
        if (!summary) return summary.propagate();
        assay::RateProbe probe;
        probe.requests = summary.value().requests;
        probe.kept = static_cast<std::uint64_t>(summary.value().kept_share * static_cast<double>(probe.requests) + 0.5);
        probe.valid = summary.value().void_reason.empty() && probe.requests > 0;
        probe.note = summary.value().void_reason;
        session.tell("  " + std::to_string(probe.kept) + " of " + std::to_string(probe.requests) +
                     " requests kept the level");
        return probe;
      },
      options);
  if (!found) {
    if (session.stop()) return session.finish("Load of " + given.url + ", cut short", {}, 1);
    return fault(found.error().message);
  }
  assay::Outcome outcome = assay::rate_search_outcome(found.value(), options, "search/" + given.find);
  if (given.ignore_eos)
    for (const assay::Outcome& step : steps.outcomes())
      outcome.derivation.push_back(step.id + ": " + step.derivation.back());
  if (!steps.token_finding().empty() && outcome.verdict == assay::Verdict::pass) {
    outcome.verdict = assay::Verdict::inconclusive;
    outcome.reason = steps.token_finding();
  }
  return session.finish("Load that " + given.url + " sustains", {std::move(outcome)}, 1);
}

}  // namespace

int serve_bench(const CommandLine& line) {
  const ServeOptions& given = line.serve;
  const auto level = level_of(given.level);
  if (!level) return fault(level.error().message);
  const auto rules = rules_of(given, level.value());
  if (!rules) return fault(rules.error().message);
  auto opened = ServeSession::open(line);
  if (!opened) return fault(opened.error().message);
  ServeSession& session = *opened.value();
  if (!given.replay.empty()) return replay(line, session, level.value());
  auto plan = plan_of(session, given);
  if (!plan) return fault(plan.error().message);
  if (is_load_study(given.scenario)) return study_load(session, given, std::move(plan).value());
  const bool offline = given.scenario == "Offline";
  if (offline) plan.value().seconds = 1e6;  // all requests begin, however long they take
  Steps steps(session, given, plan.value(), level.value());
  if (!given.find.empty()) return search(line, session, steps);

  std::vector<std::size_t> users = given.users;
  if (users.empty() && given.rates.empty() && given.trace.empty()) users = {offline ? given.requests : 1};
  std::size_t planned = users.size() + given.rates.size() + (given.trace.empty() ? 0 : 1);
  const auto step = [&](std::size_t so_many, double rate, const std::string& name) -> std::optional<int> {
    if (session.stop()) return std::nullopt;
    const auto summary = steps.run(so_many, rate, name);
    if (!summary) return fault(summary.error().message);
    return std::nullopt;
  };
  for (const std::size_t number : users)
    if (const auto code = step(number, 0, "users-" + std::to_string(number))) return *code;
  for (const double rate : given.rates)
    if (const auto code = step(0, rate, "rate-" + assay::number_text(rate, 4))) return *code;
  if (!given.trace.empty())
    if (const auto code = step(0, 0, "trace")) return *code;
  if (session.stop()) ++planned;  // a step that was cut short is no step
  if (!given.scenario.empty()) {
    // The load is judged by the scenario's rules alone.
    std::vector<assay::Outcome> judged{
        assay::scenario_outcome(assay::judge_scenario(scenario_run(steps.records(), session.counter()), rules.value()),
                                rules.value(), given.interface)};
    for (assay::Table& table : steps.outcomes().front().tables) judged.front().tables.push_back(std::move(table));
    for (assay::Series& series : steps.outcomes().front().series) judged.front().series.push_back(std::move(series));
    return session.finish("MLPerf " + given.scenario + " on " + given.url, std::move(judged), planned);
  }
  steps.add_frontier(users.empty() ? "requests/s" : "users");
  planned += steps.outcomes().size() > planned ? 1 : 0;
  return session.finish("Load on " + given.url, std::move(steps.outcomes()), planned);
}

}  // namespace assay_program
