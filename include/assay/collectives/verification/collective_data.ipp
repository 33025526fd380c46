#pragma once

#include "assay/collectives/verification/collective_data.hpp"

#include <mutex>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE CollectiveData::CollectiveData(const CollectiveProblem& problem, int rank, int size)
    : problem_(problem),
      size_(size),
      bytes_(bytes_of(problem.type)),
      pattern_(problem, size),
      exact_(!reduces(problem.operation) || pattern_.is_exact()) {
  const bool per_rank = problem.operation == CollectiveOperation::all_reduce ||
                        problem.operation == CollectiveOperation::reduce ||
                        problem.operation == CollectiveOperation::broadcast;
  const Index total =
      per_rank ? problem.count : (problem.count + 1) * size;  // all_to_all_v leaves an element between blocks
  tile_ = bytes_ > 4 ? 512 : 1024;
  span_ = std::clamp<Index>(total, 1, tile_);
  places_ = total <= 512 ? 1024 : size <= 64 ? 8192 : 2048;
  expected_ = shared_tables(*this);
  if (!reduces(problem.operation)) return;
  given_.resize(static_cast<std::size_t>(places_) * bytes_);
  for (Index place = 0; place < places_; ++place)
    detail::store_code(given_.data(), place, bytes_, pattern_.contribution(rank, place));
}

ASSAY_DETAIL_HEADER_INLINE Index CollectiveData::compare(const void* out, std::uint64_t call, int source, Index from,
                                                         Index length, Index at, std::vector<ElementRun>& runs) const {
  Index wrong = 0;
  const bool tags = source != detail::of_all;
  const char* given = static_cast<const char*>(out);
  for_each_tile(call, source, from, length, [&](Index begin, Index place, Index part) {
    const char* found = given + begin * width();
    if (is_right(found, tags, place, part)) return;
    for (Index i = 0; i < part; ++i) {
      if (is_right(found + i * width(), tags, place + i, 1)) continue;
      ++wrong;
      append(runs, at + begin + i);
    }
  });
  return wrong;
}

ASSAY_DETAIL_HEADER_INLINE std::shared_ptr<const CollectiveData::Tables> CollectiveData::shared_tables(
    const CollectiveData& data) {
  static std::mutex mutex;
  static std::vector<std::pair<std::string, std::weak_ptr<const Tables>>>
      made;  // few; clang 15 as HIP dies of a map here
  const CollectiveProblem& problem = data.problem_;
  const bool reducing = reduces(problem.operation);
  std::string key =
      std::to_string(data.places_) + " " + std::string(name_of(problem.type)) + " " + std::to_string(problem.seed);
  if (reducing)
    key += " " + std::string(name_of(problem.reduction)) + " " + std::string(name_of(problem.data)) + " " +
           std::to_string(static_cast<int>(problem.nan_policy)) + " " + std::to_string(data.size_);
  const std::lock_guard lock(mutex);
  std::erase_if(made, [](const auto& entry) { return entry.second.expired(); });
  for (const auto& [name, known] : made)
    if (name == key)
      if (auto tables = known.lock()) return tables;
  auto tables = std::make_shared<Tables>();
  tables->low.resize(static_cast<std::size_t>(data.places_) * data.bytes_);
  if (!data.exact_) tables->span.resize(tables->low.size());
  for (Index place = 0; place < data.places_; ++place) {
    const detail::Allowed allowed =
        reducing ? data.pattern_.allowed(place) : detail::Allowed{data.tag(place), data.tag(place)};
    if (data.special()) tables->allowed.push_back(allowed);
    const std::uint64_t low = data.exact_ ? allowed.low : data.key(allowed.low);
    detail::store_code(tables->low.data(), place, data.bytes_, low);
    if (!data.exact_) detail::store_code(tables->span.data(), place, data.bytes_, data.key(allowed.high) - low);
  }
  made.emplace_back(key, tables);
  return tables;
}

ASSAY_DETAIL_HEADER_INLINE bool CollectiveData::is_right(const char* found, bool tags, Index place, Index part) const {
  const std::size_t begin = static_cast<std::size_t>(place) * bytes_;
  if (tags || exact_)
    return std::memcmp(found, (tags ? sent() : expected_->low.data()) + begin,
                       static_cast<std::size_t>(part) * bytes_) == 0;
  if (special()) return is_allowed(found, place, part);
  switch (bytes_) {
    case 1: return within<std::uint8_t>(found, begin, part);
    case 2: return within<std::uint16_t>(found, begin, part);
    case 4: return within<std::uint32_t>(found, begin, part);
    default: return within<std::uint64_t>(found, begin, part);
  }
}

ASSAY_DETAIL_HEADER_INLINE bool CollectiveData::is_allowed(const char* found, Index place, Index part) const {
  for (Index i = 0; i < part; ++i) {
    const std::uint64_t code = detail::load_code(found, i, bytes_);
    const detail::Allowed& allowed = expected_->allowed[static_cast<std::size_t>(place + i)];
    if (detail::is_nan_code(problem_.type, code)) {
      if (!allowed.nan) return false;
      continue;
    }
    const std::uint64_t order = key(code);
    if (!allowed.number || order < key(allowed.low) || order > key(allowed.high)) return false;
    if (!allowed.any_zero && code != allowed.low) return false;
  }
  return true;
}

}  // namespace assay::inline v0
