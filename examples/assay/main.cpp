#include <cstdio>
#include <exception>
#include <variant>

#include "command_line.hpp"
#include "commands.hpp"

int main(int count, char** arguments) {
  using namespace assay_program;
  try {
    const auto parsed = parse_command_line(count, arguments);
    if (const int* exit_code = std::get_if<int>(&parsed)) return *exit_code;
    const CommandLine& line = std::get<CommandLine>(parsed);
    switch (line.command) {
      case Command::doctor: return doctor();
      case Command::list: return list(line);
      case Command::run: return run(line);
    }
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "assay: %s\n", exception.what());
  }
  return 2;
}
