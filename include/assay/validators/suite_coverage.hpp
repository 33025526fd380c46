#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/core/table.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/validators/minimize/problem_fields.hpp"

namespace assay::inline v0 {

/// Lengths that kernels treat apart from others: none at all, odd ones, a tile and one more, a tile that is half full.
struct LengthClass {
  std::string name;                                        ///< as tables have it
  bool (*holds)(Index length, Index parameter) = nullptr;  ///< whether a length is of the class
  Index parameter = 0;                                     ///< of `holds`
  std::vector<Index> examples;  ///< lengths of the class, small ones first; several, since kernels ask for multiples
  bool of_every_way = false;    ///< wanted of every way of an operation (its flags, kinds, formats), not of one

  /// Whether a length is of the class.
  [[nodiscard]] bool has(Index length) const { return holds(length, parameter); }
};

/// 0, 1, 2, odd, prime; each power of two from 8 to 256 and 1024, one less and one more; more than two tiles of 128
/// with a rest; a tile of 128 that ends half full.
[[nodiscard]] const std::vector<LengthClass>& length_classes();

/// Which classes of lengths a suite reaches.
struct SuiteCoverage {
  /// One length and one class.
  struct Cell {
    std::string length;        ///< a member of the problem: "k", "axes[0].input"
    std::string length_class;  ///< its name
    std::string problem;       ///< the first that is of the class; empty: there is none
    bool possible = true;      ///< whether any problem of the operation can be
    std::size_t ways = 0;      ///< of the classes wanted of every way: for how many ways it can be,
    std::size_t reached = 0;   ///< and of how many the suite has one
  };
  std::vector<Cell> cells;  ///< by length, then by class

  /// Whether every class that can be is reached, by every way where that is wanted.
  [[nodiscard]] bool complete() const;
};

/// A row for each length: classes that the suite reaches, and those that it misses or that cannot be.
[[nodiscard]] Table coverage_summary(const SuiteCoverage& coverage);
/// A row for each class, a column for each length, a problem in each cell.
[[nodiscard]] Table coverage_table(const SuiteCoverage& coverage);

namespace detail {

/// A problem as coverage sees it: lengths by name, and the way in which it is computed.
struct LengthsOfProblem {
  std::vector<std::string> names;  ///< of all members that are integers: the same for all problems of an operation
  std::vector<Index> lengths;      ///< their values
  std::string way;                 ///< flags, kinds and formats as one text
  std::string name;                ///< of the problem
};

/// Positions among a problem's integers, and their new values.
using LengthChanges = std::vector<std::pair<std::size_t, Index>>;

/// Elements of all operands together, and of the smallest.
struct OperandSizes {
  Index all = 0, least = 0;
  friend bool operator==(const OperandSizes&, const OperandSizes&) = default;
};

/// What a problem's operands would be with other lengths; nothing where no such problem can be.
using SizesOf = std::function<std::optional<OperandSizes>(std::size_t problem, const LengthChanges&)>;

/// A problem of the suite with other lengths, for a class that no other problem reaches.
struct CoveringProblem {
  std::size_t problem = 0;
  LengthChanges changes;
};

/// Finds problems for every class of every length, and for the classes wanted of every way; small ones, made from those
/// that are there. `problems` have all members that are integers among their lengths. O(problems · lengths · classes).
class CoveragePlan {
 public:
  CoveragePlan(std::vector<LengthsOfProblem> problems, SizesOf sizes);

  [[nodiscard]] const std::vector<CoveringProblem>& steps() const noexcept { return steps_; }
  [[nodiscard]] const SuiteCoverage& coverage() const noexcept { return coverage_; }

 private:
  /// The longest operands of a problem that is added: what takes longer tells no more of lengths.
  static constexpr Index most_elements = Index{1} << 18;

  void find_lengths();
  [[nodiscard]] bool decides(std::size_t problem, std::size_t length) const;
  void cover(std::size_t length, const LengthClass& wanted, SuiteCoverage::Cell& cell);
  void cover_ways(std::size_t length, const LengthClass& wanted, SuiteCoverage::Cell& cell);
  [[nodiscard]] std::optional<CoveringProblem> found_for(std::size_t length, const LengthClass& wanted,
                                                         const std::string* way) const;
  [[nodiscard]] std::optional<std::pair<LengthChanges, OperandSizes>> changed_length(std::size_t problem,
                                                                                     std::size_t length,
                                                                                     Index value) const;
  [[nodiscard]] bool has_length(std::size_t problem, std::size_t length) const {
    return lengths_[problem].count(length) > 0;
  }
  /// Of a problem without any element no length says anything, but that it is 0.
  [[nodiscard]] bool counts(std::size_t problem, const LengthClass& wanted) const {
    return !empty_[problem] || wanted.has(0);
  }

