#include <locale.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <variant>

#include "command_line.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "gpgpu_options.hpp"
#include "suites/doors.hpp"
#include "suites/gpgpu.hpp"
#include "suites/plugins.hpp"
#include "suites/python.hpp"

namespace {

using namespace assay_program;

bool performed = false;

/// A kernel that ends the process by exit(0) or quick_exit(0) does not make a run that passed.
void refuse_to_leave_early() {
  if (performed) return;
  fault(
      "a library or a kernel ended this process by exit, so what was to be judged is not; --isolate tells which case");
  std::fflush(nullptr);
  std::_Exit(2);
}

/// A library that calls setlocale is not to change how this thread writes and reads numbers.
void keep_plain_numbers() {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  if (plain != nullptr) uselocale(plain);
}

int perform_with_plugins(const CommandLine& line) {
  load_plugins(line.plugins, line.command == Command::run && line.isolate);
  if (const auto loaded = load_gpgpu(line); !loaded) return fault(loaded.error().message);
  if (const auto loaded = load_python(line); !loaded) return fault(loaded.error().message);
  if (const auto loaded = load_doors(line.selection.backends); !loaded) return fault(loaded.error().message);
  if (line.command != Command::worker) {  // of workers, the runner tells
    std::atexit(refuse_to_leave_early);
#if !defined(__APPLE__)  // which has no quick_exit
    std::at_quick_exit(refuse_to_leave_early);
#endif
  }
  return perform(line);
}

}  // namespace

int main(int count, char** arguments) {
  keep_plain_numbers();
  std::signal(SIGCHLD,
              SIG_DFL);  // who started this program may have ignored it, and then nobody learns how workers end
  bool with_plugins = false;
  int exit_code = 2;
  try {
    const auto parsed = parse_command_line(count, arguments);
    if (const int* told = std::get_if<int>(&parsed)) return exit_code_if_printed(*told);
    const CommandLine& line = std::get<CommandLine>(parsed);
    with_plugins = !line.plugins.empty() || !line.python.empty() || uses_gpgpu(line);
    exit_code = perform_with_plugins(line);
  } catch (const std::exception& exception) {
    exit_code = fault(exception.what());
  }
  performed = true;
  if (with_plugins) {  // whose destructors could crash, hang or choose another exit code
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }
  return exit_code;
}
