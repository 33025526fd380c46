#pragma once

#include "assay/release/results_folder.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "assay/core/config.hpp"
#include "assay/release/read_evidence.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<CombinationFolder> parse_combination_file(std::string_view text) {
  return detail::read_form(text, std::string("combination in the form ") + combination_schema,
                           [](detail::FormReader<nlohmann::json>& reader, const nlohmann::json& json) {
                             CombinationFolder folder;
                             if (!reader.object(json, {"schema", "combination", "by"}, {"schema", "combination"}))
                               return folder;
                             reader.schema(json, combination_schema);
                             reader.text(json, "by", folder.by);
                             reader.member(json, "combination", [&](const nlohmann::json& entries) {
                               reader.each_member(entries, [&](const std::string& axis, const nlohmann::json& value) {
                                 folder.combination[axis] = reader.text(value);
                               });
                             });
                             return folder;
                           });
}

namespace detail {

/// Whether a file below a folder of results is a run, by its name.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_run_file(const std::filesystem::path& path) {
  return path.extension() == ".json" && path.filename() != combination_file;
}

/// Whether it may be a run in a form of other tools: JUnit's XML, or lines of the Open Compute Project. Assay writes
/// such files itself beside its own, of the same run, which is evidence once.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_foreign_run_file(const std::filesystem::path& path) {
  if (path.extension() != ".xml" && path.extension() != ".jsonl") return false;
  const auto text = read_file(path);
  const std::string_view head = text ? std::string_view(text.value()).substr(0, 4096) : std::string_view();
  const auto has = [&](std::string_view part) { return head.find(part) != head.npos; };
  const bool form = path.extension() == ".xml" ? has("<testsuite") : has("\"schemaVersion\"");
  std::filesystem::path own = path.parent_path() / path.stem();
  if (own.extension() == ".junit" || own.extension() == ".ocp") own.replace_extension();
  std::error_code code;
  return form && !std::filesystem::exists(own += ".json", code);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<CombinationFolder>> read_results_folder(
    const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (!fs::is_directory(root, code))
    return failure(
        ErrorKind::not_found,
        "'" + root.string() + "' is no folder; name one that holds results, as assay matrix shard --out makes it");
  std::vector<CombinationFolder> folders;
  fs::recursive_directory_iterator entry(root, code);
  for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
    if (entry->path().filename() != combination_file) continue;
    auto folder = detail::read_form_file(entry->path(), parse_combination_file);
    if (!folder) return folder.propagate();
    folders.push_back(std::move(folder).value());
    folders.back().path = entry->path().parent_path();
    std::error_code inner;
    for (const auto& file : fs::directory_iterator(folders.back().path, inner))
      if (detail::is_run_file(file.path())) folders.back().runs.push_back(file.path());
    if (inner) return failure(ErrorKind::io, "cannot list '" + folders.back().path.string() + "': " + inner.message());
    std::sort(folders.back().runs.begin(), folders.back().runs.end());
  }
  if (code) return failure(ErrorKind::io, "cannot list '" + root.string() + "': " + code.message());
  std::sort(folders.begin(), folders.end(),
            [](const CombinationFolder& left, const CombinationFolder& right) { return left.path < right.path; });
  return folders;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Certification>> read_certifications(
    const std::vector<std::filesystem::path>& roots) {
  std::vector<Certification> certifications;
  std::set<std::string> known;
  for (const std::filesystem::path& root : roots) {
    const auto folders = read_results_folder(root);
    if (!folders) return folders.propagate();
    for (const CombinationFolder& folder : folders.value())
      for (const std::filesystem::path& path : folder.runs) {
        const auto text = read_file(path);
        if (!text) return text.propagate();
        if (!known.insert(combination_text(folder.combination) + "\n" + text.value()).second) continue;
        const auto run = run_from_json(text.value());
        if (!run) return failure(run.error().kind, "'" + path.string() + "': " + run.error().message);
        certifications.push_back(certify(run.value(), folder.combination, folder.by, path.string()));
      }
  }
  return certifications;
}

namespace detail {

/// Nothing wrong with an entry below a folder unless it leads to another folder that is not read anyway.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_link(const std::filesystem::path& root,
                                                                 const std::filesystem::directory_entry& entry) {
  std::error_code code;
  if (!entry.is_symlink(code) || !entry.is_directory(code)) return {};
  const std::string above = std::filesystem::canonical(root, code).string() + "/",
                    target = std::filesystem::canonical(entry.path(), code).string() + "/";
  if (target.compare(0, above.size(), above) == 0) return {};
  return failure(ErrorKind::invalid, "'" + entry.path().string() + "' is a link to the folder '" + target +
                                         "', which is not followed; name that folder, too, and remove the link");
}

