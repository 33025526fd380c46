#include <exception>
#include <variant>

#include "command_line.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "suites/plugins.hpp"

int main(int count, char** arguments) {
  using namespace assay_program;
  try {
    const auto parsed = parse_command_line(count, arguments);
    if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
    const CommandLine& line = std::get<CommandLine>(parsed);
    load_plugins(line.plugins);
    return perform(line);
  } catch (const std::exception& exception) {
    return fault(exception.what());
  }
}
