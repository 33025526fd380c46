#include "serve_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

namespace {

constexpr const char* serve_bench_examples =
    "Examples:\n"
    "  assay serve-bench http://127.0.0.1:8000 --users 1,4,16 --seconds 60 --out report     load steps, a frontier\n"
    "  assay serve-bench URL --rate 5 --level ttft=500ms,tpot=50ms --events raw.jsonl       Poisson arrivals, goodput\n"
    "  assay serve-bench URL --find users --level ttft=1s,tpot=40ms                         how many users it "
    "sustains\n"
    "  assay serve-bench URL --scenario Server --limits llama3.1-8b --rate 2 --seconds 600  by MLPerf's rules\n"
    "  assay serve-bench URL --scenario slt --most 512                                      users until output is "
    "flat\n"
    "  assay serve-bench URL --scenario agent_perf --tier gpt-oss-120b/100                  how many agents it "
    "sustains\n"
    "  assay serve-bench --replay raw.jsonl                                                 the same numbers again\n\n"
    "A key is taken from the variable ASSAY_SERVER_KEY. Exit code: 0 served, and within --level; 1 not; 2 usage,\n"
    "environment, or nothing decided, as of a client that was too slow.";

constexpr const char* serve_check_examples =
    "Examples:\n"
    "  assay serve-check http://127.0.0.1:8000 --out report         whether load, caches and streams change answers\n"
    "  assay serve-check URL --check cross_talk,under_load --users 64 --require-invariance\n\n"
    "A key is taken from the variable ASSAY_SERVER_KEY. Exit code: 0 right, 1 something is wrong, 2 usage, "
    "environment,\n"
    "or nothing was decided.";

void add_serve_common(CLI::App& app, ServeOptions& options) {
  app.add_option("--model", options.model, "of the server (the first that it lists)")->type_name("NAME");
  app.add_option("--interface", options.interface, "of the server (chat)")->type_name("chat|completions|responses");
  app.add_option("--prompts", options.prompts, "a prompt a line, or JSON lines with prompt (made ones)")
      ->type_name("FILE");
  app.add_option("--more", options.more, "members for the body of every request")->type_name("JSON");
  app.add_option("--seed", options.seed, "of prompts and arrivals (1)")->type_name("N");
  app.add_option("--deadline", options.deadline, "of a request (600)")->type_name("SECONDS");
  app.add_flag("--insecure", options.insecure, "of https: take any certificate, which outcomes tell");
  app.add_option("--authority", options.authority, "of https: certificates to trust (the system's)")
      ->type_name("FILE.pem");
  app.add_option("--events", options.events, "write every request with its timed events there, a JSON line each")
      ->type_name("FILE.jsonl");
}

}  // namespace

