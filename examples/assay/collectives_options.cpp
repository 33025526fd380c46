#include "collectives_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>

#include "assay/collectives/measurement/nccl_names.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"

namespace assay_program {

namespace {

constexpr const char* collectives_examples =
    "Examples:\n"
    "  assay collectives sweep --ranks 8 -b 8 -e 64M -f 4               threads of this process as ranks\n"
    "  mpirun -n 4 assay collectives sweep --runtime mpi --size 100MB   over MPI; the first rank prints\n"
    "  assay collectives verify --runtime gloo --ranks 2 --op reduce_scatter -d f64 --size 16M -n 30\n"
    "  mpirun -n 4 assay collectives --preflight --runtime mpi          may the job start? 0 yes, 1 no, 2 cannot tell\n"
    "  assay collectives links --ranks 8 --html links.html              bandwidth and latency of every pair\n"
    "  assay collectives predict --topology h100 --ranks 8,256,100000 -b 1M -e 1G -f 32\n\n"
    "Exit code: 0 right, 1 something is wrong, 2 usage, environment, or nothing was decided.";

void add_collectives_list(CLI::App& app, const std::string& names, std::vector<std::string>& list,
                          const std::string& help, const std::string& type = "NAME[,NAME…]") {
  app.add_option(names, list, help)->delimiter(',')->allow_extra_args(false)->type_name(type);
}

assay::Failure refused(const std::string& message) {
  return assay::failure(assay::ErrorKind::invalid, message);
}

/// Names to values; "all" is every one.
template <class Value, class All, class Find, class Name>
assay::Result<std::vector<Value>> read_names(const char* what, const std::vector<std::string>& names, const All& all,
                                             const Find& find, const Name& name, std::vector<Value> otherwise) {
  std::vector<Value> values;
  for (const std::string& typed : names) {
    if (typed == "all") return std::vector<Value>(all.begin(), all.end());
    const auto value = find(typed);
    if (!value) {
      std::vector<std::string> known;
      for (const auto& one : all) known.emplace_back(name(one));
      return assay::failure(assay::ErrorKind::not_found, assay::unknown_name(what, typed, known));
    }
    values.push_back(*value);
  }
  return values.empty() ? otherwise : values;
}

}  // namespace

CLI::App& add_collectives_command(CLI::App& app, CollectivesOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "collectives", "what ranks compute together: speed, results, health, links, and what to expect");
  command
      .add_option("action", options.action,
                  "sweep (time and verify sizes), verify (results), preflight (health, quickly), links (every pair), "
                  "predict (cost models)")
      ->type_name("sweep|verify|preflight|links|predict");
  command.add_flag("--preflight", options.preflight, "the same as the action preflight");
  command.option_defaults()->group("Ranks");
  command
      .add_option(
          "--runtime", options.runtime,
          "in_process: threads of this process (default); mpi: under mpirun; gloo, nccl, rccl: where they are built in")
      ->type_name("in_process|mpi|gloo|nccl|rccl");
  command
      .add_option("--ranks", options.ranks,
                  "of in_process and gloo (4), nccl and rccl without mpirun (1); of predict one or more")
      ->type_name("N[,N…]");
  command
      .add_option("--algorithm", options.algorithm,
                  "of in_process: ring (default), recursive_halving_doubling, tree, hierarchical; of predict one model")
      ->type_name("NAME");
  command.add_option("--ranks-per-node", options.ranks_per_node, "of the hierarchical algorithm (8)")->type_name("N");
  command.option_defaults()->group("What they do (letters as of nccl-tests)");
  add_collectives_list(command, "--op", options.operations, "operations, or all (all_reduce; of verify all)");
  add_collectives_list(command, "-d,--type", options.types,
                       "types of elements, by our names or nccl-tests', or all (f32; of verify all)");
  add_collectives_list(command, "-o,--redop", options.reductions, "reductions, or all (sum; of verify all)");
  command.add_option("-r,--root", options.root, "of operations that have one (0; of verify one after another)")
      ->type_name("RANK");
  command
      .add_option("-b,--minbytes", options.least, "least size (8; verify has counts of its own unless sizes are named)")
      ->type_name("SIZE");
  command.add_option("-e,--maxbytes", options.most, "most (64M)")->type_name("SIZE");
  command.add_option("-f,--stepfactor", options.factor, "from size to size (2)")->type_name("FACTOR");
  add_collectives_list(command, "--size", options.sizes, "these sizes instead: 1MB,100MB,1GB", "SIZE[,SIZE…]");
  command
      .add_option("-n,--iters", options.iterations,
                  "timed calls of each size (20; of verify calls, 3 unless sizes are named)")
      ->type_name("N");
  command.add_option("-w,--warmup_iters", options.warm_up, "calls before the clock starts (1)")->type_name("N");
  command.add_option("-c,--check", options.check, "1: verify every timed call, off the clock; 0: none (1)")
      ->type_name("0|1");
  command
      .add_option("-z,--blocking", options.blocking,
                  "1: a barrier before each timed call, for what one call takes; 0: calls follow each other, as in a "
                  "stream (0)")
      ->type_name("0|1");
  command.add_option("--placement", options.placement, "out: out of place; in: in place; both (both)")
      ->type_name("out|in|both");
  command.add_option("--timeout", options.timeout_seconds, "of one operation (60)")->type_name("SECONDS");
  command.add_option("--budget", options.budget_seconds, "of preflight and links together (30)")->type_name("SECONDS");
  command.add_option("--slowdown", options.slowdown, "what is less slow than this is none to speak of (1.25)")
      ->type_name("TIMES");
  command.add_option("--seed", options.seed, "of the data (1)")->type_name("N");
  command.option_defaults()->group("What to expect");
  command.add_option("--topology", options.topology, "a description of nodes and links, or h100: 8 H100 a node, NDR")
      ->type_name("FILE|h100");
  command.add_flag("--theory", options.measured_theory,
                   "of sweep without --topology: measure a link first, and say what it lets expect");
  command.add_option("--fit", options.fit, "of predict: fit the links to a sweep, as --json wrote it")
      ->type_name("SWEEP.json");
  command.option_defaults()->group("What comes out");
  command.add_option("--json", options.json, "of sweep with the members of nccl-tests' -J; else as --report")
      ->type_name("FILE");
  command.add_option("--csv", options.csv, "of sweep and predict: a row a point")->type_name("FILE");
  command.add_option("--html", options.html, "a page with charts")->type_name("FILE");
  command.add_option("--report", options.report, "as assay run writes it: for assay report, gate and baselines")
      ->type_name("FILE.json");
  command.option_defaults()->group("Options");
  command.footer(collectives_examples);
  return command;
}

