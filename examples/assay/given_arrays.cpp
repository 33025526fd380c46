#include "given_arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/enum_name.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/diagnosis/diagnose.hpp"
#include "assay/kernels.hpp"
#include "assay/validators/check_outputs.hpp"
#include "assay/validators/minimize/problem_fields.hpp"
#include "suites/operation_names.hpp"

namespace assay_program {

namespace {

using assay::Index;
using Settings = std::vector<assay::RecordedField>;

bool sets(const Settings& settings, const std::string& name) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const assay::RecordedField& field) { return field.name == name; });
}

/// The values of a choice, as texts; none where the member of that name is no choice. Truth values are one.
template <class Problem>
std::vector<std::string> values_of(Problem problem, const std::string& wanted) {
  std::vector<std::string> values;
  assay::detail::walk_fields(problem, [&]<class Member>(const std::string& name, Member&) {
    if (name != wanted) return;
    if constexpr (std::is_same_v<Member, bool>) values = {"false", "true"};
    if constexpr (std::is_enum_v<Member>) {
      constexpr int most = 64;
      for (int value = 0; value < most; ++value)
        if (const auto text = assay::enum_name(static_cast<Member>(value));
            !text.empty() && assay::enum_named<Member>(text) == static_cast<Member>(value))
          values.emplace_back(text);
    }
  });
  return values;
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
    for (const assay::RecordedField& field : assay::recorded_fields(plain)) {
      const std::vector<std::string> values = values_of(plain, field.name);
      if (values == std::vector<std::string>{"false", "true"}) continue;
      for (const std::string& value : values)
        if (const auto candidate = assay::with_fields(plain, {{field.name, value}}); candidate)
          if (is_named(candidate.value())) return true;
    }
  }
  return false;
}

/// The specs of all operands, absent ones, too; none where the problem is not valid.
template <class Op>
std::vector<assay::OperandSpec> all_specs(const typename Op::Problem& problem) {
  auto specs = Op::operands(problem);
  return specs ? std::move(specs).value() : std::vector<assay::OperandSpec>{};
}

/// The specs of the operands that a problem has.
template <class Op>
std::vector<assay::OperandSpec> present_specs(const typename Op::Problem& problem) {
  std::vector<assay::OperandSpec> present;
  for (const assay::OperandSpec& spec : all_specs<Op>(problem))
    if (spec.present) present.push_back(spec);
  return present;
}

/// A problem that is not valid as it stands, such as one whose output must be integers, gets a format of the arrays.
template <class Op>
void make_valid(const Settings& settings, const std::vector<GivenArray>& arrays, typename Op::Problem& problem) {
  if (Op::operands(problem)) return;
  for (const assay::RecordedField& field : assay::recorded_fields(problem)) {
    if (sets(settings, field.name) || !assay::element_format_named(field.value)) continue;
    for (const GivenArray& array : arrays) {
      if (!array.format) continue;
      auto changed = assay::with_fields(problem, {{field.name, array.format->name}});
      if (!changed || !Op::operands(changed.value())) continue;
      problem = std::move(changed).value();
      return;
    }
  }
}

/// Changes one truth value or choice that the user has not set, so that the operand is there, or not: rather one that
/// has to do with no other operand. False: none does that.
template <class Op>
bool make_present(const std::string& operand, bool wanted, const Settings& settings, typename Op::Problem& problem) {
  const auto before = all_specs<Op>(problem);
  std::optional<typename Op::Problem> second_best;
  for (const assay::RecordedField& field : assay::recorded_fields(problem)) {
    if (sets(settings, field.name)) continue;
    for (const std::string& value : values_of(problem, field.name)) {
      if (value == field.value) continue;
      const auto changed = assay::with_fields(problem, {{field.name, value}});
      if (!changed) continue;
      const auto after = all_specs<Op>(changed.value());
      if (after.size() != before.size()) continue;
      bool does = false, alone = true;
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (after[i].name != before[i].name) alone = false;
        if (after[i].name == operand)
          does = after[i].present == wanted;
        else
          alone = alone && after[i].present == before[i].present && after[i].role == before[i].role;
      }
      if (!does) continue;
      if (alone) {
        problem = changed.value();
        return true;
      }
      if (!second_best) second_best = changed.value();
    }
  }
  if (second_best) problem = *second_best;
  return second_best.has_value();
}

