#pragma once

#include "assay/collectives/verification/detail/output_diagnosis.hpp"

#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE OutputDiagnosis::OutputDiagnosis(const CollectiveData& data, int rank, std::uint64_t call,
                                                            const char* output, Index extent, unsigned char poison,
                                                            const std::vector<StreamPart>& parts,
                                                            const std::vector<ElementRun>& runs, Index wrong)
    : data_(data),
      problem_(data.problem()),
      rank_(rank),
      size_(data.size()),
      call_(call),
      output_(output),
      extent_(extent),
      bytes_(bytes_of(problem_.type)),
      poison_(poison),
      parts_(parts),
      runs_(runs),
      wrong_(wrong) {
  begin_ = runs.front().begin;
  length_ = runs.back().begin + runs.back().length - begin_;
  constexpr std::size_t most = 192;
  for (std::size_t i = 0; i < most; ++i) {
    const ElementRun& run = runs[runs.size() <= most ? i % runs.size() : i * runs.size() / most];
    const Index at = run.begin + (runs.size() <= most && i < runs.size()
                                      ? 0
                                      : static_cast<Index>(mixed(call, i) % static_cast<std::uint64_t>(run.length)));
    if (std::none_of(sample_.begin(), sample_.end(), [&](const WrongElement& other) { return other.at == at; }))
      sample_.push_back(element_at(at));
  }
}

ASSAY_DETAIL_HEADER_INLINE std::vector<CollectiveSuspicion> OutputDiagnosis::suspicions() {
  look_for_single_bits();
  look_for_unwritten();
  look_for_other_places();
  look_for_other_calls();
  if (reduces(problem_.operation))
    look_into_reduction();
  else
    look_for_other_sources();
  if (wrong_ <= 2 &&
      extent_ >= 32)  // what one element alone is like may be chance; a digit left out may be a single bit
    for (CollectiveSuspicion& suspicion : found_)
      if (suspicion.fault != "bit_flip" && suspicion.fault != "off_by_one" && suspicion.fault != "remainder_lost" &&
          suspicion.fault != "torn_tail")
        suspicion.share *= 0.6;
  detail::stable_sort(found_,
                      [](const CollectiveSuspicion& a, const CollectiveSuspicion& b) { return a.share > b.share; });
  if (found_.size() > most_suspicions) found_.resize(most_suspicions);
  if (found_.empty()) suspect("", -1, 0, "no known fault gives the elements that were found", 1, 0);
  return found_;
}

