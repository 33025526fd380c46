#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay_program {

/// One line of a settings file: `key = value` under a `[section]`.
struct Setting {
  std::string section;
  std::string key;
  std::vector<std::string> values;  ///< as text; one, unless `list`
  bool list = false;
  std::size_t line = 0;
};

/// Reads the part of TOML that settings are made of: [section], key = value with texts in "" or '', numbers, true and
/// false, lists of these in [], comments. `name` stands in messages: `malformed`, "name:line: what is wrong". Keys
/// outside a section and keys said twice are refused, too.
[[nodiscard]] assay::Result<std::vector<Setting>> read_settings(std::string_view text, const std::string& name);

}  // namespace assay_program
