#pragma once

#include "assay/validators/suite_coverage.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_prime(Index number) noexcept {
  if (number < 2) return false;
  for (Index divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return true;
}

/// Other integers than lengths: how far windows go is another question.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_length_name(const std::string& name) {
  for (const char* other : {"padding", "stride", "dilation", "window", "start", "step", "page", "uncounted", "kernel"})
    if (name.find(other) != std::string::npos) return false;
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool is_switch(const std::string& name) {
  return is_length_name(name) && name.find('[') == std::string::npos;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE const std::vector<LengthClass>& length_classes() {
  static const std::vector<LengthClass> classes = [] {
    const auto is = [](Index length, Index parameter) { return length == parameter; };
    std::vector<LengthClass> made;
    for (const Index length : {Index{0}, Index{1}, Index{2}})
      made.push_back({std::to_string(length), is, length, {length}});
    made.push_back({"odd", [](Index length, Index) { return length > 2 && length % 2 == 1; }, 0, {3, 5, 9, 15}});
    made.push_back(
        {"prime", [](Index length, Index) { return length > 8 && detail::is_prime(length); }, 0, {11, 13, 17, 31}});
    for (const Index tile : {8, 16, 32, 64, 128, 256, 1024})
      for (const Index length : {tile - 1, tile, tile + 1})
        made.push_back({std::to_string(length), is, length, {length}});
    made.push_back({"2 tiles of 128 and a rest",
                    [](Index length, Index) { return length > 256 && length % 128 != 0; },
                    0,
                    {257, 260, 264, 288, 320},
                    true});
    made.push_back({"half a tile of 128 at the end",
                    [](Index length, Index) { return length > 128 && length % 128 == 64; },
                    0,
                    {192, 320},
                    true});
    return made;
  }();
  return classes;
}

ASSAY_DETAIL_HEADER_INLINE bool SuiteCoverage::complete() const {
  return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) {
    return (!cell.problem.empty() || !cell.possible) && cell.reached == cell.ways;
  });
}

