#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"
#include "suites/library.hpp"

namespace assay_program {

/// Whether an operation that was asked for, a name or a glob, is a function of one operand.
[[nodiscard]] bool names_a_function(const std::string& operation);

/// The names of all such functions.
[[nodiscard]] std::vector<std::string> function_names();

/// Profiles the functions that are asked for of a library that has started; prints them, keeps them, compares them.
[[nodiscard]] int profile_functions(const CommandLine& line, const Library& library);

}  // namespace assay_program
