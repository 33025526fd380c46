#pragma once

#include "assay/profile/function_profile_file.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Visits the members of a profile with their names.
template <class Profile, class Visit>
void for_each_member(Profile& profile, Visit visit) {
  visit("unit", profile.unit);
  visit("function", profile.function);
  visit("input", profile.input);
  visit("output", profile.output);
  visit("tried", profile.tried);
  visit("exhaustive", profile.exhaustive);
  visit("judged", profile.judged);
  visit("worst_ulps", profile.worst_ulps);
  visit("worst_at", profile.worst_at);
  visit("worst_result", profile.worst_result);
  visit("worst_exact", profile.worst_exact);
  visit("correctly_rounded", profile.correctly_rounded);
  visit("subnormal", profile.subnormal);
  visit("flushed", profile.flushed);
  visit("wrong_specials", profile.wrong_specials);
  visit("wrong_special_at", profile.wrong_special_at);
  visit("wrong_special_result", profile.wrong_special_result);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string function_profiles_text(const std::vector<FunctionProfile>& profiles) {
  nlohmann::ordered_json json{{"schema", function_profile_schema}, {"functions", nlohmann::ordered_json::array()}};
  for (const FunctionProfile& profile : profiles) {
    nlohmann::ordered_json& own = json["functions"].emplace_back(nlohmann::ordered_json::object());
    detail::for_each_member(profile, [&]<class Member>(const char* name, const Member& member) {
      if constexpr (std::is_same_v<Member, double>) {
        own[name] = detail::printed_number(member, 17);
      } else {
        own[name] = member;
      }
    });
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<FunctionProfile>> read_function_profiles_text(std::string_view text) {
  try {
    const auto json = nlohmann::ordered_json::parse(text);
    if (json.at("schema") != function_profile_schema)
      return failure(ErrorKind::malformed, "the schema is " + json.at("schema").dump() + "; this version reads \"" +
                                               function_profile_schema + "\"");
    std::vector<FunctionProfile> profiles;
    for (const auto& own : json.at("functions")) {
      profiles.emplace_back();
      std::string wrong;
      detail::for_each_member(profiles.back(), [&]<class Member>(const char* name, Member& member) {
        if constexpr (std::is_same_v<Member, double>) {
          const auto number = own.at(name).template get<std::string>();
          const auto value = detail::read_number(number);
          if (!value) wrong = std::string(name) + " is '" + number + "', which is no number";
          member = value.value_or(0);
        } else {
          own.at(name).get_to(member);
        }
      });
      if (!wrong.empty()) return failure(ErrorKind::malformed, wrong);
    }
    return profiles;
  } catch (const nlohmann::json::exception& error) {
    return failure(ErrorKind::malformed, error.what());
  }
}

}  // namespace assay::inline v0
