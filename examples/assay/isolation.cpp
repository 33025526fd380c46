#include "isolation.hpp"

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "assay/plugin/load_plugin.hpp"
#include "own_problems.hpp"
#include "suites/plugins.hpp"

namespace assay_program {

namespace {

std::vector<std::string> judging_arguments(const CommandLine& line) {
  std::vector<std::string> arguments;
  if (!line.matrix_a.empty()) arguments.insert(arguments.end(), {"--a", line.matrix_a, "--b", line.matrix_b});
  if (line.tolerance_text != "derived") arguments.insert(arguments.end(), {"--tolerance", line.tolerance_text});
  for (const std::string& promise : line.promises) arguments.insert(arguments.end(), {"--promise", promise});
  if (line.check != assay::GemmCheckMethod::full)
    arguments.insert(arguments.end(), {"--check", std::string(name_of(line.check))});
  if (line.relations) arguments.insert(arguments.end(), {"--check", "relations"});
  if (line.require_determinism) arguments.push_back("--require-determinism");
  if (line.no_diagnosis) arguments.push_back("--no-diagnosis");
  return arguments;
}

/// The fewest digits that read back as the same number.
std::string shortest_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace

std::string plugin_options(const CommandLine& line) {
  std::string text;
  for (const std::string& plugin : line.plugins) text += " --plugin " + shell_quoted(plugin);
  for (const std::string& file : line.opencl) text += " --opencl " + shell_quoted(file);
  for (const std::string& file : line.vulkan) text += " --vulkan " + shell_quoted(file);
  for (const std::string& module : line.python) text += " --python " + shell_quoted(module);
  for (const std::string& file : line.webgpu) text += " --webgpu " + shell_quoted(file);
  return text;
}

std::string judging_options(const CommandLine& line) {
  std::string text = plugin_options(line);
  for (const std::string& argument : judging_arguments(line)) text += " " + shell_quoted(argument);
  return text;
}

std::string isolating_options(const CommandLine& line) {
  std::string text = line.oclgrind ? " --oclgrind" : "";
  if (line.no_isolate) return text + " --no-isolate";
  if (!line.isolate) return text;
  text += " --isolate";
  if (line.timeout_seconds > 0) text += " --timeout " + shortest_text(line.timeout_seconds);
  if (line.memory_gib > 0) text += " --memory " + shortest_text(line.memory_gib);
  return text;
}

std::string envelope_options(const CommandLine& line) {
  if (line.envelope_file.empty()) return {};
  return " --envelope " + shell_quoted(line.envelope_file) + (line.require_envelope ? " --require-envelope" : "");
}

assay::IsolationOptions isolation_options(const CommandLine& line, const std::set<std::string>& backends,
                                          const std::string& environment) {
  assay::IsolationOptions options;
  options.timeout_seconds = line.timeout_seconds;
  options.memory_bytes = static_cast<std::size_t>(line.memory_gib * (1024.0 * 1024 * 1024));
  if (!environment.empty()) options.environment.push_back(environment);
  // threads of OpenMP that spin for work keep the cores from the other workers: twice the time for small kernels
  if (line.jobs > 1 && std::getenv("OMP_WAIT_POLICY") == nullptr)
    options.environment.push_back("OMP_WAIT_POLICY=passive");
  std::error_code code;
  const char* const running_program = "/proc/self/exe";
  options.command = {std::filesystem::exists(running_program, code) ? running_program : line.program, "worker"};
  for (const std::string& plugin : usable_plugin_files()) {
    options.command.insert(options.command.end(), {"--plugin", plugin});
    options.start_seconds += 2 * assay::PluginLoading{}.probe_seconds;  // a worker tries each, and then loads it
  }
  for (const std::string& file : line.opencl) options.command.insert(options.command.end(), {"--opencl", file});
  for (const std::string& file : line.vulkan) options.command.insert(options.command.end(), {"--vulkan", file});
  for (const std::string& module : line.python) {
    options.command.insert(options.command.end(), {"--python", module});
    options.start_seconds += 120;  // a worker imports each
  }
  for (const std::string& file : line.webgpu) options.command.insert(options.command.end(), {"--webgpu", file});
  for (const std::string& backend : backends) options.command.insert(options.command.end(), {"--backend", backend});
  for (const std::string& argument : judging_arguments(line)) options.command.push_back(argument);
  if (names_problems(line.selection)) {  // which the worker's suite must have, too
    const auto pass_on = [&](const char* option, const std::vector<std::string>& names) {
      for (const std::string& name : names) options.command.insert(options.command.end(), {option, name});
    };
    pass_on("--op", line.selection.operations);
    pass_on("--shape", line.selection.shapes);
    pass_on("--only", line.selection.only);
  }
  return options;
}

}  // namespace assay_program
