#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/result.hpp"
#include "assay/release/certification.hpp"
#include "assay/release/combination_id.hpp"
#include "assay/release/detail/commented_json.hpp"
#include "assay/report/json.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/write_file.hpp"

/// Where the results of a matrix lie: a folder a combination, with `combination.json`, which says which it is, and runs
/// in the form assay-run/1 beside it, each a file *.json. A folder without a run is work to be done.
namespace assay::inline v0 {

inline constexpr const char* combination_schema = "assay-combination/1";  ///< name and version of the form
inline constexpr const char* combination_file = "combination.json";  ///< which says what combination a folder is of

/// The folder of a combination, and what is in it.
struct CombinationFolder {
  std::filesystem::path path;  ///< of the folder
  NamedCombination combination;
  std::string by;                           ///< who answers for the results
  std::vector<std::filesystem::path> runs;  ///< sorted

  /// Whether any run is there.
  [[nodiscard]] bool done() const noexcept { return !runs.empty(); }
};

/// The text of `combination.json`.
[[nodiscard]] inline std::string combination_file_text(const NamedCombination& combination,
                                                       const std::string& by = {}) {
  nlohmann::ordered_json json{{"schema", combination_schema}, {"combination", combination}};
  if (!by.empty()) json["by"] = by;
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// Reads it. Errors: `malformed`.
[[nodiscard]] Result<CombinationFolder> parse_combination_file(std::string_view text);

/// All combinations below a folder, in the order of their paths. Errors: `not_found`, `io`, `malformed`; the message
/// names the file.
[[nodiscard]] Result<std::vector<CombinationFolder>> read_results_folder(const std::filesystem::path& root);

/// What every run below some folders says. Runs with the same bytes, as copies of one file have, count once. Errors:
/// see `read_results_folder` and `read_json`; a run that cannot be read is an error, never left out.
[[nodiscard]] Result<std::vector<Certification>> read_certifications(const std::vector<std::filesystem::path>& roots);

/// A run, and the file that it came from.
struct SavedRun {
  std::filesystem::path path;  ///< the file
  Run run;
};

/// The runs of files, and of folders all that lie below (*.json; *.xml and *.jsonl of other tools, see `read_evidence`,
/// unless a report of that name in Assay's own form is beside them), in the order given, below a folder in that of their
/// paths. A file that is named more than once, by itself or by its folder, is read once: a run is evidence once. What
/// lies beside a `combination.json`, or one folder below it, has its axes as labels. Errors: see `read_json`; a run
/// that cannot be read is an error, never left out; `not_found` for a folder below which there is no run, where others
/// have some; `invalid` for a link to a folder that lies elsewhere, as links are not followed.
[[nodiscard]] Result<std::vector<SavedRun>> read_runs(const std::vector<std::filesystem::path>& places);

/// The combinations below the folders among some places that have no run, beside their `combination.json` or below it:
/// what was to be done and was not. Each once, as its axes and its folder. Errors: see `read_results_folder`.
[[nodiscard]] Result<std::vector<std::string>> combinations_without_run(
    const std::vector<std::filesystem::path>& places);

/// Makes the folder of a combination, ready for a run, unless it is there. True if it was made. Errors: `io`.
[[nodiscard]] Result<bool> prepare_combination_folder(const std::filesystem::path& root,
                                                      const NamedCombination& combination, const std::string& by = {});

/// What a merge did.
struct MergedResults {
  std::size_t copied = 0;   ///< files
  std::size_t present = 0;  ///< the same bytes were there already
};

/// Copies the runs below some folders into one tree, a folder a combination; runs of one name that differ get names of
/// their own, so that nothing is overwritten, and merging again changes nothing. Errors: `io`, `malformed`, `invalid`,
/// see `read_results_folder`.
[[nodiscard]] Result<MergedResults> merge_results(const std::vector<std::filesystem::path>& roots,
                                                  const std::filesystem::path& out);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/results_folder.ipp"
#endif