ServeCommands add_serve_commands(CLI::App& app, ServeOptions& options) {
  CLI::App& bench = *app.add_subcommand(
      "serve-bench", "how fast a server of language models answers, under which load, and how many users it sustains");
  bench.add_option("url", options.url, "an OpenAI-compatible server; without a path, /v1")->type_name("URL");
  bench.option_defaults()->group("Load");
  bench.add_option("--users", options.users, "so many at once, each waiting for the answer; several: load steps (1)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N[,N…]");
  bench.add_option("--rate", options.rates, "requests a second, whether anybody is served or not; several: load steps")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("R[,R…]");
  bench.add_option("--arrivals", options.arrivals, "of --rate (poisson)")->type_name("poisson|gamma|constant");
  bench.add_option("--burstiness", options.burstiness, "shape of gamma arrivals; below 1 in bursts (1)")
      ->type_name("X");
  bench.add_option("--final-rate", options.final_rate, "the rate climbs from --rate to this")->type_name("R");
  bench.add_option("--trace", options.trace, "JSON lines with timestamp (ms), input_length, output_length, hash_ids")
      ->type_name("FILE");
  bench.add_option("--seconds", options.seconds, "during which requests begin, of each step (30, or the scenario's)")
      ->type_name("SECONDS");
  bench.add_option("--requests", options.requests, "at most, of each step")->type_name("N");
  bench.add_option("--warm-up", options.warm_up, "requests before, that do not count (as many as users)")
      ->type_name("N");
  bench.add_option("--pause", options.pause, "of a user between an answer and the next request (0)")
      ->type_name("SECONDS");
  bench.option_defaults()->group("Requests");
  bench.add_option("--input-words", options.input_words, "of a made prompt, about a token each (100; slt 1000)")
      ->type_name("N");
  bench.add_option("--prefix-words", options.prefix_words, "that all made prompts begin with (0)")->type_name("N");
  bench.add_option("--distinct", options.distinct, "made prompts, again and again (no two the same)")->type_name("N");
  bench.add_flag("--unsalted", options.unsalted, "prompts without a beginning of their seed: earlier runs warm caches");
  bench.add_option("--output-tokens", options.output_tokens, "asked for at most (100; slt 1000)")->type_name("N");
  bench.add_flag("--ignore-eos", options.ignore_eos, "ask for exactly as many; told where the server does not");
  bench.add_flag("--count-every-event", options.count_every_event, "ask for token counts with every event (vLLM)");
  bench.add_option("--temperature", options.temperature, "0: greedy (0)")->type_name("T");
  add_serve_common(bench, options);
  bench.option_defaults()->group("Judgment");
  bench.add_option("--level", options.level, "what a request is to keep: ttft, tpot, e2e, gap (not of --scenario)")
      ->type_name("NAME=TIME[,…]");
  bench.add_option("--kept", options.least_kept, "share of requests that are to keep it (0.99)")->type_name("SHARE");
  bench.add_option("--find", options.find, "the most users, or the highest rate, that keep --level")
      ->type_name("users|rate");
  bench.add_option("--most", options.most, "where --find ends (1024)")->type_name("N");
  bench.add_option("--scenario", options.scenario, "by the rules of MLPerf Inference, or of a study of loads")
      ->type_name("SingleStream|Server|Offline|slt|agent_perf|frontier|endpoints");
  bench.add_option("--limits", options.limits, "of Server: MLPerf's of a model, such as llama3.1-8b/interactive")
      ->type_name("MODEL[/interactive]");
  bench.add_option("--least-queries", options.least_queries, "of --scenario (the rules')")->type_name("N");
  bench.add_option("--tier", options.tier, "of agent_perf: gpt-oss-120b/100, or what is to be kept, as 20@10s")
      ->type_name("MODEL/SPEED|SPEED@TIME");
  bench.add_option("--conversations", options.conversations, "of agent_perf: JSON lines with turns (made ones)")
      ->type_name("FILE");
  bench.add_option("--tool-seconds", options.tool_seconds, "of agent_perf: longest wait before a made turn (5)")
      ->type_name("SECONDS");
  bench.add_option("--claim", options.claim, "of slt: where its plateau is said to be, which is checked")
      ->type_name("USERS:TOKENS/S");
  bench.add_option("--accelerators", options.accelerators, "of the server, for figures of one (1)")->type_name("N");
  bench.add_option("--tokenizer", options.tokenizer, "count tokens by this tokenizer.json (the server's word)")
      ->type_name("FILE");
  bench
      .add_option("--replay", options.replay,
                  "compute from kept --events, or AIPerf's raw export, instead of asking a server")
      ->type_name("FILE.jsonl");
  bench.option_defaults()->group("Options");
  bench.footer(serve_bench_examples);

  CLI::App& check = *app.add_subcommand(
      "serve-check", "whether batching, caches, streams and sampling of a server of language models keep its answers");
  check.add_option("url", options.url, "an OpenAI-compatible server; without a path, /v1")
      ->type_name("URL")
      ->required();
  check.option_defaults()->group("What is checked");
  check
      .add_option("--check", options.checks,
                  "these alone: repeatable, stream, under_load, cross_talk, token_limit, stop, seed, sampling, errors, "
                  "prefix_cache, choices, logit_bias, sampling_limits, structured, tokenizer")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[,NAME…]");
  check.add_option("--users", options.check_users, "at once, under load (8)")->type_name("N");
  check.add_option("--rounds", options.rounds, "how often each prompt is asked under load (3)")->type_name("N");
  check.add_option("--distinct", options.check_prompts, "made prompts (8)")->type_name("N");
  check.add_option("--output-tokens", options.check_tokens, "of an answer at most (32)")->type_name("N");
  check.add_option("--samples", options.samples, "tokens drawn for the test of sampling (200)")->type_name("N");
  check.add_flag("--require-invariance", options.require_invariance,
                 "fail where a greedy answer depends on what else runs, be it by rounding");
  add_serve_common(check, options);
  check.option_defaults()->group("Options");
  check.footer(serve_check_examples);
  return {bench, check};
}

bool is_load_study(const std::string& scenario) {
  return scenario == "slt" || scenario == "agent_perf" || scenario == "frontier" || scenario == "endpoints";
}

namespace {

assay::Result<void> check_load_study(const ServeOptions& options) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  const bool chooses = options.scenario == "slt" || options.scenario == "agent_perf";
  if (!options.rates.empty() || !options.trace.empty() || (chooses && !options.users.empty()))
    return refused("the scenario " + options.scenario +
                   (chooses ? " chooses its users by its rules; leave out --users, --rate and --trace"
                            : " has users who wait; leave out --rate and --trace"));
  if (!options.level.empty() || !options.limits.empty())
    return refused("--level and --limits are no part of the scenario " + options.scenario + "; leave them out");
  if (options.scenario == "agent_perf" && options.tier.empty())
    return refused("the scenario agent_perf asks for --tier: gpt-oss-120b/100, or 20@10s");
  if (options.scenario == "agent_perf" && options.interface != "chat")
    return refused("the scenario agent_perf speaks with the interface chat alone");
  if (!(options.most >= 2 && options.most <= 1e6)) return refused("--most must be from 2 to 1000000 users");
  return {};
}

}  // namespace

