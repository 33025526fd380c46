#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "assay/collectives/buffer_overlap.hpp"
#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/deadline.hpp"

namespace assay::inline v0 {

/// One rank's end of a communicator: how ranks compute together. A user's own library is one struct with this form.
///
/// - `rank()` is in [0, `size()`); both stay the same, and are called from any thread.
/// - `name()` is short and stable, a part of ids of cases: "mpi", "in_process.ring".
/// - `abort(reason)` may be called from any thread at any time: operations in progress on this rank return soon, and
///   later ones at once, with an error of the kind `aborted`. Whether other ranks learn of it is up to the runtime.
///
/// Each operation (`all_reduce`, `reduce_scatter`, `all_gather`, `broadcast`, `reduce`, `all_to_all`, `all_to_all_v`,
/// `gather`, `scatter`, `send_receive`, `barrier`) is a member of its own name, `Result<void> all_reduce(const
/// CollectiveCall&, Deadline)`; one that is missing is *unsupported*, as is what the member refuses with an error of
/// that kind, which must happen on every rank alike. A member returns when this rank's buffers may be read and used
/// again. One that has not come so far by the deadline gives `timed_out`, and says what it knows of who is missing; the
/// communicator is then of no more use. One thread a rank calls operations. A runtime that treats all alike has the one
/// member `run(call, deadline)` instead.
///
/// Optional: `memory()` gives the `CollectiveMemory` in which buffers must lie; `run_group(calls, deadline)` takes
/// several operations as one, in any order; `split(color)` gives `Result<C>`, a communicator of the ranks that give the
/// same color, in the order of their ranks; `static constexpr bool checks_calls = true` says that the runtime looks at
/// calls itself (`check_call_and_buffers`), so that a bad call of one rank reaches it and it can tell the others.
template <class C>
concept Collective = std::movable<C> && requires(C& collective, const C& constant, std::string_view reason) {
  { constant.rank() } -> std::same_as<int>;
  { constant.size() } -> std::same_as<int>;
  { constant.name() } -> std::convertible_to<std::string>;
  collective.abort(reason);
};

namespace detail {

[[nodiscard]] inline Failure no_such_operation(const std::string& name, CollectiveOperation operation) {
  return failure(ErrorKind::unsupported, name + " has no " + std::string(name_of(operation)));
}

template <class C>
[[nodiscard]] Result<void> check_unless_checked(const C& collective, const CollectiveCall& call) {
  if constexpr (requires { requires C::checks_calls; })
    return {};
  else
    return check_call_and_buffers(call, collective.rank(), collective.size());
}

}  // namespace detail

/// Calls the member of `call.operation`, or `run` where there is none. Errors: `invalid` where the call contradicts
/// itself (see `check_call`) or its buffers overlap (`check_overlap`), `unsupported` where there is neither, else the
/// member's own.
template <Collective C>
[[nodiscard]] Result<void> launch(C& collective, const CollectiveCall& call, Deadline deadline) {
  if (auto checked = detail::check_unless_checked(collective, call); !checked) return checked;
#define ASSAY_LAUNCH(operation)                                                                                    \
  case CollectiveOperation::operation:                                                                             \
    if constexpr (requires { collective.operation(call, deadline); }) return collective.operation(call, deadline); \
    break;
  switch (call.operation) {
    ASSAY_LAUNCH(all_reduce)
    ASSAY_LAUNCH(reduce_scatter)
    ASSAY_LAUNCH(all_gather)
    ASSAY_LAUNCH(broadcast)
    ASSAY_LAUNCH(reduce)
    ASSAY_LAUNCH(all_to_all)
    ASSAY_LAUNCH(all_to_all_v)
    ASSAY_LAUNCH(gather)
    ASSAY_LAUNCH(scatter)
    ASSAY_LAUNCH(send_receive)
    ASSAY_LAUNCH(barrier)
  }
#undef ASSAY_LAUNCH
  if constexpr (requires { collective.run(call, deadline); }) return collective.run(call, deadline);
  return detail::no_such_operation(collective.name(), call.operation);
}

/// Several operations as one. A runtime without `run_group` runs them one after another.
template <Collective C>
[[nodiscard]] Result<void> launch_group(C& collective, std::span<const CollectiveCall> calls, Deadline deadline) {
  if constexpr (requires { collective.run_group(calls, deadline); }) {
    for (const CollectiveCall& call : calls)
      if (auto checked = detail::check_unless_checked(collective, call); !checked) return checked;
    return collective.run_group(calls, deadline);
  } else {
    for (const CollectiveCall& call : calls)
      if (auto done = launch(collective, call, deadline); !done) return done;
    return {};
  }
}

}  // namespace assay::inline v0