/// Tells every outcome of a run which combination it is of, if `combination.json` stands beside the file or one folder
/// above; labels that an outcome has already stay.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> label_with_combination(SavedRun& saved) {
  std::error_code code;
  const std::filesystem::path folder = std::filesystem::absolute(saved.path, code).parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path()}) {
    if (!std::filesystem::exists(place / combination_file, code)) continue;
    const auto found = read_form_file(place / combination_file, parse_combination_file);
    if (!found) return found.propagate();
    for (Outcome& outcome : saved.run.outcomes)
      outcome.labels.insert(found.value().combination.begin(), found.value().combination.end());
    break;
  }
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<SavedRun>> read_runs(const std::vector<std::filesystem::path>& places) {
  namespace fs = std::filesystem;
  std::vector<SavedRun> runs;
  std::vector<fs::path> empty;
  std::set<fs::path> known;
  for (const fs::path& place : places) {
    std::vector<fs::path> files;
    std::error_code code;
    if (fs::is_directory(place, code)) {
      fs::recursive_directory_iterator entry(place, code);
      for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
        if (const auto followed = detail::check_link(place, *entry); !followed) return followed.propagate();
        if (detail::is_run_file(entry->path()) || detail::is_foreign_run_file(entry->path()))
          files.push_back(entry->path());
      }
      if (code) return failure(ErrorKind::io, "cannot list '" + place.string() + "': " + code.message());
      if (files.empty()) empty.push_back(place);
      std::sort(files.begin(), files.end());
    } else {
      files.push_back(place);
    }
    for (const fs::path& file : files) {
      const fs::path resolved = fs::weakly_canonical(file, code);
      if (!known.insert(code ? file : resolved).second) continue;
      auto run = read_evidence(file);
      if (!run) return run.propagate();
      runs.push_back({file, std::move(run).value()});
      if (const auto labeled = detail::label_with_combination(runs.back()); !labeled) return labeled.propagate();
    }
  }
  if (!empty.empty() && !runs.empty())
    return failure(ErrorKind::not_found, "there is no run (*.json) below '" + empty.front().string() +
                                             "'; did its job die? Name folders that hold results");
  return runs;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> combinations_without_run(
    const std::vector<std::filesystem::path>& places) {
  namespace fs = std::filesystem;
  std::vector<std::string> without;
  std::error_code code;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place, code)) continue;
    const auto folders = read_results_folder(place);
    if (!folders) return folders.propagate();
    for (const CombinationFolder& folder : folders.value()) {
      bool done = folder.done();
      for (fs::recursive_directory_iterator entry(folder.path, code);
           !done && !code && entry != fs::recursive_directory_iterator(); entry.increment(code))
        done = detail::is_run_file(entry->path());
      if (code) return failure(ErrorKind::io, "cannot list '" + folder.path.string() + "': " + code.message());
      const std::string text =
          combination_text(folder.combination) + " ('" + folder.path.lexically_normal().string() + "')";
      if (!done && std::find(without.begin(), without.end(), text) == without.end()) without.push_back(text);
    }
  }
  return without;
}

ASSAY_DETAIL_HEADER_INLINE Result<bool> prepare_combination_folder(const std::filesystem::path& root,
                                                                   const NamedCombination& combination,
                                                                   const std::string& by) {
  namespace fs = std::filesystem;
  const fs::path folder = root / combination_id(combination);
  std::error_code code;
  if (fs::exists(folder / combination_file, code)) {
    const auto there = detail::read_form_file(folder / combination_file, parse_combination_file);
    if (!there) return there.propagate();
    if (there.value().combination != combination)
      return failure(ErrorKind::invalid, "'" + folder.string() + "' holds " +
                                             combination_text(there.value().combination) + ", and " +
                                             combination_text(combination) + " belongs there; use another folder");
    return false;
  }
  fs::create_directories(folder, code);
  if (code) return failure(ErrorKind::io, "cannot make '" + folder.string() + "': " + code.message());
  if (const auto written = write_file(folder / combination_file, combination_file_text(combination, by)); !written)
    return written.propagate();
  return true;
}

ASSAY_DETAIL_HEADER_INLINE Result<MergedResults> merge_results(const std::vector<std::filesystem::path>& roots,
                                                               const std::filesystem::path& out) {
  namespace fs = std::filesystem;
  MergedResults merged;
  for (const fs::path& root : roots) {
    const auto folders = read_results_folder(root);
    if (!folders) return folders.propagate();
    for (const CombinationFolder& folder : folders.value()) {
      if (const auto made = prepare_combination_folder(out, folder.combination, folder.by); !made)
        return made.propagate();
      for (const fs::path& path : folder.runs) {
        const auto text = read_file(path);
        if (!text) return text.propagate();
        bool stored = false;
        for (std::size_t copy = 1; !stored; ++copy) {
          const fs::path target = out / combination_id(folder.combination) /
                                  (path.stem().string() + (copy == 1 ? "" : "-" + std::to_string(copy)) + ".json");
          std::error_code code;
          if (fs::exists(target, code)) {
            const auto there = read_file(target);
            if (!there) return there.propagate();
            stored = there.value() == text.value();
            merged.present += stored ? 1 : 0;
          } else {
            if (const auto written = write_file(target, text.value()); !written) return written.propagate();
            stored = true;
            ++merged.copied;
          }
        }
      }
    }
  }
  return merged;
}

}  // namespace assay::inline v0
