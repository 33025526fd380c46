#pragma once

#include "command_line.hpp"

namespace assay_program {

/// What the line asks for: one of the following, whose exit code it returns.
[[nodiscard]] int perform(const CommandLine& line);

/// The exit code of what was done and printed; another than 0 if it could not be printed, and so was not told.
[[nodiscard]] int exit_code_if_printed(int exit_code);

/// Each prints to the standard output, faults to the standard error, and returns the program's exit code.
[[nodiscard]] int doctor(const CommandLine& line);
[[nodiscard]] int devices(const CommandLine& line);
[[nodiscard]] int list(const CommandLine& line);
[[nodiscard]] int explain(const CommandLine& line);
[[nodiscard]] int run(const CommandLine& line);
[[nodiscard]] int check_given(const CommandLine& line);
[[nodiscard]] int envelope(const CommandLine& line);
[[nodiscard]] int merge(const CommandLine& line);
[[nodiscard]] int minimize(const CommandLine& line);
[[nodiscard]] int profile(const CommandLine& line);
[[nodiscard]] int report(const CommandLine& line);
[[nodiscard]] int faults(const CommandLine& line);
[[nodiscard]] int quantize_report(const CommandLine& line);
[[nodiscard]] int baseline(const CommandLine& line);
[[nodiscard]] int history(const CommandLine& line);
[[nodiscard]] int accuracy(const CommandLine& line);
[[nodiscard]] int pipeline(const CommandLine& line);
[[nodiscard]] int serve_bench(const CommandLine& line);
[[nodiscard]] int serve_check(const CommandLine& line);

/// Prints completions for a shell, and the manual page.
[[nodiscard]] int complete(const CommandLine& line);
[[nodiscard]] int man_page();

/// Serves the cases of a run in another process, which started this one.
[[nodiscard]] int worker(const CommandLine& line);

}  // namespace assay_program
