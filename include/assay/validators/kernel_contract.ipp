#pragma once

#include "assay/validators/kernel_contract.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<KernelContract> read_contract(std::string_view text) {
  KernelContract contract;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t equal = part.find('=');
    if (equal == std::string_view::npos || equal == 0 || equal + 1 == part.size())
      return failure(
          ErrorKind::malformed,
          "'" + std::string(part) + "' is no part of a contract; give field=value, with commas between them");
    RecordedField field{std::string(part.substr(0, equal)), std::string(part.substr(equal + 1))};
    if (std::any_of(contract.begin(), contract.end(),
                    [&](const RecordedField& other) { return other.name == field.name; }))
      return failure(ErrorKind::malformed, "the contract names " + field.name + " twice; give it one value");
    contract.push_back(std::move(field));
  }
  return Result<KernelContract>(std::move(contract));
}

ASSAY_DETAIL_HEADER_INLINE std::string contract_text(const KernelContract& contract) {
  std::string text;
  for (const RecordedField& field : contract) text += (text.empty() ? "" : ",") + field.name + "=" + field.value;
  return text;
}

}  // namespace assay::inline v0