ASSAY_DETAIL_HEADER_INLINE Table coverage_summary(const SuiteCoverage& coverage) {
  Table table{"", {"length", "classes reached", "missed", "cannot be", "in every way"}, {}};
  std::vector<std::string> lengths;
  for (const SuiteCoverage::Cell& cell : coverage.cells)
    if (lengths.empty() || lengths.back() != cell.length) lengths.push_back(cell.length);
  for (const std::string& length : lengths) {
    std::size_t reached = 0, ways = 0, of_ways = 0;
    std::string missed, impossible;
    for (const SuiteCoverage::Cell& cell : coverage.cells) {
      if (cell.length != length) continue;
      ways += cell.ways;
      of_ways += cell.reached;
      if (!cell.problem.empty())
        ++reached;
      else
        (cell.possible ? missed : impossible) +=
            (cell.possible ? missed : impossible).empty() ? cell.length_class : ", " + cell.length_class;
    }
    table.rows.push_back({length, std::to_string(reached), missed.empty() ? "-" : missed,
                          impossible.empty() ? "-" : impossible,
                          std::to_string(of_ways) + " of " + std::to_string(ways)});
  }
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table coverage_table(const SuiteCoverage& coverage) {
  Table table{"", {"class"}, {}};
  std::map<std::string, std::size_t> columns;
  for (const SuiteCoverage::Cell& cell : coverage.cells)
    if (columns.emplace(cell.length, table.columns.size()).second) table.columns.push_back(cell.length);
  for (const LengthClass& row : length_classes()) {
    std::vector<std::string> cells(table.columns.size(), "-");
    cells[0] = row.name;
    for (const SuiteCoverage::Cell& cell : coverage.cells)
      if (cell.length_class == row.name)
        cells[columns.at(cell.length)] = !cell.problem.empty() ? cell.problem : cell.possible ? "missed" : "-";
    table.rows.push_back(std::move(cells));
  }
  return table;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE CoveragePlan::CoveragePlan(std::vector<LengthsOfProblem> problems, SizesOf sizes)
    : problems_(std::move(problems)), sizes_(std::move(sizes)) {
  find_lengths();
  std::set<std::size_t> all;
  for (const std::set<std::size_t>& lengths : lengths_) all.insert(lengths.begin(), lengths.end());
  for (const std::size_t length : all)
    for (const LengthClass& wanted : length_classes()) {
      SuiteCoverage::Cell cell{problems_.front().names[length], wanted.name, {}};
      cover(length, wanted, cell);
      if (wanted.of_every_way) cover_ways(length, wanted, cell);
      coverage_.cells.push_back(std::move(cell));
    }
}

/// Whether operands grow with a length, by itself or doubled where only multiples can be.
ASSAY_DETAIL_HEADER_INLINE bool CoveragePlan::decides(std::size_t problem, std::size_t length) const {
  const Index value = problems_[problem].lengths[length];
  const auto now = sizes_(problem, {});
  if (!now) return false;
  for (const Index other : {value + 1, 2 * value, value - 1, value / 2}) {
    if (other == value || other < 0) continue;
    if (const auto then = sizes_(problem, {{length, other}}))
      return other > value ? then->all > now->all : then->all < now->all;
  }
  return changed_length(problem, length, 2 * value).has_value();
}

ASSAY_DETAIL_HEADER_INLINE void CoveragePlan::find_lengths() {
  constexpr int most_asked = 4;  // problems of one way differ in nothing but their lengths
  std::map<std::string, std::set<std::size_t>> of_ways;
  std::map<std::string, int> asked;
  for (std::size_t at = 0; at < problems_.size(); ++at) {
    if (++asked[problems_[at].way] > most_asked) continue;
    std::set<std::size_t>& deciding = of_ways[problems_[at].way];
    for (std::size_t length = 0; length < problems_[at].lengths.size(); ++length)
      if (deciding.count(length) == 0 && is_length_name(problems_[at].names[length]) && decides(at, length))
        deciding.insert(length);
  }
  for (const LengthsOfProblem& problem : problems_) lengths_.push_back(of_ways[problem.way]);
  // small problems make small ones, but of those with hardly any element one length alone says nothing
  std::vector<Index> elements;
  for (std::size_t at = 0; at < problems_.size(); ++at) {
    const auto sizes = sizes_(at, {});
    empty_.push_back(!sizes || sizes->least == 0);
    elements.push_back(!sizes ? most_elements * 4 : sizes->all + (sizes->least < 8 ? most_elements * 2 : 0));
    by_size_.push_back(at);
  }
  std::sort(by_size_.begin(), by_size_.end(), [&](std::size_t a, std::size_t b) {
    return elements[a] != elements[b] ? elements[a] < elements[b] : a < b;
  });
}

/// A length changed by itself or, where that cannot be, with all that are equal to it; and how large operands then are.
ASSAY_DETAIL_HEADER_INLINE std::optional<std::pair<LengthChanges, OperandSizes>> CoveragePlan::changed_length(
    std::size_t problem, std::size_t length, Index value) const {
  if (value > 0 && problems_[problem].lengths[length] <= 0 && is_switch(problems_[problem].names[length]))
    return std::nullopt;  // that is another way
  LengthChanges alone{{length, value}};
  if (const auto sizes = sizes_(problem, alone)) return std::pair(std::move(alone), *sizes);
  const std::vector<Index>& lengths = problems_[problem].lengths;
  LengthChanges together;
  for (std::size_t other = 0; other < lengths.size(); ++other)
    if (lengths[other] == lengths[length]) together.emplace_back(other, value);
  if (together.size() < 2) return std::nullopt;
  const auto sizes = sizes_(problem, together);
  return sizes ? std::optional(std::pair(std::move(together), *sizes)) : std::nullopt;
}

/// About how much work a problem is: the product of the lengths that decide.
ASSAY_DETAIL_HEADER_INLINE double work_of(const std::vector<Index>& lengths, const std::set<std::size_t>& deciding,
                                          const LengthChanges& changes) {
  double work = 1;
  for (const std::size_t length : deciding) {
    Index value = lengths[length];
    for (const auto& [position, changed] : changes)
      if (position == length) value = changed;
    work *= static_cast<double>(std::max<Index>(value, 1));
  }
  return work;
}

/// The least work of those tried: a problem with its length changed, and the others shortened where that can be.
ASSAY_DETAIL_HEADER_INLINE std::optional<CoveringProblem> CoveragePlan::found_for(std::size_t length,
                                                                                  const LengthClass& wanted,
                                                                                  const std::string* way) const {
  constexpr int most_tried = 12;
  std::optional<CoveringProblem> found;
  double least = 0;
  int tried = 0;
  for (const std::size_t at : by_size_) {
    if ((way != nullptr && problems_[at].way != *way) || !has_length(at, length)) continue;
    if (++tried > most_tried && found) break;
    for (const Index example : wanted.examples) {
      auto changed = changed_length(at, length, example);
      if (!changed || changed->second.all > most_elements || (changed->second.least == 0 && !wanted.has(0))) continue;
      auto& [changes, sizes] = *changed;
      for (const std::size_t other : lengths_[at]) {
        if (std::any_of(changes.begin(), changes.end(), [&](const auto& change) { return change.first == other; }))
          continue;
        for (const Index shorter : {3, 4, 8, 16}) {
          if (problems_[at].lengths[other] <= shorter) break;
          changes.emplace_back(other, shorter);
          const auto shrunk = sizes_(at, changes);
          if (shrunk && shrunk->all <= sizes.all && (shrunk->least > 0 || sizes.least == 0)) {
            sizes = *shrunk;
            break;
          }
          changes.pop_back();
        }
      }
      const double work = work_of(problems_[at].lengths, lengths_[at], changes);
      if (found && work >= least) continue;
      least = work;
      found = CoveringProblem{at, std::move(changes)};
      break;
    }
  }
  return found;
}

ASSAY_DETAIL_HEADER_INLINE void CoveragePlan::cover(std::size_t length, const LengthClass& wanted,
                                                    SuiteCoverage::Cell& cell) {
  for (std::size_t at = 0; at < problems_.size() && cell.problem.empty(); ++at)
    if (has_length(at, length) && counts(at, wanted) && wanted.has(problems_[at].lengths[length]))
      cell.problem = problems_[at].name;
  if (!cell.problem.empty() || wanted.of_every_way) return;
  auto found = found_for(length, wanted, nullptr);
  cell.possible = found.has_value();
  if (found) steps_.push_back(std::move(*found));
}

ASSAY_DETAIL_HEADER_INLINE void CoveragePlan::cover_ways(std::size_t length, const LengthClass& wanted,
                                                         SuiteCoverage::Cell& cell) {
  std::map<std::string, bool> ways;  // and whether one of the problems is of the class
  for (std::size_t at = 0; at < problems_.size(); ++at)
    if (has_length(at, length)) {
      bool& reached = ways[problems_[at].way];
      reached = reached || (counts(at, wanted) && wanted.has(problems_[at].lengths[length]));
    }
  for (const auto& [way, reached] : ways) {
    auto found = reached ? std::nullopt : found_for(length, wanted, &way);
    cell.ways += reached || found ? 1 : 0;
    cell.reached += reached ? 1 : 0;
    if (found) steps_.push_back(std::move(*found));
  }
  cell.possible = cell.ways > 0;
}

}  // namespace detail

}  // namespace assay::inline v0
