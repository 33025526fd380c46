#pragma once

#include <string>
#include <vector>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

/// What to say of a name that is none of hundreds, which are no answer: the nearest, and where all are told.
[[nodiscard]] inline std::string unknown_among_many(const std::string& kind, const std::string& asked,
                                                    const std::vector<std::string>& known,
                                                    const std::string& all_told) {
  std::string nearest;
  for (const std::string& name : assay::nearest_names(asked, known))
    nearest += (nearest.empty() ? "; nearest: " : ", ") + name;
  return "unknown " + kind + " '" + asked + "'" + nearest + "; " + all_told;
}

}  // namespace assay_program
