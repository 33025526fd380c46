#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/collectives/measurement/sweep_options.hpp"
#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay collectives` is asked for, as it was typed.
struct CollectivesOptions {
  std::string action;      ///< sweep, verify, preflight, links or predict
  bool preflight = false;  ///< --preflight: the action as a flag
  std::string runtime = "in_process";
  std::string ranks;                  ///< of runtimes in this process, and of predictions, where there may be several
  std::string algorithm;              ///< of in_process; of predictions, which
  std::optional<int> ranks_per_node;  ///< none: 8
  std::vector<std::string> operations;
  std::vector<std::string> types;
  std::vector<std::string> reductions;
  std::optional<int> root;  ///< none: 0, and of verify one rank after another
  std::string least, most, factor;
  std::vector<std::string> sizes;
  std::optional<unsigned> iterations;  ///< none: 20, and 3 of verify without sizes
  unsigned warm_up = 1;
  unsigned check = 1;
  unsigned blocking = 0;
  std::string placement = "both";
  double timeout_seconds = 60;  ///< of one operation
  double budget_seconds = 30;   ///< of preflight and links
  double slowdown = 1.25;
  std::uint64_t seed = 1;
  std::string topology;  ///< a file, or h100
  std::string fit;       ///< a sweep's JSON that predictions are fitted to
  bool measured_theory = false;
  std::string json, csv, html, report;

  /// Whether it was said which sizes.
  [[nodiscard]] bool names_sizes() const { return !(sizes.empty() && least.empty() && most.empty() && factor.empty()); }
};

CLI::App& add_collectives_command(CLI::App& app, CollectivesOptions& options);

/// The same with the action that a flag stands for.
[[nodiscard]] CollectivesOptions with_action(CollectivesOptions options);

/// Refuses what the action does not go with.
[[nodiscard]] assay::Result<void> check_collectives_options(const CollectivesOptions& given);

/// What is to be measured, verified or predicted. Errors name the option.
[[nodiscard]] assay::Result<assay::SweepOptions> sweep_options_of(const CollectivesOptions& options);

/// The numbers of --ranks; `otherwise` where it was not given. Error `invalid`.
[[nodiscard]] assay::Result<std::vector<int>> ranks_of(const CollectivesOptions& options, int otherwise);

}  // namespace assay_program
