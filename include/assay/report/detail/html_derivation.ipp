#pragma once

#include "assay/report/detail/html_derivation.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string derivation_markup(const std::vector<std::string>& derivation) {
  std::string markup = "<ol class=\"derivation\">";
  for (const std::string& line : derivation) {
    markup += "<li>";
    for (const DerivationStep& step : derivation_steps(line)) {
      if (step.name.empty())
        markup += "<span class=\"whole\">" + escaped_markup(step.text) + "</span>";
      else
        markup += "<span class=\"name\">" + escaped_markup(step.name) + "</span><span>" + escaped_markup(step.text) +
                  "</span>";
    }
    markup += "</li>";
  }
  return markup + "</ol>";
}

}  // namespace assay::inline v0::detail