bool stands_for(ArrayPlace place, const assay::OperandSpec& spec) {
  return place == ArrayPlace::in_order || (place == ArrayPlace::read) == (spec.role == assay::OperandRole::input);
}

std::string names_of(const std::vector<assay::OperandSpec>& specs, ArrayPlace place) {
  std::string names;
  for (const assay::OperandSpec& spec : specs)
    if (stands_for(place, spec)) names += (names.empty() ? "" : ", ") + spec.name;
  return names;
}

/// Gives each array the name of its operand, and the problem those operands that are given. Of arrays without a name
/// the first stand for the first operands; operands behind the last array are left out, where the operation can do
/// without them, and those of more arrays are added.
template <class Op>
assay::Result<void> name_operands(ArrayPlace place, const Settings& settings, typename Op::Problem& problem,
                                  std::vector<GivenArray>& arrays) {
  std::vector<GivenArray*> own;
  for (GivenArray& array : arrays)
    if (array.place == place) own.push_back(&array);
  const auto specs = all_specs<Op>(problem);
  const std::string what = place == ArrayPlace::read ? "input" : "output";
  std::vector<std::string> named, present, absent;
  for (GivenArray* array : own)
    if (!array->operand.empty()) named.push_back(array->operand);
  for (const assay::OperandSpec& spec : specs)
    if (stands_for(place, spec) && std::find(named.begin(), named.end(), spec.name) == named.end())
      (spec.present ? present : absent).push_back(spec.name);
  // Rather what the problem names by a member of its own, as a bias, than scales of a factor.
  const Settings members = assay::recorded_fields(problem);
  std::vector<std::string> optional;
  for (const bool own_member : {true, false})
    for (const std::string& name : absent)
      if (sets(members, name) == own_member) optional.push_back(name);
  absent = std::move(optional);
  std::size_t next = 0;
  for (GivenArray* array : own) {
    if (!array->operand.empty()) continue;
    if (next < present.size()) {
      array->operand = present[next++];
      continue;
    }
    if (array->absent) continue;
    for (const std::string& name : absent)
      if (make_present<Op>(name, true, settings, problem)) {
        array->operand = name;
        absent.erase(std::find(absent.begin(), absent.end(), name));
        break;
      }
    if (array->operand.empty())
      return assay::failure(assay::ErrorKind::invalid, std::to_string(own.size()) + " " + what +
                                                           "s were given; this operation has " +
                                                           names_of(present_specs<Op>(problem), place));
  }
  for (; next < present.size(); ++next) make_present<Op>(present[next], false, settings, problem);
  for (const GivenArray* array : own) {
    if (array->operand.empty()) continue;
    const auto now = all_specs<Op>(problem);
    const auto found = std::find_if(now.begin(), now.end(),
                                    [&](const assay::OperandSpec& spec) { return spec.name == array->operand; });
    if (found == now.end()) {
      std::vector<std::string> known;
      for (const assay::OperandSpec& spec : now) known.push_back(spec.name);
      return assay::failure(assay::ErrorKind::invalid, assay::unknown_name("operand", array->operand, known));
    }
    if (found->present == !array->absent) continue;
    if (!make_present<Op>(array->operand, !array->absent, settings, problem))
      return assay::failure(assay::ErrorKind::invalid,
                            array->operand + (array->absent ? " is left out, and this operation cannot do without it"
                                                            : " is given, and this problem does not have it"));
  }
  return {};
}

/// The arrays in the order of the operands that are there.
template <class Op>
assay::Result<void> bring_in_order(const Settings& settings, typename Op::Problem& problem,
                                   std::vector<GivenArray>& arrays) {
  if (std::all_of(arrays.begin(), arrays.end(),
                  [](const GivenArray& array) { return array.place == ArrayPlace::in_order; }))
    return {};
  make_valid<Op>(settings, arrays, problem);
  for (const ArrayPlace place : {ArrayPlace::read, ArrayPlace::written})
    if (auto named = name_operands<Op>(place, settings, problem, arrays); !named) return named;
  std::erase_if(arrays, [](const GivenArray& array) { return array.absent; });
  std::vector<GivenArray> ordered;
  for (const assay::OperandSpec& spec : all_specs<Op>(problem))
    for (const GivenArray& array : arrays)
      if (array.operand == spec.name) ordered.push_back(array);
  if (ordered.size() == arrays.size()) arrays = std::move(ordered);
  return {};
}

