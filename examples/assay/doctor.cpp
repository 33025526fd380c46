#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/floating_point_guard.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/table.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "assay/report/text.hpp"
#include "collectives_runtime.hpp"
#include "commands.hpp"
#include "optional_parts.hpp"
#include "printed_table.hpp"
#include "suites/doors.hpp"
#include "suites/gpgpu.hpp"
#include "suites/instruction_sets.hpp"
#include "suites/library.hpp"

namespace assay_program {

namespace {

void print_environment(const assay::Environment& environment) {
  const std::string memory = assay::detail::printed_number(environment.memory_bytes / (1024.0 * 1024.0 * 1024.0), 1,
                                                           std::chars_format::fixed) +
                             " GiB";
  const bool usual = assay::FloatingPointState::current() == assay::FloatingPointState{};
  const std::vector<std::pair<const char*, std::string>> lines{
      {"assay", environment.assay_version},
      {"system", environment.operating_system},
      {"processor", environment.processor + ", " + std::to_string(environment.logical_processors) + " logical"},
      {"instruction sets", environment.instruction_sets},
      {"memory", memory},
      {"compiler", environment.compiler},
      {"compiler flags", environment.compiler_flags},
      {"floating point", usual ? "round to nearest, subnormals kept"
                               : "NOT the default at program start (a library compiled with -ffast-math does that); "
                                 "every case runs in the default"}};
  for (const auto& [name, value] : lines) std::printf("%-17s %s\n", name, value.empty() ? "unknown" : value.c_str());
}

/// Foreign runtimes that are loaded when they are asked for, and what they say of themselves.
void print_doors() {
  assay::Table doors;
  doors.columns = {"runtime", "of graphs", "version", "providers"};
  std::vector<std::string> problems;
  for (const ForeignRuntimeRow& row : foreign_runtimes()) {
    const auto worker = foreign_worker(row.runtime, 20);
    const auto described =
        worker ? worker.value()->describe() : assay::Result<assay::ExecutorDescription>(worker.propagate());
    std::string version = "not here", providers;
    if (described) {
      version = assay::clipped(assay::visible(described.value().version), 60);
      for (const std::string& provider : described.value().providers)
        providers += (providers.empty() ? "" : " ") + assay::visible(provider);
    } else {
      problems.push_back(described.error().message);
    }
    doors.rows.push_back({row.name, row.title, version, providers});
  }
  std::printf("\n");
  print_table(doors);
  for (const std::string& problem : problems) std::printf("%s\n", problem.c_str());
}

/// What else is used where it is there, each with the command that brings it.
void print_optional_parts() {
  assay::Table table;
  table.columns = {"optional part", "for", "state", "brought by"};
  for (const OptionalPart& part : optional_parts())
    table.rows.push_back({part.name, part.purpose, part.state, part.command});
  std::printf("\n");
  print_table(table);
}

/// The settings file in force and what it sets, section by section.
void print_settings(const CommandLine& line) {
  if (!line.configuration) {
    std::printf("%-17s %s\n", "settings",
                line.settings_refused
                    ? "none: --no-config"
                    : "no assay.toml here or above, ASSAY_CONFIG is not set: every option has its own default");
    return;
  }
  std::printf("%-17s %s\n", "settings", line.configuration->file.c_str());
  for (const Setting& setting : line.configuration->settings) {
    std::string values;
    for (const std::string& value : setting.values) values += (values.empty() ? "" : ",") + value;
    std::printf("%-17s [%s] %s = %s\n", "", setting.section.c_str(), setting.key.c_str(), values.c_str());
  }
  if (line.configuration->settings.empty()) std::printf("%-17s it sets nothing\n", "");
}

}  // namespace

int doctor(const CommandLine& line) {
  print_environment(assay::detect_environment());
  print_settings(line);
  assay::Table table;
  table.columns = {"backend", "what", "version", "instruction sets to choose"};
  for (const Library& library : libraries()) {
    std::string choices;
    for (const InstructionSetChoice& choice : instruction_set_choices(library.name))
      choices += (choices.empty() ? "" : " ") + library.name + "@" + choice.name;
    table.rows.push_back(
        {library.name, library.title, library.compiled_in ? library.version() : "not compiled in", choices});
  }
  std::printf("\n");
  print_table(table);

  for (const Library& library : libraries())
    if (!library.failure.empty()) std::printf("%s\n", library.failure.c_str());

  assay::Table runtimes;
  runtimes.columns = {"runtime", "of collectives", "version"};
  for (const RuntimeLibrary& library : runtime_libraries())
    runtimes.rows.push_back({library.name, library.title,
                             library.version.empty() ? "not compiled in (" + library.package + ")" : library.version});
  std::printf("\n");
  print_table(runtimes);

  print_doors();
  print_devices();
  print_optional_parts();

  std::string packages;
  for (const Library& library : libraries())
    if (!library.compiled_in && !library.package.empty()) packages += " " + library.package;
  if (packages.empty())
    std::printf("\nEvery library of kernels that this version knows is here.\n");
  else
    std::printf("\nTo get what is missing: apt-get install%s, then configure and build again.\n", packages.c_str());
  for (const Library& library : libraries())
    if (!library.compiled_in && library.package.empty())
      std::printf("For %s: configure with -DCUDA_ARCH=90, or what the device is, and build again.\n",
                  library.name.c_str());
  return 0;
}

}  // namespace assay_program
