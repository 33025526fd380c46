#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/validators/failures/detail/problem_fields.hpp"

namespace assay::inline v0 {

/// One respect in which a faulty kernel may have misread its problem: other values of some members.
struct ProblemVariation {
  /// One field of a problem with another value.
  struct Change {
    std::size_t field = 0;   ///< among all members, in their order
    double real = 0;         ///< for fields that are real numbers
    std::int64_t whole = 0;  ///< also of booleans and enumerators
    ElementFormat format{};
    std::vector<Index> list{};  ///< for fields that are lists
  };
  FaultClass fault_class = FaultClass::addressing;
  std::string kind;             ///< what was varied, one word or two
  std::string effect;           ///< what a kernel that confuses the two does
  std::vector<Change> changes;  ///< done together
};

namespace detail {

/// Goes through the members of a problem, one by one and two by two, and proposes other values.
class VaryFields {
 public:
  explicit VaryFields(const std::vector<ProblemField>& all) : fields_(all) {}

  [[nodiscard]] std::vector<ProblemVariation> all();

 private:
  using Type = ProblemField::Type;
  using Change = ProblemVariation::Change;
  using enum FaultClass;

  void propose(FaultClass fault_class, std::string kind, std::string effect, std::vector<Change> changes) {
    found_.push_back({fault_class, std::move(kind), std::move(effect), std::move(changes)});
  }
  [[nodiscard]] static Change whole(std::size_t field, std::int64_t value) { return {field, 0, value, {}, {}}; }
  [[nodiscard]] static Change real(std::size_t field, double value) { return {field, value, 0, {}, {}}; }
  [[nodiscard]] static std::string given(const ProblemField& field, double value, double asked) {
    return "computes with " + field.name + " = " + printed_number(value) + " where " + printed_number(asked) +
           " is asked for";
  }
  [[nodiscard]] static bool holds(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }

  void vary(std::size_t i);

  void exchange(std::size_t i, std::size_t j);

  /// The same member of all dimensions at once: as usual, or exchanged with another one, or among the first or last two
  /// dimensions.
  void vary_families();

  const std::vector<ProblemField>& fields_;
  std::vector<ProblemVariation> found_;
};

}  // namespace detail

/// Problems that differ from the one that was asked for in one respect: a member ignored, inverted, off by one,
/// exchanged with another. Many are not valid, or have outputs of other extents: whoever tries them asks the operation.
/// Members are those that `fields(problem, visit)` names.
template <class Problem>
[[nodiscard]] std::vector<ProblemVariation> problem_variations(const Problem& asked) {
  Problem now = asked, usual{};
  std::vector<detail::ProblemField> members;
  detail::collect_fields(now, usual, "", "", members);
  return detail::VaryFields(members).all();
}

/// The problem with the changes of a variation.
template <class Problem>
[[nodiscard]] Problem varied(const Problem& asked, const ProblemVariation& variation) {
  Problem changed = asked, usual{};
  std::vector<detail::ProblemField> members;
  detail::collect_fields(changed, usual, "", "", members);
  for (const ProblemVariation::Change& change : variation.changes) {
    const detail::ProblemField& member = members[change.field];
    switch (member.type) {
      case detail::ProblemField::Type::real: *static_cast<double*>(member.place) = change.real; break;
      case detail::ProblemField::Type::format: *static_cast<ElementFormat*>(member.place) = change.format; break;
      case detail::ProblemField::Type::list: *static_cast<std::vector<Index>*>(member.place) = change.list; break;
      default: std::memcpy(member.place, &change.whole, member.bytes);
    }
  }
  return changed;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/failures/problem_variations.ipp"
#endif