  std::vector<LengthsOfProblem> problems_;
  SizesOf sizes_;
  std::vector<std::size_t> by_size_;            ///< problems, those first from which others are made
  std::vector<bool> empty_;                     ///< of each problem, whether an operand has no element
  std::vector<std::set<std::size_t>> lengths_;  ///< of each problem, those that decide how large operands are
  std::vector<CoveringProblem> steps_;
  SuiteCoverage coverage_;
};

/// Whether 0 and below mean that an operation does without: no groups, no top-k. Of extents that are arrays they do
/// not.
[[nodiscard]] bool is_switch(const std::string& name);

/// The integers among a problem's members, nested ones and elements of arrays included; lists of any length are not.
class IntegerMembers {
 public:
  /// `names` may be null.
  IntegerMembers(std::vector<Index*>& members, std::vector<std::string>* names, std::string prefix = {})
      : members_(members), names_(names), prefix_(std::move(prefix)) {}

  template <class Member, class... More>
  void operator()(const char* name, Member& member, More&&... more) {
    walk(name, -1, member);
    if constexpr (sizeof...(More) > 0) (*this)(more...);
  }

 private:
  template <class Member>
  void walk(const char* name, int element, Member& member) {
    if constexpr (std::is_same_v<Member, Index>) {
      members_.push_back(&member);
      if (names_ != nullptr) names_->push_back(named(name, element));
    } else if constexpr (std::is_bounded_array_v<Member>) {
      for (std::size_t i = 0; i < std::extent_v<Member>; ++i) walk(name, static_cast<int>(i), member[i]);
    } else if constexpr (!std::is_arithmetic_v<Member> && requires { fields(member, *this); }) {
      IntegerMembers inner(members_, names_, names_ == nullptr ? std::string() : named(name, element) + '.');
      fields(member, inner);
    }
  }
  [[nodiscard]] std::string named(const char* name, int element) const {
    return prefix_ + name + (element < 0 ? "" : "[" + std::to_string(element) + "]");
  }

  std::vector<Index*>& members_;
  std::vector<std::string>* names_;
  std::string prefix_;
};

template <class Problem>
[[nodiscard]] LengthsOfProblem lengths_of(Problem problem, std::string formats) {
  LengthsOfProblem result;
  result.name = name_of(problem);
  result.way = std::move(formats);
  std::vector<Index*> members;
  IntegerMembers walk(members, &result.names);
  fields(problem, walk);
  for (std::size_t i = 0; i < members.size(); ++i) {
    result.lengths.push_back(*members[i]);
    if (is_switch(result.names[i])) result.way += *members[i] > 0 ? "/with" : "/without";
  }
  walk_fields(problem, [&]<class Member>(const std::string&, Member& member) {
    if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, int> || std::is_enum_v<Member> ||
                  std::is_same_v<Member, ElementFormat>)
      result.way += '/' + text_of_field(member);
  });
  return result;
}

template <class Problem>
[[nodiscard]] Problem with_lengths(Problem problem, const LengthChanges& changes) {
  std::vector<Index*> members;
  IntegerMembers walk(members, nullptr);
  fields(problem, walk);
  for (const auto& [position, value] : changes) *members[position] = value;
  return problem;
}

template <class Op>
[[nodiscard]] std::optional<OperandSizes> operand_sizes(const typename Op::Problem& problem) {
  const auto specs = Op::operands(problem);
  if (!specs) return std::nullopt;
  OperandSizes sizes{0, -1};
  for (const OperandSpec& spec : specs.value()) {
    if (!spec.present) continue;
    Index elements = 1;
    for (const Index extent : spec.extents)
      if (__builtin_mul_overflow(elements, extent, &elements)) return std::nullopt;
    if (__builtin_add_overflow(sizes.all, elements, &sizes.all)) return std::nullopt;
    if (!spec.extents.empty() && (sizes.least < 0 || elements < sizes.least)) sizes.least = elements;
  }
  return sizes;
}

template <class Op>
[[nodiscard]] CoveragePlan coverage_plan(const std::vector<OperationShape<typename Op::Problem>>& shapes) {
  std::vector<LengthsOfProblem> problems;
  std::vector<typename Op::Problem> bases;
  for (const auto& shape : shapes) {
    problems.push_back(lengths_of(shape.problem, Op::formats_of(shape.problem)));
    bases.push_back(shape.problem);
  }
  return CoveragePlan(std::move(problems), [bases = std::move(bases)](std::size_t at, const LengthChanges& changes) {
    return operand_sizes<Op>(with_lengths(bases[at], changes));
  });
}

}  // namespace detail

