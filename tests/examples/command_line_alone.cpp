// The tool's parser without the tool: that it links is the test. The fuzzer, which few builds have, is made of the same.
#include <variant>

#include "command_line.hpp"

int main(int count, char** arguments) {
  const auto parsed = assay_program::parse_command_line(count, arguments);
  const int* const exit_code = std::get_if<int>(&parsed);
  return exit_code != nullptr ? *exit_code : 0;
}
