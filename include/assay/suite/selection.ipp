#pragma once

#include "assay/suite/selection.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// "; format int8 is of int8_gemm, cast": what to ask for where the operations asked for have no such case.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string operations_with(const Suite& suite, const LabelFilter& filter) {
  std::vector<std::string> operations;
  for (const Case& entry : suite) {
    const auto operation = entry.labels.find("operation");
    if (operation != entry.labels.end() && filter.matches(entry) && !contains(operations, operation->second))
      operations.push_back(operation->second);
  }
  return operations.empty() ? std::string() : "; " + filter.description() + " is of " + joined(operations, ", ");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::size_t>> select(const Suite& suite, const Selection& selection) {
  if (suite.empty()) return failure(ErrorKind::not_found, "nothing is selected: the suite holds no cases");
  if (const Result<Shard> shard = checked(selection.shard); !shard) return shard.propagate();
  detail::Narrowing narrowing(suite);

  const detail::LabelFilter label_filters[] = {{"operation", "operation", &selection.operations},
                                               {"backend", "backend", &selection.backends},
                                               {"formats", "format", &selection.formats},
                                               {"shape", "shape", &selection.shapes},
                                               {"data", "fill", &selection.data}};
  for (const detail::LabelFilter& filter : label_filters)
    if (const Result<void> known = filter.check(suite); !known) return known.propagate();
  if (const Result<void> known = detail::check_tags(suite, selection.tags); !known) return known.propagate();
  if (const Result<void> known = detail::check_ids(suite, selection.only); !known) return known.propagate();
  if (const Result<void> known = detail::check_ids(suite, selection.exclude); !known) return known.propagate();

  for (const detail::LabelFilter& filter : label_filters) {
    if (filter.entries->empty()) continue;
    const auto applied =
        narrowing.apply(filter.description(), [&](const Case& entry, std::size_t) { return filter.matches(entry); });
    if (!applied && filter.entries != &selection.operations && !selection.operations.empty())
      return failure(applied.error().kind, applied.error().message + detail::operations_with(suite, filter));
    if (!applied) return applied.propagate();
  }
  const auto id_in = [](const std::vector<std::string>& patterns) {
    return [&patterns](const Case& entry, std::size_t) { return detail::any_matches(patterns, entry.id); };
  };
  if (!selection.tags.empty()) {
    const auto tagged = [&](const Case& entry, std::size_t) {
      for (const std::string& tag : entry.tags)
        if (detail::any_matches(selection.tags, tag)) return true;
      return false;
    };
    if (const auto applied = narrowing.apply("tag " + detail::joined(selection.tags, " or "), tagged); !applied)
      return applied.propagate();
  }
  if (!selection.only.empty()) {
    const auto applied = narrowing.apply("only " + detail::joined(selection.only, " or "), id_in(selection.only));
    if (!applied) return applied.propagate();
  }
  if (!selection.exclude.empty()) {
    const auto excluded = [&](const Case& entry, std::size_t) {
      return !detail::any_matches(selection.exclude, entry.id);
    };
    const auto applied = narrowing.apply("exclude " + detail::joined(selection.exclude, " and "), excluded);
    if (!applied) return applied.propagate();
  }
  if (!selection.include_large && !detail::contains(selection.tags, large_tag)) {
    const auto small = [&](const Case& entry, std::size_t) {
      return !detail::contains(entry.tags, large_tag) || detail::contains(selection.only, entry.id);
    };
    const auto applied =
        narrowing.apply("the exclusion of large cases", small, "they are all large: ask for large cases");
    if (!applied) return applied.propagate();
  }
  const auto in_shard = [&](const Case&, std::size_t position) { return selection.shard.holds(position); };
  const auto applied =
      narrowing.apply("shard " + name_of(selection.shard), in_shard, "there are more shards than cases: use fewer");
  if (!applied) return applied.propagate();
  return std::move(narrowing).take();
}

}  // namespace assay::inline v0
