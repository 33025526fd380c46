#include <cstdio>

#include "certify.hpp"
#include "chips.hpp"
#include "collectives.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"
#include "frameworks.hpp"
#include "gate.hpp"
#include "hardware.hpp"
#include "help_topics.hpp"
#include "matrix.hpp"
#include "notebooks.hpp"
#include "telemetry.hpp"

namespace assay_program {

namespace {

int dispatch(const CommandLine& line) {
  switch (line.command) {
    case Command::doctor: return doctor(line);
    case Command::devices: return devices(line);
    case Command::list: return list(line);
    case Command::explain: return explain(line);
    case Command::run: return run(line);
    case Command::check: return check_given(line);
    case Command::envelope: return envelope(line);
    case Command::merge: return merge(line);
    case Command::minimize: return minimize(line);
    case Command::profile: return profile(line);
    case Command::report: return report(line);
    case Command::quantize_report: return quantize_report(line);
    case Command::faults: return faults(line);
    case Command::baseline: return baseline(line);
    case Command::history: return history(line);
    case Command::accuracy: return accuracy(line);
    case Command::pipeline: return pipeline(line);
    case Command::serve_bench: return serve_bench(line);
    case Command::serve_check: return serve_check(line);
    case Command::gate: return gate(line.gate, line.text);
    case Command::certify: return certify(line.certify, line.text);
    case Command::matrix: return matrix(line.matrix);
    case Command::collectives: return collectives(line.collectives, line.text);
    case Command::telemetry: return telemetry(line.telemetry);
    case Command::frameworks: return frameworks(line.frameworks);
    case Command::hardware: return hardware(line.hardware, line.text);
    case Command::chips: return chips(line.chips, line.text);
    case Command::capacity: return capacity(line.fleet.capacity, line.text);
    case Command::cost: return cost(line.fleet.cost);
    case Command::roofline: return roofline(line.fleet.roofline, line.text);
    case Command::node: return node(line.fleet.node, line.text);
    case Command::fleet: return fleet_view(line.fleet.fleet, line.text);
    case Command::cluster: return cluster(line.fleet.cluster);
    case Command::notebooks: return notebooks(line.notebooks, line.text);
    case Command::help: return help_topic(line.topic);
    case Command::complete: return complete(line);
    case Command::man: return man_page();
    case Command::worker: return worker(line);
  }
  return 2;
}

}  // namespace

int perform(const CommandLine& line) {
  return exit_code_if_printed(dispatch(line));
}

int exit_code_if_printed(int exit_code) {
  if (std::ferror(stdout) == 0 && std::fflush(stdout) == 0) return exit_code;
  static_cast<void>(fault("the standard output could not be written"));
  return exit_code == 0 ? 2 : exit_code;
}

}  // namespace assay_program
