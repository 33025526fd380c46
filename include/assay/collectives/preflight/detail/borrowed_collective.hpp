#pragma once

#include <span>
#include <string>
#include <string_view>

#include "assay/collectives/any_collective.hpp"

namespace assay::detail {

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
  [[nodiscard]] Result<void> all_reduce(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> reduce_scatter(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> all_gather(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> broadcast(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> reduce(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> all_to_all(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> all_to_all_v(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> gather(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> scatter(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> send_receive(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> barrier(const CollectiveCall& call, Deadline deadline) { return lent_->run(call, deadline); }
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) { return lent_->run_group(calls, deadline); }

 private:
  AnyCollective* lent_;
};

}  // namespace assay::detail