assay::Result<void> check_serve_options(const ServeOptions& options, bool bench) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  const std::vector<std::string> interfaces{"chat", "completions", "responses"};
  if (std::find(interfaces.begin(), interfaces.end(), options.interface) == interfaces.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("interface", options.interface, interfaces));
  if (!(options.deadline > 0)) return refused("--deadline must be above 0 s");
  if ((options.insecure || !options.authority.empty()) && options.url.rfind("https://", 0) != 0)
    return refused("--insecure and --authority are of a server named with https://");
  if (options.insecure && !options.authority.empty())
    return refused("--insecure takes any certificate, --authority those of a file; give one of them");
  if (!bench) return {};
  if (options.url.empty() == options.replay.empty())
    return refused("serve-bench asks for the URL of a server, or for --replay FILE; give one of them");
  if (!options.replay.empty() && !options.events.empty()) return refused("--replay reads events; leave out --events");
  const std::vector<std::string> arrivals{"poisson", "gamma", "constant"}, finds{"users", "rate"},
      scenarios{"SingleStream", "Server", "Offline", "slt", "agent_perf", "frontier", "endpoints"};
  if (std::find(arrivals.begin(), arrivals.end(), options.arrivals) == arrivals.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("process", options.arrivals, arrivals));
  if (!options.find.empty() && std::find(finds.begin(), finds.end(), options.find) == finds.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("search", options.find, finds));
  if (!options.scenario.empty() && std::find(scenarios.begin(), scenarios.end(), options.scenario) == scenarios.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("scenario", options.scenario, scenarios));
  const bool study = is_load_study(options.scenario), judged = !options.scenario.empty() && !study;
  const int loads = (options.users.empty() ? 0 : 1) + (options.rates.empty() ? 0 : 1) + (options.trace.empty() ? 0 : 1);
  if (loads > 1) return refused("--users, --rate and --trace are different loads; give one of them");
  if (!options.replay.empty() && (!options.scenario.empty() || !options.find.empty() || loads > 0))
    return refused(
        "--replay computes from what is kept, and asks no server; leave out --scenario, --find, --users, --rate and "
        "--trace");
  if (!options.find.empty() && study) return refused("--find and --scenario choose loads; give one of them");
  if (study) {
    if (auto checked = check_load_study(options); !checked) return checked;
  }
  for (const auto& [given, name, scenario] :
       {std::tuple{!options.tier.empty(), "--tier", "agent_perf"},
        std::tuple{!options.conversations.empty(), "--conversations", "agent_perf"},
        std::tuple{!options.claim.empty(), "--claim", "slt"}})
    if (given && options.scenario != scenario) return refused(std::string(name) + " is of the scenario " + scenario);
  if (options.accelerators == 0) return refused("--accelerators must be 1 or more");
  if (!(options.tool_seconds >= 0.1 && options.tool_seconds < 1e5))
    return refused("--tool-seconds must be 0.1 or more");
  if (judged && options.scenario != "Server" && !options.level.empty())
    return refused("the scenario " + options.scenario + " has no limits of latency; leave out --level");
  if (judged && ("," + options.level).find(",gap=") != std::string::npos)
    return refused("the rules of MLPerf limit no gap; leave gap out of --level");
  if (!options.limits.empty() && !options.level.empty())
    return refused("--limits and --level are both limits of the scenario Server; give one of them");
  if (!options.find.empty() && options.level.empty())
    return refused("--find asks for --level, which a request is to keep: ttft=500ms,tpot=50ms");
  if (!options.find.empty() && (loads > 0 || !options.scenario.empty()))
    return refused("--find chooses its loads by itself; leave out --users, --rate, --trace and --scenario");
  if (options.scenario == "Server" && options.rates.size() != 1)
    return refused("the scenario Server asks for one --rate");
  if (options.scenario == "SingleStream" && loads > 0)
    return refused("the scenario SingleStream has one user; leave out --users, --rate and --trace");
  if (options.scenario == "Offline" && (!options.rates.empty() || !options.trace.empty() || options.requests == 0))
    return refused("the scenario Offline asks for --requests, and takes no --rate and no --trace");
  if (!options.limits.empty() && options.scenario != "Server") return refused("--limits is of the scenario Server");
  if (options.scenario == "Server" && options.limits.empty() && options.level.empty())
    return refused("the scenario Server asks for limits: --limits MODEL, or --level ttft=…,tpot=…");
  if (const double seconds = options.seconds.value_or(30); !(seconds > 0 && seconds < 1e7))
    return refused("--seconds must be above 0");
  if (!(options.pause >= 0 && options.pause < 1e6)) return refused("--pause must not be negative");
  if (!(options.least_kept > 0 && options.least_kept <= 1)) return refused("--kept is a share above 0, at most 1");
  if (!(options.temperature >= 0 && options.temperature < 100)) return refused("--temperature must not be negative");
  if (std::count(options.users.begin(), options.users.end(), 0u) > 0) return refused("--users must be 1 or more");
  for (const double rate : options.rates)
    if (!(rate > 0 && std::isfinite(rate))) return refused("--rate must be above 0 requests a second");
  return {};
}

}  // namespace assay_program