/// What an operand would be asked for if the array had as many dimensions: leading ones of the array are joined, and
/// leading ones of the operand that the array does without are 1.
Index extent_for(const GivenArray& array, std::size_t place, std::size_t rank) {
  const std::size_t given = array.shape.size();
  if (given <= rank) return place + given < rank ? 1 : array.shape[place + given - rank];
  if (place > 0) return array.shape[place + given - rank];
  Index product = 1;
  for (std::size_t d = 0; d + rank <= given; ++d) product *= array.shape[d];
  return product;
}

/// Members of the problem that say extents and formats are set to those of the arrays: which they are shows in the
/// operands when a member changes. What the user sets stays.
template <class Op>
void infer_members(const std::vector<GivenArray>& arrays, const Settings& settings, typename Op::Problem& problem) {
  const auto set = [&](const std::string& name, const std::string& value) {
    if (auto changed = assay::with_fields(problem, {{name, value}}); changed) problem = std::move(changed).value();
  };
  if (!sets(settings, "rank") && !arrays.empty()) set("rank", std::to_string(arrays.back().shape.size()));
  for (const assay::RecordedField& field : assay::recorded_fields(problem)) {
    if (sets(settings, field.name)) continue;
    const bool format = assay::element_format_named(field.value).has_value();
    if (!format && field.value != "0" && field.value != "1") continue;
    const std::string other = format ? (field.value == "bf16" ? "f32" : "bf16") : "7";
    const auto changed = assay::with_fields(problem, {{field.name, other}});
    if (!changed) continue;
    const auto now = present_specs<Op>(problem), then = present_specs<Op>(changed.value());
    for (std::size_t i = 0; i < now.size() && i < then.size() && i < arrays.size(); ++i) {
      const GivenArray& array = arrays[i];
      if (format) {
        if (now[i].format == then[i].format || !array.format) continue;
        set(field.name, array.format->name);
        break;
      }
      if (now[i].extents.size() != then[i].extents.size()) continue;
      const auto place = std::mismatch(now[i].extents.begin(), now[i].extents.end(), then[i].extents.begin());
      if (place.first == now[i].extents.end() || *place.second != 7) continue;
      const auto at = static_cast<std::size_t>(place.first - now[i].extents.begin());
      set(field.name, std::to_string(extent_for(array, at, now[i].extents.size())));
      break;
    }
  }
}