namespace detail {

/// Problems that a suite lacks, as changes of those that it has and, behind them, of those that were added before.
template <class Op>
[[nodiscard]] std::vector<CoveringProblem> covering_problems(std::vector<OperationShape<typename Op::Problem>> shapes) {
  constexpr int rounds = 3;  // a longer problem makes room for other lengths: k of top-k
  std::vector<CoveringProblem> all;
  const auto key_of = [](const typename Op::Problem& problem) {
    const LengthsOfProblem lengths = lengths_of(problem, Op::formats_of(problem));
    return lengths.name + '/' + lengths.way;
  };
  std::set<std::string> known;
  for (const auto& shape : shapes) known.insert(key_of(shape.problem));
  for (int round = 0; round < rounds; ++round) {
    const CoveragePlan plan = coverage_plan<Op>(shapes);
    for (const CoveringProblem& added : plan.steps()) {
      OperationShape<typename Op::Problem> shape = shapes[added.problem];
      shape.problem = with_lengths(shape.problem, added.changes);
      if (!known.insert(key_of(shape.problem)).second) continue;  // it is of several classes
      shapes.push_back(std::move(shape));
      all.push_back(added);
    }
    if (plan.steps().empty()) break;
  }
  return all;
}

/// Those of a list that the default suite runs.
template <class Shape>
[[nodiscard]] std::vector<Shape> without_large(std::vector<Shape> shapes) {
  std::erase_if(shapes, [](const Shape& shape) { return shape.large || shape.fills.empty(); });
  return shapes;
}

}  // namespace detail

/// Problems that an operation's suite lacks: small ones, made from its own by changing a length, until every class of
/// `length_classes` that can be is reached by every length, and those wanted of every way by every way. Each has the
/// first pattern of data of the problem that it comes from. Found once a process for formats whose suites are alike:
/// O(shapes · lengths · classes) calls of `Op::operands`. Thread-safe.
template <Operation Op>
requires NamesItsFields<typename Op::Problem>
[[nodiscard]] std::vector<OperationShape<typename Op::Problem>> covering_shapes(const ElementFormat& format) {
  static std::mutex guard;
  static std::map<std::vector<std::string>, std::vector<detail::CoveringProblem>> found;
  auto shapes = detail::without_large(Op::shapes(format));
  const std::size_t own = shapes.size();
  std::vector<std::string> names;
  std::map<std::string, std::size_t> ways;  // of other formats there may be more, or fewer
  for (const auto& shape : shapes) {
    const detail::LengthsOfProblem lengths = detail::lengths_of(shape.problem, Op::formats_of(shape.problem));
    names.push_back(lengths.name + '/' + std::to_string(ways.emplace(lengths.way, ways.size()).first->second));
  }
  const std::lock_guard lock(guard);
  const auto [at, is_new] = found.try_emplace(std::move(names));
  if (is_new) at->second = detail::covering_problems<Op>(shapes);
  for (const detail::CoveringProblem& added : at->second) {
    auto shape = shapes[added.problem];
    shape.problem = detail::with_lengths(shape.problem, added.changes);
    shape.fills.resize(1);
    shapes.push_back(std::move(shape));
  }
  shapes.erase(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(own));
  // of another format one or the other cannot be
  std::erase_if(shapes, [](const auto& shape) { return !Op::operands(shape.problem); });
  return shapes;
}

/// What the default suite of an operation reaches, covering problems included.
template <Operation Op>
requires NamesItsFields<typename Op::Problem>
[[nodiscard]] SuiteCoverage suite_coverage(const ElementFormat& format) {
  auto shapes = detail::without_large(Op::shapes(format));
  for (auto& shape : covering_shapes<Op>(format)) shapes.push_back(std::move(shape));
  return detail::coverage_plan<Op>(shapes).coverage();
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/suite_coverage.ipp"
#endif
