#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/release/detail/commented_json.hpp"
#include "assay/release/gate_policy.hpp"

/// Policies as JSON, with comments; README.md beside this header explains the form.
namespace assay::inline v0 {

inline constexpr const char* policy_schema = "assay-policy/1";  ///< name and version of the form

namespace detail {

using PolicyReader = FormReader<nlohmann::json>;

[[nodiscard]] GatePolicy read_policy_form(PolicyReader& reader, const nlohmann::json& json);

}  // namespace detail

/// Reads a policy, or a part of one, such as waivers that are kept in a file of their own; whether it can be meant says
/// `check`. Errors: `malformed`, with the place (a JSON pointer); members that are not known are refused with the
/// nearest name.
[[nodiscard]] inline Result<GatePolicy> parse_policy(std::string_view text) {
  return detail::read_form(text, std::string("policy in the form ") + policy_schema, detail::read_policy_form);
}

/// The same from a file. Errors: also `not_found` and `io`; the message names the file.
[[nodiscard]] inline Result<GatePolicy> read_policy(const std::filesystem::path& path) {
  return detail::read_form_file(path, parse_policy);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/policy_file.ipp"
#endif
