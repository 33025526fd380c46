#include "matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "assay/core/nearest_name.hpp"
#include "assay/release/compatibility_json.hpp"
#include "assay/release/compatibility_text.hpp"
#include "assay/release/expand_matrix.hpp"
#include "assay/release/matrix_file.hpp"
#include "assay/release/pairwise.hpp"
#include "assay/release/results_folder.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "fault.hpp"

namespace assay_program {

namespace {

using Paths = std::vector<std::filesystem::path>;

/// What a matrix promises, and what is to be told of it.
struct Promise {
  assay::VersionMatrix matrix;
  assay::CombinationList combinations{0};
  std::vector<std::string> notes;
};

assay::Result<Promise> promise_of(const MatrixOptions& options) {
  auto matrix = assay::read_matrix(options.matrix);
  if (!matrix) return matrix.propagate();
  Promise promise;
  promise.matrix = std::move(matrix).value();
  const assay::VersionMatrix& read = promise.matrix;
  promise.notes = assay::rule_remarks(read);
  if (options.pairs || options.action == "pairwise") {
    auto pairs = assay::pairwise(read);
    if (!pairs) return pairs.propagate();
    for (const assay::MatrixPair& pair : pairs.value().impossible)
      promise.notes.push_back("impossible by the rules: " + read.axes[pair.axis].name + "=" +
                              read.axes[pair.axis].values[pair.value] + " with " + read.axes[pair.other_axis].name +
                              "=" + read.axes[pair.other_axis].values[pair.other_value]);
    promise.notes.push_back(std::to_string(pairs.value().combinations.size()) + " combinations hold all " +
                            std::to_string(pairs.value().pairs) + " pairs; fewer than " +
                            std::to_string(pairs.value().lower_bound) + " cannot");
    promise.combinations = std::move(pairs.value().combinations);
  } else {
    auto expansion = assay::expand(read);
    if (!expansion) return expansion.propagate();
    for (std::size_t rule = 0; rule < read.rules.size(); ++rule)
      if (expansion.value().cut_by_rule[rule] == 0)
        promise.notes.push_back("the rule '" + read.rules[rule].name + "' excludes nothing here that others do not");
    promise.notes.push_back(std::to_string(expansion.value().combinations.size()) + " of " +
                            assay::number_text(expansion.value().product) + " combinations are allowed");
    if (expansion.value().combinations.size() == 0) promise.notes.push_back("the rules together remove everything");
    promise.combinations = std::move(expansion.value().combinations);
  }
  return promise;
}

/// Calls `visit` for what belongs to the shard; stops at the first failure.
template <class Visit>
assay::Result<std::size_t> each_in_shard(const Promise& promise, const MatrixOptions& options, Visit visit) {
  const auto shard = assay::parse_shard(options.shard);
  if (!shard) return shard.propagate();
  std::size_t number = 0;
  for (std::size_t i = 0; i < promise.combinations.size(); ++i) {
    const assay::NamedCombination combination = assay::named_combination(promise.matrix, promise.combinations[i]);
    if (!assay::in_shard(combination, shard.value())) continue;
    ++number;
    const assay::Result<void> visited = visit(combination, promise.combinations[i]);
    if (!visited) return visited.propagate();
  }
  return number;
}

void tell(const Promise& promise) {
  for (const std::string& note : promise.notes) std::fprintf(stderr, "assay: %s\n", assay::visible(note).c_str());
}

int list_combinations(const MatrixOptions& options, const Promise& promise) {
  const auto listed = each_in_shard(
      promise, options,
      [&](const assay::NamedCombination& named, std::span<const std::uint16_t> positions) -> assay::Result<void> {
        const std::string text =
            options.json ? nlohmann::json(named).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                         : assay::visible(assay::combination_text(promise.matrix, positions));
        std::printf("%s\n", text.c_str());
        return {};
      });
  if (!listed) return fault(listed.error().message);
  tell(promise);
  return promise.combinations.empty() ? 2 : 0;
}

/// The combinations below some folders that have a run.
assay::Result<std::set<assay::NamedCombination>> done_in(const Paths& folders) {
  std::set<assay::NamedCombination> done;
  for (const auto& root : folders) {
    const auto found = assay::read_results_folder(root);
    if (!found) return found.propagate();
    for (const assay::CombinationFolder& folder : found.value())
      if (folder.done()) done.insert(folder.combination);
  }
  return done;
}

/// Makes the folders that are missing, and prints those that have no run yet: what is done is not done again.
int make_shard(const MatrixOptions& options, const Promise& promise) {
  if (options.output_folder.empty())
    return fault("shard makes a folder a combination, and --out is missing; give --out DIR");
  std::error_code code;
  std::filesystem::create_directories(options.output_folder, code);
  Paths known(options.results.begin(), options.results.end());
  known.emplace_back(options.output_folder);
  const auto done = done_in(known);
  if (!done) return fault(done.error().message);
  std::size_t left = 0;
  const auto made =
      each_in_shard(promise, options, [&](const assay::NamedCombination& combination, auto) -> assay::Result<void> {
        if (done.value().count(combination) > 0) return {};
        const auto prepared = assay::prepare_combination_folder(options.output_folder, combination, options.by);
        if (!prepared) return prepared.propagate();
        ++left;
        std::printf(
            "%s\t%s\n",
            (std::filesystem::path(options.output_folder) / assay::combination_id(combination)).string().c_str(),
            assay::visible(assay::combination_text(combination)).c_str());
        return {};
      });
  if (!made) return fault(made.error().message);
  tell(promise);
  std::fprintf(stderr, "assay: shard %s: %zu combinations, %zu done, %zu to do\n", options.shard.c_str(), made.value(),
               made.value() - left, left);
  return promise.combinations.empty() ? 2 : 0;
}

int tell_status(const MatrixOptions& options, const Promise& promise) {
  const auto done = done_in({options.results.begin(), options.results.end()});
  if (!done) return fault(done.error().message);
  std::size_t left = 0;
  const auto told =
      each_in_shard(promise, options, [&](const assay::NamedCombination& combination, auto) -> assay::Result<void> {
        if (done.value().count(combination) > 0) return {};
        ++left;
        std::printf("%s\t%s\n", assay::combination_id(combination).c_str(),
                    assay::visible(assay::combination_text(combination)).c_str());
        return {};
      });
  if (!told) return fault(told.error().message);
  std::printf("%zu of %zu combinations have results, %zu to do\n", told.value() - left, told.value(), left);
  return left > 0 || told.value() == 0 ? 2 : 0;
}

/// Nothing where it cannot be told, which is said.
std::optional<int> tell_report(const MatrixOptions& options, const Promise& promise, const Paths& folders) {
  const auto refused = [](const std::string& message) -> std::optional<int> {
    static_cast<void>(fault(message));
    return std::nullopt;
  };
  auto certifications = assay::read_certifications(folders);
  if (!certifications) return refused(certifications.error().message);
  const assay::CompatibilityReport report =
      assay::compatibility_report(promise.matrix, promise.combinations, std::move(certifications).value());
  std::optional<assay::CompatibilityGrid> grid;
  if (report.axes.size() > 1 || !options.rows.empty() || !options.columns.empty()) {
    const std::string rows = options.rows.empty() ? report.axes[0].name : options.rows;
    auto columns = options.columns;
    for (const assay::MatrixAxis& axis : report.axes)
      if (columns.empty() && axis.name != rows) columns = axis.name;
    auto counted = assay::compatibility_grid(report, rows, columns);
    if (!counted) return refused(counted.error().message);
    grid = std::move(counted).value();
  }
  const assay::CompatibilityGrid* shown = grid ? &*grid : nullptr;
  for (const std::string& line : assay::compatibility_lines(report, shown)) std::printf("%s\n", line.c_str());
  if (!options.output_folder.empty() && options.action == "report") {
    const std::filesystem::path folder(options.output_folder);
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (const auto written = assay::write_compatibility_json(report, folder / "compatibility.json"); !written)
      return refused(written.error().message);
    if (const auto written =
            assay::write_file(folder / "compatibility.md", assay::compatibility_markdown(report, shown));
        !written)
      return refused(written.error().message);
    for (const char* file : {"compatibility.json", "compatibility.md"})
      std::printf("report: %s\n", (folder / file).string().c_str());
  }
  return report.exit_code();
}

int merge(const MatrixOptions& options, const Promise& promise) {
  if (options.output_folder.empty())
    return fault("merge gathers results in one folder, and --out is missing; give --out DIR");
  const auto merged = assay::merge_results({options.results.begin(), options.results.end()}, options.output_folder);
  if (!merged) return fault(merged.error().message);
  std::printf("%zu runs copied, %zu were there already\n", merged.value().copied, merged.value().present);
  const std::optional<int> code = tell_report(options, promise, {options.output_folder});
  return code == 2 ? 0 : code.value_or(2);  // holes are no fault of a merge
}

}  // namespace

int matrix(const MatrixOptions& options) {
  static const std::map<std::string, bool> needs_results{{"expand", false}, {"pairwise", false}, {"shard", false},
                                                         {"status", true},  {"merge", true},     {"report", true}};
  const auto action = needs_results.find(options.action);
  if (action == needs_results.end()) {
    std::vector<std::string> known;
    for (const auto& [name, needs] : needs_results) known.push_back(name);
    return fault(assay::unknown_name("action", options.action, known));
  }
  if (action->second && options.results.empty())
    return fault(options.action + " reads results, and no folder is named; give one that assay matrix shard made");
  const auto promise = promise_of(options);
  if (!promise) return fault(promise.error().message);
  if (options.action == "shard") return make_shard(options, promise.value());
  if (options.action == "status") return tell_status(options, promise.value());
  if (options.action == "merge") return merge(options, promise.value());
  if (options.action == "report")
    return tell_report(options, promise.value(), {options.results.begin(), options.results.end()}).value_or(2);
  return list_combinations(options, promise.value());
}

}  // namespace assay_program