/// "axis" in place of (outer, length, inner), as numpy and PyTorch count dimensions.
assay::Result<Settings> without_axis(Settings settings, const Settings& members,
                                     const std::vector<GivenArray>& arrays) {
  const auto has = [&](const char* name) { return sets(members, name); };
  const bool along = has("outer") && has("length") && has("inner");
  const auto axis = std::find_if(settings.begin(), settings.end(),
                                 [](const assay::RecordedField& field) { return field.name == "axis"; });
  if (axis == settings.end() || has("axis")) return settings;
  if (!along || arrays.empty())
    return assay::failure(assay::ErrorKind::invalid, "this operation has no axis; leave it out");
  const std::vector<Index>& shape = arrays.front().shape;
  const Index rank = static_cast<Index>(shape.size());
  long long number = 0;
  if (!assay::detail::read_field(axis->value, number) || number < -rank || number >= rank)
    return assay::failure(assay::ErrorKind::invalid, "axis is '" + axis->value + "'; " + arrays.front().name + " has " +
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

std::string member_names(const Settings& members) {
  std::string names;
  for (const assay::RecordedField& member : members) names += (names.empty() ? "" : ", ") + member.name;
  return names;
}

/// Nothing where the operation is not of this family.
template <class Op>
std::optional<assay::Result<assay::Outcome>> check_as(const GivenCheck& given) {
  if constexpr (!assay::NamesItsFields<typename Op::Problem>) {
    return std::nullopt;
  } else {
    typename Op::Problem problem{};
    if (!name_operation<Op>(given.operation, problem)) return std::nullopt;
    const auto members = assay::recorded_fields(problem);
    const auto settings = without_axis(given.settings, members, given.arrays);
    if (!settings) return settings.propagate();
    for (const assay::RecordedField& setting : settings.value())
      if (!sets(members, setting.name))
        return assay::failure(assay::ErrorKind::invalid,
                              setting.name + ": " + given.operation + " has the members " + member_names(members));
    auto set = assay::with_fields(problem, settings.value());
    if (!set) return set.propagate();
    problem = std::move(set).value();
    std::vector<GivenArray> arrays = given.arrays;
    if (const auto ordered = bring_in_order<Op>(settings.value(), problem, arrays); !ordered)
      return ordered.propagate();
    infer_members<Op>(arrays, settings.value(), problem);
    const auto specs = present_specs<Op>(problem);
    std::vector<assay::GivenTensor> tensors;
    bool doubles = false;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const GivenArray& array = arrays[i];
      std::optional<assay::ElementFormat> format = array.format;
      if (array.raw_bytes > 0 && i < specs.size() && static_cast<std::size_t>(specs[i].format.bytes) == array.raw_bytes)
        format = specs[i].format;
      if (!format)
        return assay::failure(assay::ErrorKind::unsupported, array.name + ": elements of dtype " + array.type +
                                                                 " do not tell their format; say it, as in " +
                                                                 "--set input=e4m3fn");
      doubles = doubles || *format == assay::element_format<double>();
      tensors.emplace_back(array.data, *format, array.shape, array.strides);
      tensors.back().before = array.before;
    }
    assay::CheckOutputsOptions options;
    options.tolerance = given.tolerance;
    options.rounding = given.rounding;
    if (given.arithmetic)
      options.arithmetic = *given.arithmetic;
    else if (doubles)
      options.arithmetic = assay::arithmetic_in<double>();
    if (given.diagnosis) options.diagnosis = {&assay::diagnose, 1, false};
    return assay::Result<assay::Outcome>(assay::check_outputs<Op>(problem, tensors, options));
  }
}

template <class Op>
std::optional<std::string> describe_as(const std::string& operation) {
  if constexpr (!assay::NamesItsFields<typename Op::Problem>) {
    return std::nullopt;
  } else {
    typename Op::Problem problem{};
    if (!name_operation<Op>(operation, problem)) return std::nullopt;
    nlohmann::ordered_json json{{"name", operation}, {"members", nlohmann::ordered_json::object()}};
    for (const assay::RecordedField& field : assay::recorded_fields(problem)) {
      json["members"][field.name] = field.value;
      if (const auto values = values_of(problem, field.name); !values.empty()) json["choices"][field.name] = values;
    }
    json["operands"] = nlohmann::ordered_json::array();
    for (const assay::OperandSpec& spec : all_specs<Op>(problem)) {
      const bool input = spec.role == assay::OperandRole::input, output = spec.role == assay::OperandRole::output;
      json["operands"].push_back({{"name", spec.name},
                                  {"role", input    ? "input"
                                           : output ? "output"
                                                    : "updated"},
                                  {"present", spec.present}});
    }
    return json.dump();
  }
}

/// What the first family that knows the operation answers.
template <class Answer, class... Ops, class Ask>
std::optional<Answer> ask_all(assay::Operations<Ops...>, const Ask& ask) {
  std::optional<Answer> found;
  static_cast<void>(((found = ask.template operator()<Ops>(), found.has_value()) || ...));
  return found;
}

/// The operation of the list: a plain product is a fused one without anything fused, since `Gemm` has formats for types.
std::string listed_name(const std::string& operation) {
  return operation == "gemm" ? "fused_gemm" : operation;
}

assay::Error unknown(const std::string& operation) {
  return {assay::ErrorKind::not_found, assay::unknown_name("operation", operation, checked_operations())};
}

}  // namespace

std::vector<std::string> checked_operations() {
  std::vector<std::string> known{"gemm"};
  for (const auto& [operation, family] : families_by_operation())
    if (family != "gemm" && family != "quantize") known.push_back(operation);
  return known;
}

assay::Result<assay::Outcome> check_arrays(const GivenCheck& given) {
  GivenCheck listed = given;
  listed.operation = listed_name(given.operation);
  auto checked =
      ask_all<assay::Result<assay::Outcome>>(assay::AllOperations(), [&]<class Op>() { return check_as<Op>(listed); });
  if (!checked) return assay::failure(assay::ErrorKind::not_found, unknown(given.operation).message);
  return std::move(*checked);
}

assay::Result<std::string> describe_operation(const std::string& operation) {
  auto described =
      ask_all<std::string>(assay::AllOperations(), [&]<class Op>() { return describe_as<Op>(listed_name(operation)); });
  if (!described) return assay::failure(assay::ErrorKind::not_found, unknown(operation).message);
  return std::move(*described);
}

}  // namespace assay_program
