#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "assay/report/console.hpp"
#include "assay/suite/selection.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay_program {

enum class Command { doctor, list, run };

/// What the user asked for.
struct CommandLine {
  Command command = Command::run;
  std::string listed;  ///< what `list` is to list
  assay::Selection selection;
  assay::ChosenTolerance tolerance;
  std::string tolerance_text = "derived";
  bool require_determinism = false;
  bool require_conclusive = false;
  std::uint64_t seed = 1;
  unsigned repetitions = 1;
  unsigned jobs = 1;
  std::string matrix_a;       ///< npy files of the user's own matrices; both or neither
  std::string matrix_b;
  std::string output_folder;  ///< empty: no report is written
  assay::Verbosity verbosity = assay::Verbosity::normal;
  std::string text;  ///< as typed, quoted for a shell
};

/// An argument as a shell needs it typed.
[[nodiscard]] std::string shell_quoted(std::string_view argument);

/// Reads the command line, or prints help or what is wrong with it and returns the exit code: 0 for help, 2 for a fault.
[[nodiscard]] std::variant<CommandLine, int> parse_command_line(int count, const char* const* arguments);

}  // namespace assay_program
