#include "assay/plugin/host.h"

#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "suites/plugins.hpp"

namespace {

using namespace assay_program;

/// What starts processes, which do not have the kernels of this one.
bool needs_processes(const CommandLine& line) {
  const auto names_an_instruction_set = [](const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      if (text.find('@') != std::string::npos) return true;
    return false;
  };
  return line.isolate || !line.python.empty() || !line.distributor.empty() || line.command == Command::worker ||
         names_an_instruction_set(line.selection.backends) || names_an_instruction_set(line.selection.only) ||
         names_an_instruction_set(line.explained) || line.minimized.find('@') != std::string::npos;
}

/// The next call brings its own.
struct ForgetPlugins {
  ForgetPlugins() = default;
  ForgetPlugins(const ForgetPlugins&) = delete;
  ForgetPlugins& operator=(const ForgetPlugins&) = delete;
  ~ForgetPlugins() { forget_plugins(); }
};

int validate(const assay_plugin* plugin, std::int32_t count, const char* const* arguments) {
  if (count < 1 || arguments == nullptr)
    return fault("assay_validate was given no arguments; give it a command, such as run");
  std::vector<const char*> line_arguments{"assay"};
  for (std::int32_t i = 0; i < count; ++i) {
    if (arguments[i] == nullptr) return fault("argument " + std::to_string(i) + " of assay_validate is null");
    line_arguments.push_back(arguments[i]);
  }
  auto parsed = parse_command_line(static_cast<int>(line_arguments.size()), line_arguments.data());
  if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
  CommandLine& line = std::get<CommandLine>(parsed);
  if (needs_processes(line))
    return fault(
        "--isolate, --timeout, --memory, --distribute, --python, --plugin without --no-isolate and backends of an "
        "instruction set start processes, and the kernels are in this one; leave them out");
  line.hosted = true;
  const ForgetPlugins at_the_end;
  if (const auto added = add_plugin(plugin); !added) return fault(added.error().message);
  load_plugins(line.plugins);
  return perform(line);
}

}  // namespace

extern "C" {

uint32_t assay_host_abi(void) {
  return ASSAY_PLUGIN_ABI;
}

int32_t assay_validate(const assay_plugin* plugin, int32_t argument_count, const char* const* arguments) {
  int exit_code = 2;
  try {
    exit_code = validate(plugin, argument_count, arguments);
  } catch (const std::exception& exception) {
    exit_code = fault(exception.what());
  } catch (...) {
    exit_code = fault("something that is no std::exception was thrown");
  }
  std::fflush(stdout);
  return exit_code;
}

}  // extern "C"
