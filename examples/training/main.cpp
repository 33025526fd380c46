// Trains a small transformer data-parallel on 1, 2, 4 and 8 ranks, and judges whether it converges as on one process.
//
//   training                          ranks are threads, with each algorithm of the in-process runtime
//   mpirun -n 4 training --mpi        ranks are processes of MPI
//   training --faults                 training with every fault: which are caught and named, and what other rules say
//   … --steps N --seeds N --html FILE
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "assay/core/detect_environment.hpp"
#include "assay/report/html.hpp"
#include "assay/report/text_table.hpp"
#include "assay/training/in_process_training.hpp"
#include "training.hpp"

using namespace assay;

namespace {

Table convergence_table(const std::vector<Outcome>& outcomes) {
  Table table{"Convergence",
              {"runtime", "ranks", "gradients", "sharded", "parity", "final loss", "mean difference", "margin",
               "error/allowed", "drift bound useful", "verdict"},
              {}};
  for (const Outcome& outcome : outcomes) {
    const auto number = [&](const char* name) { return number_text(outcome.measurement(name).value_or(0)); };
    table.rows.push_back({outcome.label("backend"), outcome.label("shape"), outcome.label("formats"),
                          outcome.label("sharding"), outcome.label("parity"),
                          number_text(outcome.measurement("final_loss").value_or(0), 5), number("mean_difference"),
                          number("equivalence_margin"), number("worst_error_ratio"),
                          outcome.label("parity") == "bitwise" ? "–" : number("useful_drift_steps") + " steps",
                          std::string(name_of(outcome.verdict))});
  }
  return table;
}

Table fault_table(const std::vector<Outcome>& outcomes) {
  Table table{"Faults",
              {"fault", "verdict", "named", "paired tests", "Megatron-LM", "MLPerf RCP", "mean difference / margin"},
              {}};
  for (const Outcome& outcome : outcomes) {
    const auto rule = [&](std::size_t row) {
      return outcome.tables.size() > 1 && row < outcome.tables[1].rows.size() ? outcome.tables[1].rows[row][1]
                                                                              : std::string("–");
    };
    const double difference = outcome.measurement("mean_difference").value_or(0),
                 margin = outcome.measurement("equivalence_margin").value_or(1);
    table.rows.push_back({outcome.label("fault"), std::string(name_of(outcome.verdict)), outcome.label("named"),
                          rule(0), rule(1), rule(2), number_text(difference / margin)});
  }
  return table;
}

int refuse(const std::string& message) {
  std::fprintf(stderr, "training: %s\ngive [--mpi] [--faults] [--steps N] [--seeds N] [--html FILE]\n",
               message.c_str());
  return 2;
}

}  // namespace

int show(std::vector<Outcome> outcomes, const Request& request, const std::string& command) {
  for (const std::string& line : text_lines(request.faults ? fault_table(outcomes) : convergence_table(outcomes)))
    std::printf("%s\n", line.c_str());
  int wrong = 0;
  for (const Outcome& outcome : outcomes) {
    const bool as_it_should_be =
        request.faults ? outcome.verdict == Verdict::fail && outcome.label("named") == outcome.label("fault")
                       : outcome.verdict == Verdict::pass;
    if (as_it_should_be) continue;
    ++wrong;
    std::printf("%s: %s\n", outcome.id.c_str(), outcome.reason.c_str());
  }
  if (!request.page.empty()) {
    Run run;
    run.title = request.faults ? "Training with faults" : "Convergence parity";
    run.command = command;
    run.environment = detect_environment();
    for (Outcome& outcome : outcomes)
      if (const std::string fault = outcome.label("fault"); !fault.empty()) outcome.id += "/" + fault;
    run.planned_cases = outcomes.size();
    run.outcomes = std::move(outcomes);
    if (const auto written = write_html(run, request.page); !written) return refuse(written.error().message);
  }
  return wrong == 0 ? 0 : 1;
}

int main(int count, char** arguments) {
  Request request;
  for (int i = 1; i < count; ++i) {
    const std::string option = arguments[i];
    if (option == "--mpi" || option == "--faults") {
      (option == "--mpi" ? request.over_mpi : request.faults) = true;
      continue;
    }
    if (i + 1 == count) return refuse("'" + option + "' is no option, or lacks its value");
    const std::string value = arguments[++i];
    const long number = std::strtol(value.c_str(), nullptr, 10);
    if (option == "--html")
      request.page = value;
    else if (option == "--steps" && number > 0)
      request.steps = number;
    else if (option == "--seeds" && number > 0 && number < 1000)
      request.seeds = static_cast<int>(number);
    else
      return refuse("'" + option + " " + value + "' is no option");
  }
  if (request.over_mpi) return run_over_mpi(request);
  std::vector<Outcome> outcomes;
  const auto add = [&](int ranks, CollectiveAlgorithm algorithm) {
    InProcessOptions world;
    world.algorithm = algorithm;
    for (Outcome& outcome : judge(in_process_training(ranks, world), request)) outcomes.push_back(std::move(outcome));
  };
  if (request.faults) {
    add(4, CollectiveAlgorithm::ring);
  } else {
    for (const int ranks : {1, 2, 4, 8}) add(ranks, CollectiveAlgorithm::ring);
    for (const CollectiveAlgorithm algorithm :
         {CollectiveAlgorithm::recursive_halving_doubling, CollectiveAlgorithm::tree})
      add(8, algorithm);
  }
  return show(std::move(outcomes), request, "training");
}
