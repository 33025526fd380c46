#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/baselines/any_store.hpp"
#include "assay/baselines/baseline.hpp"
#include "assay/baselines/store.hpp"
#include "assay/core/result.hpp"

namespace assay_program {

/// The store that a text names: a folder, "sqlite:FILE" or "postgresql:CONNINFO".
[[nodiscard]] assay::Result<assay::AnyStore> open_baseline_store(const std::string& text, assay::StoreAccess access);

/// A record of a store that was chosen by name.
struct NamedRecord {
  std::string key;  ///< in the store: of a candidate, with its ending
  assay::BaselineRecord record;
};

/// "gemm/…/C": the test and its output.
[[nodiscard]] std::string title_of(const assay::BaselineRecord& record);

/// The records whose key begins with a name (6 characters at least) or whose title matches it; all without names. Those
/// that cannot be read stand in `unreadable`, whatever the names. Error `not_found` for a name that fits none.
[[nodiscard]] assay::Result<std::vector<NamedRecord>> records_named(const assay::Baseline<assay::AnyStore>& baseline,
                                                                    const std::vector<std::string>& names,
                                                                    std::vector<std::string>& unreadable);

/// `assay baseline` for actions on records: approve, list, show, diff, prune, export, import. Prints, and returns the
/// exit code.
struct BaselineCommandOptions;
[[nodiscard]] int manage_baselines(const BaselineCommandOptions& options);

}  // namespace assay_program
