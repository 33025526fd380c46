#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/formats/element_format_named.hpp"
#include "assay/io/npy.hpp"
#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "given_arrays.hpp"

namespace assay_program {

namespace {

using assay::Index;

/// The arrays of the user, in the order of the operands.
struct GivenFiles {
  std::vector<std::string> names;
  std::vector<assay::NpyArray> arrays;                 ///< as the kernel left them
  std::vector<std::optional<assay::NpyArray>> before;  ///< of operands that are updated in place
};

std::optional<assay::ElementFormat> format_of(const assay::NpyType& type) {
  using assay::element_format;
  switch (type.kind) {
    case assay::NpyKind::floating:
      return type.size == 2   ? element_format<assay::float16>()
             : type.size == 4 ? element_format<assay::float32>()
                              : element_format<assay::float64>();
    case assay::NpyKind::boolean: return element_format<std::uint8_t>();
    case assay::NpyKind::raw: return type.size == 2 ? std::optional(element_format<assay::bfloat16>()) : std::nullopt;
    default:
      return assay::element_format_named((type.kind == assay::NpyKind::unsigned_integer ? "uint" : "int") +
                                         std::to_string(8 * type.size));
  }
}

assay::Result<GivenFiles> read_files(const std::vector<std::string>& paths) {
  GivenFiles files;
  for (const std::string& path : paths) {
    const std::size_t colon = path.find(":");
    const std::string after = colon == std::string::npos ? path : path.substr(colon + 1);
    auto array = assay::read_npy(after);
    if (!array) return array.propagate();
    std::optional<assay::NpyArray> before;
    if (colon != std::string::npos) {
      auto read = assay::read_npy(path.substr(0, colon));
      if (!read) return read.propagate();
      if (!(read.value().type == array.value().type) || read.value().shape != array.value().shape)
        return assay::failure(assay::ErrorKind::invalid,
                              path + ": before and after are of different dtypes or shapes; an operand keeps its own");
      before = std::move(read).value();
    }
    files.names.push_back(after);
    files.arrays.push_back(std::move(array).value());
    files.before.push_back(std::move(before));
  }
  return files;
}

assay::Result<std::vector<assay::RecordedField>> settings_of(const std::vector<std::string>& texts) {
  std::vector<assay::RecordedField> settings;
  for (const std::string& text : texts) {
    const std::size_t sign = text.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
      return assay::failure(assay::ErrorKind::invalid,
                            "--set '" + text + "' is no NAME=VALUE, such as --set temperature=0.5");
    settings.push_back({text.substr(0, sign), text.substr(sign + 1)});
  }
  return settings;
}

GivenArray array_of(const std::string& name, const assay::NpyArray& array,
                    const std::optional<assay::NpyArray>& before) {
  GivenArray given;
  given.name = name;
  given.format = format_of(array.type);
  given.raw_bytes = array.type.kind == assay::NpyKind::raw ? array.type.size : 0;
  given.type = array.type.description();
  given.shape = array.shape;
  given.data = array.bytes.data();
  if (before) given.before = before->bytes.data();
  return given;
}

void print(const std::string& line) {
  std::printf("%s\n", (assay::ascii_asked_for() ? assay::ascii_text(line) : line).c_str());
}

}  // namespace

int check_given(const CommandLine& line) {
  const auto settings = settings_of(line.checked_settings);
  if (!settings) return fault(settings.error().message);
  const auto files = read_files(line.checked_files);
  if (!files) return fault(files.error().message);
  GivenCheck given;
  given.operation = line.checked_operation;
  given.settings = settings.value();
  given.tolerance = line.tolerance;
  given.diagnosis = !line.no_diagnosis;
  for (std::size_t i = 0; i < files.value().arrays.size(); ++i)
    given.arrays.push_back(array_of(files.value().names[i], files.value().arrays[i], files.value().before[i]));
  const auto checked = check_arrays(given);
  if (!checked) {
    const std::string& message = checked.error().message;
    for (const assay::RecordedField& setting : settings.value())
      if (message.rfind(setting.name + ": ", 0) == 0) return fault("--set " + message);
    return fault(message);
  }
  const assay::Outcome& outcome = checked.value();
  if (outcome.verdict == assay::Verdict::error || outcome.verdict == assay::Verdict::unsupported)
    return fault(outcome.reason);
  print(std::string(name_of(outcome.verdict)) + " " + outcome.id +
        (outcome.reason.empty() ? "" : ": " + assay::visible(outcome.reason)));
  for (const std::string& finding : outcome.diagnosis) print("  · " + assay::visible(finding));
  if (const auto ratio = outcome.measurement(assay::measurement::worst_error_ratio))
    print("  error/allowed " + assay::number_text(*ratio));
  print("  the tolerance:");
  for (const std::string& step : outcome.derivation) print("  · " + assay::visible(step));
  return outcome.verdict == assay::Verdict::pass ? 0 : outcome.verdict == assay::Verdict::fail ? 1 : 2;
}

}  // namespace assay_program