CollectivesOptions with_action(CollectivesOptions options) {
  if (options.preflight) options.action = "preflight";
  return options;
}

assay::Result<void> check_collectives_options(const CollectivesOptions& given) {
  if (given.preflight && !given.action.empty() && given.action != "preflight")
    return refused("--preflight is an action as " + given.action + " is; give one of them");
  const std::vector<std::string> actions{"sweep", "verify", "preflight", "links", "predict"};
  const CollectivesOptions options = with_action(given);
  if (options.action.empty())
    return refused("collectives asks for an action: sweep, verify, preflight, links or predict");
  if (std::find(actions.begin(), actions.end(), options.action) == actions.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("action", options.action, actions));
  const bool predicts = options.action == "predict";
  if (predicts && options.topology.empty() == options.fit.empty())
    return refused("predict asks for --topology, a description, or --fit, a sweep; give one of them");
  if (options.measured_theory && !options.topology.empty())
    return refused("--theory measures a link, and --topology describes it; give one of them");
  if (options.check > 1)
    return refused("-c is " + std::to_string(options.check) + "; every timed call is verified with 1, none with 0");
  if (options.blocking > 1)
    return refused("-z is " + std::to_string(options.blocking) +
                   "; give 1 for a barrier before each timed call, else 0");
  if (!(options.timeout_seconds > 0 && options.timeout_seconds < 1e6))
    return refused("--timeout must be more than 0 s");
  if (!(options.budget_seconds > 0 && options.budget_seconds < 1e6)) return refused("--budget must be more than 0 s");
  if (!(options.slowdown >= 1 && options.slowdown < 1e6)) return refused("--slowdown must be 1 or more");
  if (options.ranks_per_node && *options.ranks_per_node < 1) return refused("--ranks-per-node must be 1 or more");
  if (options.ranks_per_node && options.algorithm != "hierarchical")
    return refused("--ranks-per-node is of --algorithm hierarchical");
  if (!options.algorithm.empty() && !predicts && options.runtime != "in_process")
    return refused("--algorithm is of --runtime in_process; " + options.runtime + " chooses its own");
  const auto read = sweep_options_of(options);
  if (!read) return read.propagate();
  const auto any = [&](const auto& of) {
    const auto& chosen = read.value().operations;
    return (options.action == "verify" && options.operations.empty()) || std::any_of(chosen.begin(), chosen.end(), of);
  };
  if (!options.reductions.empty() && !any([](auto operation) { return reduces(operation); }))
    return refused("--redop: none of the operations of --op reduces; add one, such as --op all_reduce");
  if (options.root && !any([](auto operation) { return has_root(operation); }))
    return refused("--root is " + std::to_string(*options.root) +
                   ", and none of the operations has a root; add one, such as --op broadcast");
  if (auto ranks = ranks_of(options, 4); !ranks) return ranks.propagate();
  return {};
}

