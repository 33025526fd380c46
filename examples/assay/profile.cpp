#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/floating_point_guard.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/profile/profile_file.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "printed_table.hpp"
#include "profile_functions.hpp"
#include "restart.hpp"
#include "suites/instruction_sets.hpp"
#include "suites/library.hpp"

namespace assay_program {

namespace {

void print(const assay::Table& table) {
  std::printf("%s\n", table.title.c_str());
  print_table(table);
}

/// The library that a backend names, with or without an instruction set.
assay::Result<const Library*> library_named(const std::string& backend) {
  std::vector<std::string> known;
  for (const Library& library : libraries()) {
    if (library.compiled_in) known.push_back(library.name);
    for (const InstructionSetChoice& choice : instruction_set_choices(library.name))
      known.push_back(library.name + "@" + choice.name);
    if (library.name != library_of(backend) || (backend != library.name && environment_of_backend(backend).empty()))
      continue;
    if (library.compiled_in) return &library;
    return assay::failure(assay::ErrorKind::not_found, "this program was built without " + library.name +
                                                           ": apt-get install " + library.package +
                                                           ", configure and build again");
  }
  return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("backend", backend, known));
}

/// Those whose formats, or input format, are named; all where none is.
assay::Result<std::vector<ProfiledKernel>> chosen(const std::vector<ProfiledKernel>& kernels,
                                                  const std::vector<std::string>& formats) {
  std::vector<ProfiledKernel> found;
  std::vector<std::string> known;
  for (const ProfiledKernel& kernel : kernels) known.push_back(kernel.formats);
  for (const std::string& name : formats)
    if (std::none_of(known.begin(), known.end(),
                     [&](const std::string& own) { return own == name || own.rfind(name + ".", 0) == 0; }))
      return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("format", name, known));
  for (const ProfiledKernel& kernel : kernels)
    if (formats.empty() || std::any_of(formats.begin(), formats.end(), [&](const std::string& name) {
          return kernel.formats == name || kernel.formats.rfind(name + ".", 0) == 0;
        }))
      found.push_back(kernel);
  return found;
}

}  // namespace

int profile(const CommandLine& line) {
  std::size_t functions = 0;
  for (const std::string& operation : line.selection.operations) {
    std::vector<std::string> known = function_names();
    known.insert(known.begin(), "gemm");
    if (operation != "gemm" && !names_a_function(operation))
      return fault(assay::unknown_name("operation with a profile", operation, known));
    functions += operation != "gemm" ? 1 : 0;
  }
  if (functions > 0 && functions < line.selection.operations.size())
    return fault("gemm and functions have profiles of different kinds; ask for one after the other");
  const std::string& backend = line.selection.backends.front();
  const auto library = library_named(backend);
  if (!library) return fault(library.error().message);
  std::optional<assay::NumericProfile> before;
  if (functions == 0 && !line.other_profile.empty()) {
    auto read = assay::read_profile(line.other_profile);
    if (!read) return fault(read.error().message);
    before = std::move(read).value();
  }
  if (const std::string environment = environment_of_backend(backend); !environment.empty())
    if (const auto restarted = restart_with(line, environment); !restarted) return fault(restarted.error().message);
  const auto runtime = library.value()->start != nullptr ? library.value()->start() : nullptr;
  const assay::FloatingPointGuard usual_arithmetic;
  if (functions > 0) return profile_functions(line, *library.value());
  std::vector<ProfiledKernel> kernels;
  SuiteOptions options;
  options.kernels = &kernels;
  assay::Suite others;
  library.value()->add_cases(others, options);
  const auto found = chosen(kernels, line.selection.formats);
  if (!found) return fault(found.error().message);
  if (found.value().size() > 1 && (before || !line.profile_file.empty())) {
    std::string names;
    for (const ProfiledKernel& kernel : found.value()) names += " " + kernel.formats;
    return fault("a file has the profile of one kernel, and " + std::to_string(found.value().size()) +
                 " are meant; give --dtype one of" + names);
  }
  int exit_code = 0;
  for (const ProfiledKernel& kernel : found.value()) {
    auto profiled = kernel.profile();
    if (!profiled) {
      exit_code = fault(backend + " " + kernel.formats + ": " + profiled.error().message);
      continue;
    }
    assay::NumericProfile& result = profiled.value();
    result.unit = backend;
    result.version = library.value()->version();
    print(assay::profile_table(result));
    if (!line.profile_file.empty())
      if (const auto written = assay::write_profile(line.profile_file, result); !written)
        return fault(written.error().message);
    if (!before) continue;
    const assay::Table changed = assay::compare_profiles(*before, result);
    std::printf("\n");
    if (changed.rows.empty())
      std::printf("nothing changed numerically since %s\n", line.other_profile.c_str());
    else
      print(changed);
    if (!changed.rows.empty()) exit_code = 1;
  }
  return exit_code;
}

}  // namespace assay_program
