#pragma once

#include <span>
#include <string>
#include <string_view>

#include "assay/collectives/any_collective.hpp"

namespace assay::inline v0::detail {

/// Somebody else's collective, to be wrapped for a while. A `Collective`.
class BorrowedCollective {
 public:
  static constexpr bool checks_calls = true;  // the lent one does

  explicit BorrowedCollective(AnyCollective* lent) : lent_(lent) {}  // by reference, any collective would convert

  [[nodiscard]] int rank() const { return lent_->rank(); }
  [[nodiscard]] int size() const { return lent_->size(); }
  [[nodiscard]] std::string name() const { return lent_->name(); }
  void abort(std::string_view reason) { lent_->abort(reason); }
  [[nodiscard]] CollectiveMemory memory() const { return lent_->memory(); }
  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    return lent_->run_group(calls, deadline);
  }

 private:
  AnyCollective* lent_;
};

}  // namespace assay::inline v0::detail
