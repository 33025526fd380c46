#pragma once

#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// Puts the likeliest diagnoses, three at most, before all other findings of an outcome, and the picture of the first
/// beside its heat maps: it replaces one of the same name.
inline void add_diagnoses(std::vector<Diagnosis> diagnoses, Outcome& outcome) {
  if (diagnoses.size() > 3) diagnoses.resize(3);
  for (std::size_t i = diagnoses.size(); i-- > 0;)
    outcome.diagnosis.insert(outcome.diagnosis.begin(), diagnoses[i].text());
  if (diagnoses.empty()) return;
  outcome.labels["fault_class"] = std::string(name_of(diagnoses.front().fault_class));
  if (!diagnoses.front().picture) return;
  for (HeatMap& map : outcome.heat_maps)
    if (map.title == diagnoses.front().picture->title) {
      map = std::move(*diagnoses.front().picture);
      return;
    }
  outcome.heat_maps.push_back(std::move(*diagnoses.front().picture));
}

}  // namespace assay::inline v0
