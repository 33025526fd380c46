#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/enum_name.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/diagnosis/diagnose.hpp"
#include "assay/io/npy.hpp"
#include "assay/kernels.hpp"
#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "assay/validators/check_outputs.hpp"
#include "assay/validators/minimize/problem_fields.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "suites/operation_names.hpp"

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

bool sets(const std::vector<assay::RecordedField>& settings, const std::string& name) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const assay::RecordedField& field) { return field.name == name; });
}

/// Sets the members of a problem that make it one of that name; false: no such operation is of this family.
template <class Op>
bool name_operation(const std::string& operation, typename Op::Problem& problem) {
  if (operation == Op::name()) return true;
  if constexpr (requires { Op::operation_of(problem); }) {
    const typename Op::Problem plain = problem;
    const auto is_named = [&](typename Op::Problem candidate) {
      for (const char* backward : {"false", "true"}) {
        const auto varied = assay::with_fields(candidate, {{"backward", backward}});
        const typename Op::Problem& tried = varied ? varied.value() : candidate;
        if (Op::operation_of(tried) != operation) continue;
        problem = tried;
        return true;
      }
      return false;
    };
    if (is_named(plain)) return true;
    bool found = false;
    for (const assay::RecordedField& field : assay::recorded_fields(plain)) {
      std::vector<std::string> values;
      typename Op::Problem walked = plain;
      assay::detail::walk_fields(walked, [&]<class Member>(const std::string& name, Member&) {
        if constexpr (std::is_enum_v<Member>) {
          constexpr int most = 64;
          for (int value = 0; name == field.name && value < most; ++value)
            if (const auto text = assay::enum_name(static_cast<Member>(value));
                !text.empty() && assay::enum_named<Member>(text) == static_cast<Member>(value))
              values.emplace_back(text);
        }
      });
      for (std::size_t i = 0; i < values.size() && !found; ++i)
        if (const auto candidate = assay::with_fields(plain, {{field.name, values[i]}}); candidate)
          found = is_named(candidate.value());
      if (found) return true;
    }
  }
  return false;
}

/// The specs of the operands that a problem has; none where it is not valid.
template <class Op>
std::vector<assay::OperandSpec> present_specs(const typename Op::Problem& problem) {
  std::vector<assay::OperandSpec> present;
  if (const auto specs = Op::operands(problem); specs)
    for (const assay::OperandSpec& spec : specs.value())
      if (spec.present) present.push_back(spec);
  return present;
}

/// Members of the problem that say extents and formats are set to those of the arrays: which they are shows in the
/// operands when a member changes. What the user sets stays.
template <class Op>
void infer_members(const GivenFiles& files, const std::vector<assay::RecordedField>& settings,
                   typename Op::Problem& problem) {
  const auto set = [&](const std::string& name, const std::string& value) {
    if (auto changed = assay::with_fields(problem, {{name, value}}); changed) problem = std::move(changed).value();
  };
  if (!sets(settings, "rank") && !files.arrays.empty()) set("rank", std::to_string(files.arrays.back().shape.size()));
  for (const assay::RecordedField& field : assay::recorded_fields(problem)) {
    if (sets(settings, field.name)) continue;
    const bool format = assay::element_format_named(field.value).has_value();
    if (!format && field.value != "0" && field.value != "1") continue;
    const std::string other = format ? (field.value == "bf16" ? "f32" : "bf16") : "7";
    const auto changed = assay::with_fields(problem, {{field.name, other}});
    if (!changed) continue;
    const auto now = present_specs<Op>(problem), then = present_specs<Op>(changed.value());
    for (std::size_t i = 0; i < now.size() && i < then.size() && i < files.arrays.size(); ++i) {
      const assay::NpyArray& array = files.arrays[i];
      if (format) {
        const auto own = format_of(array.type);
        if (now[i].format == then[i].format || !own) continue;
        set(field.name, own->name);
        break;
      }
      if (now[i].extents.size() != then[i].extents.size() || array.shape.size() != now[i].extents.size()) continue;
      const auto place = std::mismatch(now[i].extents.begin(), now[i].extents.end(), then[i].extents.begin());
      if (place.first == now[i].extents.end() || *place.second != 7) continue;
      set(field.name, std::to_string(array.shape[static_cast<std::size_t>(place.first - now[i].extents.begin())]));
      break;
    }
  }
}