ASSAY_DETAIL_HEADER_INLINE std::string OutputDiagnosis::where() const {
  std::string text = wrong_ == 1 ? "element " + std::to_string(begin_)
                                 : std::to_string(wrong_) + " elements from " + std::to_string(begin_) + " to " +
                                       std::to_string(begin_ + length_ - 1);
  const StreamPart& part = part_of(begin_);
  if (part.source == of_all && size_ > 1 && part.length >= size_) {  // the blocks of a ring
    const Index block = (part.length + size_ - 1) / size_, first = (begin_ - part.at) / block,
                last = (begin_ + length_ - 1 - part.at) / block;
    if (last - first + 1 < size_)
      text += first == last ? " (in part " + std::to_string(first)
                            : " (in parts " + std::to_string(first) + " to " + std::to_string(last);
    if (last - first + 1 < size_) text += " of " + std::to_string(size_) + ")";
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_single_bits() {
  if (wrong_ > 2 || wrong_ * 8 > std::max<Index>(extent_, 8)) return;
  for (const WrongElement& wrong : sample_)
    for (int bit = 0; bit < 8 * static_cast<int>(bytes_); ++bit)
      if (fits(wrong.found ^ (std::uint64_t{1} << bit), call_, wrong.source, wrong.element))
        return suspect("bit_flip", rank_, 0.995, "right but for bit " + std::to_string(bit),
                       extent_ >= 32 ? 1 : 8 * static_cast<double>(bytes_), right_bits());
  if (!is_integer(problem_.type) || sample_.empty() || sample_.front().source != of_all) return;
  const WrongElement& wrong = sample_.front();
  const std::uint64_t right = data_.pattern().allowed(data_.place_of(call_, of_all, wrong.element)).low;
  const std::uint64_t difference = (wrong.found - right) & code_mask(problem_.type),
                      negative = (right - wrong.found) & code_mask(problem_.type);
  if ((difference & (difference - 1)) == 0 || (negative & (negative - 1)) == 0)
    suspect("bit_flip", -1, 0.99, "wrong by a power of two, as if a bit of what one rank gave had changed");
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_unwritten() {
  using enum CollectiveOperation;
  const double share = share_of([&](const WrongElement& wrong) { return is_unwritten(wrong.at); });
  if (share == 0) return;
  const CollectiveOperation operation = problem_.operation;
  Index end = 0, expected = 0, remainder = 0;
  for (const StreamPart& part : parts_) {
    expected += part.length;
    remainder += part.length % size_;
    if (part.length > 0) end = std::max(end, part.at + part.length);
  }
  Index limit = end;
  while (limit > 0 && is_unwritten(limit - 1)) --limit;
  look_for_overflow(limit, end);
  if (share < 0.8) return;
  const std::string unwritten = "as before the call";
  const bool beyond = wrong_ <= remainder && wrong_ * 5 >= remainder * 4 && wrong_ < expected &&
                      share_of([&](const WrongElement& wrong) {
                        const StreamPart& part = part_of(wrong.at);
                        return wrong.at - part.at >= part.length - part.length % size_;
                      }) == 1;
  if (beyond)
    suspect("remainder_lost", -1, share,
            unwritten + ", in all blocks what is beyond a multiple of " + std::to_string(size_) + " elements");
  const bool all = limit <= 0 || wrong_ * 10 >= expected * 9;
  if (all && (operation == reduce || operation == gather))
    suspect("wrong_root", -1, share, unwritten + ", all of it, though the root is to receive it");
  const bool tail = begin_ >= end - static_cast<Index>(16 / bytes_);
  if (tail && (wrong_ < expected || all)) suspect("torn_tail", rank_, share * 0.99, unwritten + ", the last 16 bytes");
  if (beyond || (all && (operation == reduce || operation == gather)) || (tail && reduces(operation))) return;
  const StreamPart& part = part_of(begin_);
  const bool one_part = part_of(begin_ + length_ - 1).at == part.at,
             one_gives_all = operation == broadcast || operation == scatter;
  const int guilty = part.source == of_all ? -1 : one_gives_all || !one_part ? rank_ : part.source;
  suspect(one_part && wrong_ * 10 >= part.length * 9 ? "rank_dropped"
          : one_part                                 ? "chunk_dropped"
                                                     : "rank_dropped",
          guilty, tail ? share * 0.98 : share,  // after a torn tail
          unwritten + (guilty == rank_ || guilty < 0 ? "" : ", where the block of " + of_rank(guilty) + " belongs"));
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_overflow(Index limit, Index end) {
  if (limit <= 0 || limit == end) return;
  std::size_t wrapped = 0, checked = 0;
  for (Index at = 0; at < std::min<Index>(limit, 16); ++at) {
    Index last = at;
    while (last + limit < end) last += limit;
    if (last == at) break;
    const WrongElement place = element_at(last);
    if (last < part_of(last).at || last >= part_of(last).at + part_of(last).length) continue;  // between blocks
    ++checked;
    wrapped += fits(found_at(at), call_, place.source, place.element) ? 1 : 0;
  }
  if (checked > 0 && wrapped == checked)
    suspect("offset_overflow", -1, 1,
            "from byte " + std::to_string(static_cast<std::size_t>(limit) * bytes_) +
                " on as before the call, and what belongs there is at the begin: offsets wrap");
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_other_places() {
  const double one_back = share_of([&](const WrongElement& wrong) {
    if (wrong.at == 0) return false;
    const WrongElement place = element_at(wrong.at - 1);
    return place.source == wrong.source && fits(wrong, call_, place.source, place.element);
  });
  if (one_back > 0.5 && wrong_ <= static_cast<Index>(std::max<std::size_t>(parts_.size(), 1)))
    return suspect("off_by_one", rank_, one_back, "the value of the element before it: a boundary that is off by one");
  if (one_back > 0.8) return suspect("off_by_one", rank_, one_back, "moved by one element");
  // swapped ranges lie side by side or not: the distance is that at which the first wrong elements are right
  Index best = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(runs_.size(), 8) && best == 0; ++i) {
    const ElementRun& run = runs_[i * runs_.size() / std::min<std::size_t>(runs_.size(), 8)];
    const Index window = std::min<Index>(run.length, 24);
    if (window < 4 && (problem_.count > 8 || window * static_cast<Index>(bytes_) < 8)) continue;
    best = distance_of_window(run.begin, window);
    if (best == 0) best = distance_of_window(run.begin + run.length - window, window);
  }
  if (best == 0) return;
  const auto moved = [&](const WrongElement& wrong, Index distance) {
    const Index at = wrong.at + distance;
    if (at < 0 || at >= extent_) return false;
    const WrongElement place = element_at(at);
    return place.source == wrong.source && fits(wrong, call_, place.source, place.element);
  };
  const double ahead = share_of([&](const WrongElement&wrong) { return moved(wrong, best); }),
               either = share_of([&](const WrongElement&wrong) { return moved(wrong, best) || moved(wrong, -best); });
  const std::string apart = std::to_string(best < 0 ? -best : best) + " elements apart";
  if (either > 0.5)
    suspect("chunks_swapped", rank_, either,
            either - ahead > 0.1 ? "two chunks, " + apart + ", have changed places" : "what belongs " + apart);
}

ASSAY_DETAIL_HEADER_INLINE Index OutputDiagnosis::distance_of_window(Index begin, Index window) const {
  const StreamPart& part = part_of(begin);
  for (Index at = part.at; at + window <= part.at + part.length; ++at) {
    bool all = at != begin;
    for (Index i = 0; i < window && all; ++i)
      all = fits(found_at(begin + i), call_, part.source, part.from + at - part.at + i);
    if (all) return at - begin;
  }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_other_calls() {
  for (std::uint64_t back = 1; back <= 3 && back <= call_; ++back) {
    const auto parts = expected_parts(problem_, rank_, size_, call_ - back);
    const double share = share_of([&](const WrongElement& wrong) {
      for (const StreamPart& part : parts)
        if (wrong.at >= part.at && wrong.at < part.at + part.length)
          return fits(wrong, call_ - back, part.source, part.from + wrong.at - part.at);
      return false;
    });
    if (share < 0.8) continue;
    const StreamPart& part = part_of(begin_);
    const bool one_of_many = parts_.size() > 1 && part_of(begin_ + length_ - 1).at == part.at;
    const std::string what =
        back == 1 ? "what the call before gave" : "what a call gave " + std::to_string(back) + " calls before";
    if (one_of_many)
      suspect("stale_input", part.source, share, what + ", in the block of " + of_rank(part.source) + " alone");
    else
      suspect("previous_output", rank_, share, what);
    return;
  }
}

ASSAY_DETAIL_HEADER_INLINE void OutputDiagnosis::look_for_other_sources() {
  using enum CollectiveOperation;
  if (call_ > 0 && problem_.operation == send_receive) {
    const double share =
        share_of([&](const WrongElement& wrong) { return fits(wrong, call_ - 1, wrong.source, wrong.element); });
    if (share > 0.8)
      suspect("stale_input", sample_.front().source, share + 0.001,
              "what " + of_rank(sample_.front().source) + " gave to the call before");
  }
  if (problem_.operation == scatter) {
    for (int other = 0; other < size_; ++other) {
      const Index shift = (other - rank_) * problem_.count;
      const double share = other == rank_ ? 0 : share_of([&](const WrongElement& wrong) {
        return fits(wrong, call_, wrong.source, wrong.element + shift);
      });
      if (share > 0.8) suspect("ranks_permuted", -1, share, "the block of " + of_rank(other));
    }
  }
  std::map<int, int> taken;  // whose elements stand for whose
  std::size_t explained = 0;
  for (const WrongElement& wrong : sample_)
    for (int step = 1; step < size_; ++step) {
      const int other =
          step % 2 == 1 ? (wrong.source + size_ - (step + 1) / 2) % size_ : (wrong.source + step / 2) % size_;
      const bool known = taken.count(wrong.source) > 0;
      const int candidate = known && step == 1 ? taken[wrong.source] : other;
      if (!fits(wrong, call_, candidate, counterpart(wrong, candidate))) continue;
      taken.emplace(wrong.source, candidate);
      ++explained;
      break;
    }
  const double share = static_cast<double>(explained) / static_cast<double>(sample_.size());
  if (share < 0.6 || taken.empty()) return;
  const auto [source, other] = *taken.begin();
  const std::string what = "elements of " + of_rank(other) + " for those of " + of_rank(source);
  if (problem_.operation == broadcast || problem_.operation == scatter)
    return suspect("wrong_root", -1, share, what + ", the root");
  if (taken.size() == 2 && taken.count(other) > 0 && taken[other] == source)
    return suspect("ranks_permuted", (source + 1) % size_ == other ? source : other, share, what + ", and the reverse");
  if (problem_.in_place)
    return suspect("in_place_aliasing", source, share, what + ": its input was overwritten before it was read");
  suspect((other + 1) % size_ == source ? "duplicate_and_drop" : "ranks_permuted", other, share, what);
}

}  // namespace assay::inline v0::detail
