#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/fleet/chips/chip.hpp"

namespace assay::inline v0 {

/// Reads chips from CSV in the columns of `chips.csv`; `chip`, `confidence` and `source` must be there, the others may
/// be left out, and cells may be empty: nothing is said then. `origin` names the file in messages and in the chips.
/// Errors: `malformed`, `not_found` (a column nobody knows, with the nearest), `invalid` (a negative figure, a name
/// twice), with the line.
[[nodiscard]] Result<std::vector<Chip>> parse_chips(std::string_view csv, const std::string& origin = {});

/// Chips by name.
class ChipCatalog {
 public:
  /// Those that Assay knows (`chips_csv`).
  [[nodiscard]] static ChipCatalog known();

  /// All, in the order of the files.
  [[nodiscard]] const std::vector<Chip>& chips() const& noexcept { return chips_; }
  /// By value, so that what a loop over `ChipCatalog::known().chips()` goes through lives as long as the loop.
  [[nodiscard]] std::vector<Chip> chips() && { return std::move(chips_); }

  /// Adds chips from a file; one of the same name replaces what was there. Errors: as `parse_chips`, `io`, `not_found`.
  [[nodiscard]] Result<void> add(const std::filesystem::path& file);

  /// A chip by its name, whatever its case and punctuation ("h100-sxm"), or by the beginning of its name if only one
  /// begins so. Errors: `not_found` with the nearest names, `invalid` with those that begin so. O(chips).
  [[nodiscard]] Result<Chip> find(std::string_view name) const;

 private:
  std::vector<Chip> chips_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/chips/chip_catalog.ipp"
#endif