/// "axis" in place of (outer, length, inner), as numpy and PyTorch count dimensions.
assay::Result<std::vector<assay::RecordedField>> without_axis(std::vector<assay::RecordedField> settings,
                                                              const std::vector<assay::RecordedField>& members,
                                                              const GivenFiles& files) {
  const auto has = [&](const char* name) { return sets(members, name); };
  const bool along = has("outer") && has("length") && has("inner");
  const auto axis = std::find_if(settings.begin(), settings.end(),
                                 [](const assay::RecordedField& field) { return field.name == "axis"; });
  if (axis == settings.end() || has("axis")) return settings;
  if (!along || files.arrays.empty())
    return assay::failure(assay::ErrorKind::invalid, "this operation has no axis; leave out --set axis");
  const std::vector<Index>& shape = files.arrays.front().shape;
  const Index rank = static_cast<Index>(shape.size());
  long long number = 0;
  if (!assay::detail::read_field(axis->value, number) || number < -rank || number >= rank)
    return assay::failure(assay::ErrorKind::invalid, "axis is '" + axis->value + "'; " + files.names.front() + " has " +
                                                         std::to_string(rank) +
                                                         " dimensions, counted from 0, or from -1 backwards");
  const auto middle = static_cast<std::size_t>(number < 0 ? number + rank : number);
  Index outer = 1, inner = 1;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (d != middle) (d < middle ? outer : inner) *= shape[d];
  settings.erase(axis);
  settings.push_back({"outer", std::to_string(outer)});
  settings.push_back({"length", std::to_string(shape[middle])});
  settings.push_back({"inner", std::to_string(inner)});
  return settings;
}

std::string member_names(const std::vector<assay::RecordedField>& members) {
  std::string names;
  for (const assay::RecordedField& member : members) names += (names.empty() ? "" : ", ") + member.name;
  return names;
}

/// Nothing where the operation is not of this family.
template <class Op>
std::optional<assay::Result<assay::Outcome>> check_as(const CommandLine& line, const GivenFiles& files,
                                                      const std::vector<assay::RecordedField>& asked) {
  if constexpr (!assay::NamesItsFields<typename Op::Problem>) {
    return std::nullopt;
  } else {
    typename Op::Problem problem{};
    if (!name_operation<Op>(line.checked_operation, problem)) return std::nullopt;
    const auto members = assay::recorded_fields(problem);
    const auto settings = without_axis(asked, members, files);
    if (!settings) return settings.propagate();
    for (const assay::RecordedField& setting : settings.value())
      if (!sets(members, setting.name))
        return assay::failure(assay::ErrorKind::invalid, "--set " + setting.name + ": " + line.checked_operation +
                                                             " has the members " + member_names(members));
    auto set = assay::with_fields(problem, settings.value());
    if (!set) return set.propagate();
    problem = std::move(set).value();
    infer_members<Op>(files, settings.value(), problem);
    const auto specs = present_specs<Op>(problem);
    std::vector<assay::GivenTensor> tensors;
    for (std::size_t i = 0; i < files.arrays.size(); ++i) {
      const assay::NpyArray& array = files.arrays[i];
      auto format = format_of(array.type);
      if (i < specs.size() && array.type.kind == assay::NpyKind::raw &&
          static_cast<std::size_t>(specs[i].format.bytes) == array.type.size)
        format = specs[i].format;
      if (!format)
        return assay::failure(assay::ErrorKind::unsupported,
                              files.names[i] + ": elements of dtype " + array.type.description() +
                                  " do not tell their format; say it by --set, as in --set input=e4m3fn");
      tensors.emplace_back(static_cast<const void*>(array.bytes.data()), *format, array.shape);
      tensors.back().elements_there = array.size();
      if (files.before[i]) tensors.back().before = files.before[i]->bytes.data();
    }
    assay::CheckOutputsOptions options;
    options.tolerance = line.tolerance;
    if (!line.no_diagnosis) options.diagnosis = {&assay::diagnose, 1, false};
    return assay::Result<assay::Outcome>(assay::check_outputs<Op>(problem, tensors, options));
  }
}

template <class... Ops>
std::optional<assay::Result<assay::Outcome>> check_as_any(assay::Operations<Ops...>, const CommandLine& line,
                                                          const GivenFiles& files,
                                                          const std::vector<assay::RecordedField>& settings) {
  std::optional<assay::Result<assay::Outcome>> found;
  static_cast<void>(((found = check_as<Ops>(line, files, settings), found.has_value()) || ...));
  return found;
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
  const auto checked = check_as_any(assay::AllOperations(), line, files.value(), settings.value());
  if (!checked) {
    std::vector<std::string> known;
    for (const auto& [operation, family] : families_by_operation()) known.push_back(operation);
    return fault(assay::unknown_name("operation", line.checked_operation, known));
  }
  if (!*checked) return fault(checked->error().message);
  const assay::Outcome& outcome = checked->value();
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
