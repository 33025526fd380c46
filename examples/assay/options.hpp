#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "command_line.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// The options as text and flags, before they are checked.
struct OptionTexts {
  std::string suite = "default";
  std::string shard = "1/1";
  std::string check = "full";
  std::string seed = "1";
  std::string cases = "100";
  std::string most_runs = "2000";
  std::string rate = "0.01";
  std::string repeat = "1";
  std::string jobs = "1";
  std::string retries = "0";
  std::string timeout;
  std::string memory;
  std::string color = "auto";
  std::vector<std::string> formats;
  bool quiet = false;
  bool verbose = false;
  std::string config;
  bool no_config = false;
};

/// What the tool is, in a line.
inline constexpr const char* program_description =
    "Assay validates the kernels of accelerators, runtimes and libraries.";

/// Declares all commands and their options, bound to `line` and `texts`, which must outlive the app.
void add_commands(CLI::App& app, CommandLine& line, OptionTexts& texts);

/// Completes `line` from the texts. Errors name the option, what was given and what is allowed.
[[nodiscard]] assay::Result<void> interpret(CommandLine& line, const OptionTexts& texts);

/// What options must agree on with each other.
[[nodiscard]] assay::Result<void> check_agreement(const CommandLine& line, const OptionTexts& texts);

}  // namespace assay_program