assay::Result<assay::SweepOptions> sweep_options_of(const CollectivesOptions& options) {
  assay::SweepOptions sweep;
  const auto name = [](auto value) { return std::string(name_of(value)); };
  auto operations =
      read_names<assay::CollectiveOperation>("operation", options.operations, assay::all_collective_operations,
                                             assay::collective_operation_named, name, sweep.operations);
  if (!operations) return operations.propagate();
  auto types = read_names<assay::ElementType>("type", options.types, assay::all_element_types,
                                              assay::element_type_by_any_name, name, sweep.types);
  if (!types) return types.propagate();
  auto reductions = read_names<assay::ReductionOperator>("reduction", options.reductions, assay::all_reductions,
                                                         assay::reduction_by_any_name, name, sweep.reductions);
  if (!reductions) return reductions.propagate();
  sweep.operations = operations.value();
  sweep.types = types.value();
  sweep.reductions = reductions.value();
  sweep.root = options.root.value_or(0);
  sweep.most_bytes = 64 * 1048576.0;
  for (const auto& [option, text, bytes] :
       {std::tuple{"-b", &options.least, &sweep.least_bytes}, std::tuple{"-e", &options.most, &sweep.most_bytes}}) {
    if (text->empty()) continue;
    const auto size = assay::parse_size(*text);
    if (!size) return refused(std::string(option) + ": " + size.error().message);
    *bytes = size.value();
  }
  for (const std::string& text : options.sizes) {
    const auto size = assay::parse_size(text);
    if (!size) return refused("--size: " + size.error().message);
    sweep.sizes.push_back(size.value());
  }
  if (!sweep.sizes.empty() && !(options.least.empty() && options.most.empty() && options.factor.empty()))
    return refused("--size names all sizes; leave out -b, -e and -f");
  if (!options.factor.empty()) {
    sweep.step_factor = assay::detail::read_number(options.factor).value_or(0);
    if (!(sweep.step_factor > 1)) return refused("-f is '" + options.factor + "'; give a number above 1");
  }
  if (sweep.least_bytes > sweep.most_bytes) return refused("-b is more than -e");
  if (options.placement != "out" && options.placement != "in" && options.placement != "both")
    return refused("--placement is '" + options.placement + "'; give out, in or both");
  sweep.out_of_place = options.placement != "in";
  sweep.in_place = options.placement != "out";
  sweep.iterations = options.iterations.value_or(20);
  if (sweep.iterations < 1 || sweep.iterations > 10'000'000 || options.warm_up > 10'000'000)
    return refused("-n is from 1 to 10,000,000, -w at most that");
  sweep.warm_up = options.warm_up;
  sweep.verify = options.check != 0;
  sweep.barrier_before_each = options.blocking != 0;
  sweep.seed = options.seed;
  sweep.deadline = std::chrono::milliseconds(static_cast<long long>(options.timeout_seconds * 1000));
  return sweep;
}

assay::Result<std::vector<int>> ranks_of(const CollectivesOptions& options, int otherwise) {
  std::vector<int> ranks;
  std::istringstream list(options.ranks);
  for (std::string text; std::getline(list, text, ',');) {
    int number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size() || number < 1)
      return refused("--ranks is '" + options.ranks + "'; give a whole number of 1 or more");
    ranks.push_back(number);
  }
  if (ranks.empty()) ranks.push_back(otherwise);
  if (options.action != "predict" && (ranks.size() > 1 || ranks[0] > 4096))
    return refused("--ranks is '" + options.ranks + "'; give one number, 4096 at most");
  return ranks;
}

}  // namespace assay_program
