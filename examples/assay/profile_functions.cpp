#include "profile_functions.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/profile/function_profile_file.hpp"
#include "assay/suite/glob.hpp"
#include "fault.hpp"
#include "printed_table.hpp"
#include "suites/elementwise_kernels.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

namespace {

void print(const assay::Table& table) {
  print_table(table);
}

/// Input and output formats alike.
assay::Result<std::vector<assay::ElementFormat>> chosen_formats(std::vector<std::string> names) {
  const std::vector<std::string> usual{"f32", "bf16", "f16"};
  if (names.empty()) names = usual;
  std::vector<assay::ElementFormat> formats;
  for (const std::string& name : names) {
    const auto format = assay::element_format_named(name);
    if (!format || !format->is_float() || format->bytes > 4)
      return assay::failure(assay::ErrorKind::not_found,
                            assay::unknown_name("format of a function's profile", name, usual));
    formats.push_back(*format);
  }
  return formats;
}

}  // namespace

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const assay::ElementwiseFunction function : assay::all_elementwise_functions)
    if (assay::operands_of(function) == 1 && function != assay::ElementwiseFunction::scale_shift)
      names.emplace_back(name_of(function));
  return names;
}

bool names_a_function(const std::string& operation) {
  const std::vector<std::string> names = function_names();
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return assay::glob_matches(operation, name); });
}

int profile_functions(const CommandLine& line, const Library& library) {
  const std::string& backend = line.selection.backends.front();
  auto kernels = elementwise_kernels(library.name);
  if (!kernels) return fault(library.name + " has no elementwise kernels here; profile host, onednn or eigen");
  kernels->name = backend;
  const auto formats = chosen_formats(line.selection.formats);
  if (!formats) return fault(formats.error().message);
  std::vector<assay::FunctionProfile> before, profiles;
  if (!line.other_profile.empty()) {
    auto read = assay::read_function_profiles(line.other_profile);
    if (!read) return fault(read.error().message);
    before = std::move(read).value();
  }
  const auto asked_for = [&](const std::string& name) {
    return std::any_of(line.selection.operations.begin(), line.selection.operations.end(),
                       [&](const std::string& pattern) { return assay::glob_matches(pattern, name); });
  };
  const auto not_asked_for = [&](const assay::FunctionProfile& profile) {
    return !asked_for(profile.function) ||
           std::none_of(formats.value().begin(), formats.value().end(),
                        [&](const assay::ElementFormat& format) { return profile.input == format.name; });
  };
  before.erase(std::remove_if(before.begin(), before.end(), not_asked_for), before.end());
  std::vector<std::string> refused;
  for (const assay::ElementwiseFunction function : assay::all_elementwise_functions) {
    const std::string name(name_of(function));
    if (assay::operands_of(function) != 1 || function == assay::ElementwiseFunction::scale_shift || !asked_for(name))
      continue;
    for (const assay::ElementFormat& format : formats.value()) {
      auto profile = assay::profile_function(host_worker(), *kernels, function, format, format);
      if (profile)
        profiles.push_back(std::move(profile).value());
      else
        refused.push_back(name + " in " + format.name + ": " +
                          (profile.error().kind == assay::ErrorKind::unsupported ? "unsupported: " : "error: ") +
                          profile.error().message);
    }
  }
  std::printf("functions of %s %s\n", backend.c_str(), library.version().c_str());
  if (!profiles.empty()) print(assay::function_table(profiles));
  for (const std::string& sentence : refused) std::printf("%s\n", sentence.c_str());
  if (profiles.empty()) return fault("none of these functions could be profiled");
  if (!line.profile_file.empty())
    if (const auto written = assay::write_function_profiles(line.profile_file, profiles); !written)
      return fault(written.error().message);
  if (line.other_profile.empty()) return 0;
  const assay::Table changed = assay::compare_function_profiles(before, profiles);
  if (changed.rows.empty()) {
    std::printf("\nnothing changed numerically since %s\n", line.other_profile.c_str());
    return 0;
  }
  std::printf("\n%s since %s\n", changed.title.c_str(), line.other_profile.c_str());
  print(changed);
  return 1;
}

}  // namespace assay_program
