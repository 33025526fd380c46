#include <cstdio>
#include <cstdlib>
#include <exception>
#include <variant>

#include "command_line.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "suites/plugins.hpp"

namespace {

bool performed = false;

/// A kernel that ends the process by exit(0) does not make a run that passed.
void refuse_to_leave_early() {
  if (performed) return;
  assay_program::fault("a library or a kernel ended this process by exit, so what was to be judged is not; --isolate tells which case");
  std::fflush(nullptr);
  std::_Exit(2);
}

}  // namespace

int main(int count, char** arguments) {
  using namespace assay_program;
  try {
    const auto parsed = parse_command_line(count, arguments);
    if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
    const CommandLine& line = std::get<CommandLine>(parsed);
    load_plugins(line.plugins);
    if (line.command != Command::worker) std::atexit(refuse_to_leave_early);  // of workers, the runner tells
    const int exit_code = perform(line);
    performed = true;
    return exit_code;
  } catch (const std::exception& exception) {
    performed = true;
    return fault(exception.what());
  }
}
