#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/detail/rank_list.hpp"

namespace assay::inline v0 {

/// What other ranks must know of a call to tell whether theirs match, as words that people and `call_of_signature`
/// read: "all_reduce f32 1024 sum", "broadcast f32 1024 root 2", "send_receive f32 16 to 3 from none", "all_to_all_v
/// f32 sent 1,0,2 received 4,0,0", "barrier".
[[nodiscard]] std::string signature_of(const CollectiveCall& call);

namespace detail {

/// The words of a signature, one after another.
struct SignatureWords {
  std::string_view rest;

  std::string_view next() {
    const std::size_t end = rest.find(' ');
    const std::string_view word = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return word;
  }
  template <class Integer>
  static bool read(std::string_view word, Integer& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
  }
  template <class Integer>
  bool next(Integer& value) {
    return read(next(), value);
  }
  bool next_rank_or_none(int& rank) {
    const std::string_view word = next();
    rank = -1;
    return word == "none" || read(word, rank);
  }
  bool next_counts(std::vector<Index>& counts);
};

}  // namespace detail

/// The call of a signature, without buffers, displacements and multiplier. Errors: `malformed`.
[[nodiscard]] Result<CollectiveCall> call_of_signature(std::string_view signature);

/// One thing that ranks disagree on.
struct CallMismatch {
  std::string field;       ///< "operation", "type", "reduction", "count", "root", "destination", "source", "sent"
  std::vector<int> ranks;  ///< those that differ from most others; all of them if no side has most
  std::string message;     ///< "root: rank 3 gives 1, ranks 0 to 2 give 0"
};

/// Whether the calls of the ranks, `calls[rank]`, are one operation; what contradicts it, empty if nothing does. Ranks
/// without a call are left out. Where operations differ, nothing else is compared. O(n log n) for n ranks, O(n²) for
/// all_to_all_v.
[[nodiscard]] std::vector<CallMismatch> call_mismatches(std::span<const std::optional<CollectiveCall>> calls);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/call_signature.ipp"
#endif
