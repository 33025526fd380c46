#pragma once

#include <type_traits>
#include <utility>

#include "assay/backends/backend.hpp"

namespace assay::inline v0 {

namespace detail {
template <class B, class Op>
concept HasMemberRun = requires(B& backend, typename B::Stream& stream, const typename Op::Problem& problem,
                                const typename Op::Arguments& arguments) {
  requires std::is_same_v<decltype(backend.run(Op{}, stream, problem, arguments)), Result<void>>;
};
}  // namespace detail

/// Where the kernel under test of a backend for an operation is found.
///
/// A specialization for a backend and an operation gives `static Result<void> run(B&, typename B::Stream&, const
/// typename Op::Problem&, const typename Op::Arguments&)`, which submits the work to the stream; the caller
/// synchronizes. `ErrorKind::unsupported`, with a reason, says that this problem is not offered. The general case falls
/// back to a member `run(Op, stream, problem, arguments)` of the backend, and to `unsupported` if there is none: never
/// to a pass.
///
/// `available`: false where there is no kernel, and `run` then always gives `unsupported`.
///
/// Optional: `static auto accumulation(const typename Op::Problem&)`, of GEMM, and `static Arithmetic arithmetic(const
/// typename Op::Problem&)`, of operations whose formats are data, declare the arithmetic that the kernel promises,
/// where it is not the operation's default.
template <class B, class Op>
struct kernel {
  static constexpr bool available = detail::HasMemberRun<B, Op>;

  static Result<void> run(B& backend, typename B::Stream& stream, const typename Op::Problem& problem,
                          const typename Op::Arguments& arguments) {
    if constexpr (available) {
      return backend.run(Op{}, stream, problem, arguments);
    } else {
      return failure(ErrorKind::unsupported, std::string(backend.name()) + " has no kernel for " + Op::name());
    }
  }
};

}  // namespace assay::inline v0
