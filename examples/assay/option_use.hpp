#pragma once

#include <string>

#include "assay/core/result.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace assay_program {

/// Actions of a command that use an option, a blank between them; empty: every one does.
[[nodiscard]] std::string users_of(const std::string& command, const CLI::Option& option);

/// The action that a parsed command was given; empty where the command has none.
[[nodiscard]] std::string action_of(const CLI::App& command);

/// Whether the action of a command uses an option.
[[nodiscard]] bool uses(const std::string& command, const std::string& action, const CLI::Option& option);

/// Refuses actions that the command does not have, by `not_found`, and options that were given to an action which does
/// not use them: what was asked is what runs. Error `invalid` names the option, whose it is, and what the action takes
/// instead.
[[nodiscard]] assay::Result<void> check_option_use(const CLI::App& command);

}  // namespace assay_program
