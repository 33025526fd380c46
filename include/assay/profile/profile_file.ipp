#pragma once

#include "assay/profile/profile_file.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

template <class T>
[[nodiscard]] ProfileJson json_of_finding(const T& value) {
  if constexpr (std::is_enum_v<T>)
    return std::string(enum_name(value));
  else
    return value;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ProfileJson json_of_finding(const FloatLayout& layout) {
  return {{"name", finding_text(layout)},
          {"exponent_bits", layout.exponent_bits},
          {"fraction_bits", layout.fraction_bits},
          {"bias", layout.bias}};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ProfileJson json_of_finding(const SummationShape& shape) {
  return {{"text", text_of(shape)},
          {"block", shape.block},
          {"halved_rest", shape.halved_rest},
          {"parts", shape.parts},
          {"lanes", shape.lanes},
          {"lane_order", enum_name(shape.lane_order)},
          {"chain", enum_name(shape.chain)},
          {"base", shape.base},
          {"fused", shape.fused},
          {"carried", shape.carried}};
}

/// Readers throw what the JSON library throws, or a message.
template <class T>
void read_finding(const ProfileJson& json, T& value) {
  if constexpr (std::is_enum_v<T>) {
    const auto known = enum_named<T>(json.get<std::string>());
    if (!known) throw "'" + json.get<std::string>() + "' is no finding of its kind";
    value = *known;
  } else {
    json.get_to(value);
  }
}

ASSAY_DETAIL_HEADER_INLINE void read_finding(const ProfileJson& json, FloatLayout& layout) {
  layout = {json.at("exponent_bits").get<int>(), json.at("fraction_bits").get<int>(), json.at("bias").get<int>()};
  if (layout.exponent_bits < 1 || layout.exponent_bits > 11 || layout.fraction_bits < 0 || layout.fraction_bits > 52)
    throw std::string("an accumulator of " + std::to_string(layout.exponent_bits) + " exponent and " +
                      std::to_string(layout.fraction_bits) + " fraction bits is beyond binary64");
}

ASSAY_DETAIL_HEADER_INLINE void read_finding(const ProfileJson& json, SummationShape& shape) {
  json.at("block").get_to(shape.block);
  json.at("halved_rest").get_to(shape.halved_rest);
  json.at("parts").get_to(shape.parts);
  json.at("lanes").get_to(shape.lanes);
  json.at("base").get_to(shape.base);
  json.at("fused").get_to(shape.fused);
  json.at("carried").get_to(shape.carried);
  read_finding(json.at("lane_order"), shape.lane_order);
  read_finding(json.at("chain"), shape.chain);
  if (shape.block < 0 || shape.parts < 0 || shape.lanes < 1 || shape.base < 1 || shape.fused < 1)
    throw std::string("the order has a negative count, or none where at least one is needed");
}

/// Misplaced operands would lead out of the tree.
ASSAY_DETAIL_HEADER_INLINE void check_tree(const SummationTree& tree) {
  for (std::size_t i = 0; i < tree.additions.size(); ++i)
    for (const Index operand : tree.additions[i])
      if (operand < 0 || operand >= tree.terms + static_cast<Index>(i))
        throw "addition " + std::to_string(i) + " of the tree has operand " + std::to_string(operand) +
            ", which does not come before it";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE NumericProfile profile_of_json(const ProfileJson& json) {
  if (json.at("schema") != profile_schema)
    throw "the schema is " + json.at("schema").dump() + "; this version reads \"" + profile_schema + "\"";
  NumericProfile profile;
  json.at("unit").get_to(profile.unit);
  json.at("version").get_to(profile.version);
  json.at("a").get_to(profile.a);
  json.at("b").get_to(profile.b);
  json.at("c").get_to(profile.c);
  const ProfileJson& findings = json.at("findings");
  for_each_finding(profile, [&](const char* name, auto& finding) {
    if (!findings.contains(name)) return;
    const ProfileJson& own = findings.at(name);
    own.at("note").get_to(finding.note);
    if (!own.contains("value")) return;
    typename std::remove_cvref_t<decltype(finding.value)>::value_type value{};
    read_finding(own.at("value"), value);
    finding.value = std::move(value);
  });
  json.at("tree").at("terms").get_to(profile.tree.terms);
  json.at("tree").at("additions").get_to(profile.tree.additions);
  check_tree(profile.tree);
  for (const ProfileJson& seen : json.at("orders_seen"))
    profile.orders_seen.push_back({seen.at("terms").get<Index>(), seen.at("order").get<std::string>()});
  for (const ProfileJson& launch : json.at("launches")) {
    profile.launches.push_back(
        {launch.at("launch").get<std::string>(), std::nullopt, launch.at("note").get<std::string>()});
    if (launch.contains("differing")) profile.launches.back().differing = launch.at("differing").get<double>();
  }
  return profile;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string profile_text(const NumericProfile& profile) {
  using detail::ProfileJson;
  ProfileJson json{{"schema", profile_schema}, {"unit", profile.unit}, {"version", profile.version},
                   {"a", profile.a},           {"b", profile.b},       {"c", profile.c}};
  for_each_finding(profile, [&](const char* name, const auto& finding) {
    ProfileJson& own = json["findings"][name] = ProfileJson::object();
    if (finding) own["value"] = detail::json_of_finding(*finding);
    own["note"] = finding.note;
  });
  json["orders_seen"] = ProfileJson::array();
  for (const OrderSeen& seen : profile.orders_seen)
    json["orders_seen"].push_back({{"terms", seen.terms}, {"order", seen.order}});
  json["launches"] = ProfileJson::array();
  for (const LaunchComparison& launch : profile.launches) {
    json["launches"].push_back({{"launch", launch.launch}, {"note", launch.note}});
    if (launch.differing) json["launches"].back()["differing"] = *launch.differing;
  }
  json["tree"] = {{"terms", profile.tree.terms}, {"additions", profile.tree.additions}};
  return json.dump(1, ' ', false, ProfileJson::error_handler_t::replace) + "\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<NumericProfile> read_profile_text(std::string_view text) {
  try {
    return detail::profile_of_json(detail::ProfileJson::parse(text));
  } catch (const nlohmann::json::exception& error) {
    return failure(ErrorKind::malformed, error.what());
  } catch (const std::string& wrong) {
    return failure(ErrorKind::malformed, wrong);
  }
}

}  // namespace assay::inline v0
