#pragma once

#include <cstddef>
#include <limits>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/compare/expected_row.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/core/vector_variants.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/detail/block_reference.hpp"
#include "assay/kernels/gemm/detail/portable_reference.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/tolerance/expected_element.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/gemm/detail/host_reference.hpp"
#endif

namespace assay::inline v0 {

/// Whether a reference in plain double is precise enough, or sums must carry twice its precision.
template <class Op>
inline constexpr bool gemm_needs_double_double =
    FormatTraits<typename Op::FormatA>::layout.precision() + FormatTraits<typename Op::FormatB>::layout.precision() >
        53 ||
    FormatTraits<typename Op::FormatC>::layout.precision() > 24;

/// How the scale S = |A||B| of the bound is had.
enum class GemmScales {
  automatic,  ///< bounded for large products, where it saves half of the time; else exact
  exact,      ///< summed beside the product
  /// from above, in O(m·n·k/64), where that is at most 16 times S for certain, see
  /// kernels/gemm/detail/magnitude_shares.hpp, else exact; a comparison refines elements in doubt
  bounded
};

/// How the reference is computed.
struct GemmReferenceOptions {
  GemmScales scales = GemmScales::automatic;
  InstructionSet instruction_set = assay::instruction_set();  ///< on backends that run on the host
};

/// The reference r and the error bound E of every output element, row-major over (batch·m) × n, on a backend.
/// The operands that it was made from must live and stay unchanged while elements are refined.
template <class Op, ParallelBackend B>
struct GemmReference {
  typename B::template Buffer<double> value;  ///< r of all elements, row-major
  typename B::template Buffer<double> error;
  typename Op::Arguments arguments;  ///< what the kernel was given
  GemmBound bound;
  bool exact_scales = true;  ///< false: `error` is an upper bound of E

  /// For `compare`: what is expected at (row, column).
  struct Expected {
    const double* value;
    const double* error;
    typename Op::Arguments arguments;
    GemmBound bound;
    bool exact_scales;

    ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
      const Index element = row * arguments.c.extents[2] + column;
      return {value[element], error[element]};
    }

    /// With the exact E: O(k).
    ASSAY_FUNCTION ExpectedElement refine(Index row, Index column) const {
      ExpectedElement expected = (*this)(row, column);
      if (exact_scales || !is_finite(expected.value)) return expected;
      const auto& [a, b, c] = arguments;
      const Index batch = row / c.extents[1], own_row = row % c.extents[1];
      double product = 0, magnitude = 0;
      for (Index term = 0; term < a.extents[2]; ++term) {
        const double summand = decode(a(batch, own_row, term)) * decode(b(batch, term, column));
        product += summand;
        magnitude += detail::absolute(summand);
      }
      const double old = bound.beta == 0 ? 0 : decode(c(batch, own_row, column));
      expected.error = bound.error(product, magnitude, old, max_finite<typename Op::FormatC>());
      return expected;
    }

    /// A correct kernel's error is rarely above a hundredth of E.
    ASSAY_FUNCTION double doubt_ratio() const { return exact_scales ? 2 : 1 / detail::tolerated_looseness; }

    /// The expectation of one row, for the comparison.
    [[nodiscard]] ASSAY_FUNCTION ExpectedRow<double> expected_row(Index row) const {
      return {value + row * arguments.c.extents[2], error + row * arguments.c.extents[2], 0};
    }
  };
  /// What the comparison takes; valid as long as this lives.
  [[nodiscard]] Expected expected() { return {value.data(), error.data(), arguments, bound, exact_scales}; }
};

/// Computes α·op(A)·op(B) + β·C on the stored operands in float64, or in double-double where an operand or the output
/// is float64, together with S = |A||B| (or an upper bound of it, see `GemmScales`) and from both the bound E.
/// `arguments.c` holds C before the kernel ran; it is not read where β = 0 (and may then be null).
///
/// Sums run in ascending k for every element, so r is bit-identical for any number of threads, any blocking, any
/// instruction set and any backend with IEEE arithmetic; E may differ in its last bits between instruction sets.
/// Float64 matrix units (CUDA from sm_80) are IEEE arithmetic, too: PTX ISA says that mma's products and sums of .f64
/// have "the precision of .f64 fused multiply-add" and round to nearest, so that the reference's own error stays below
/// γ_{K+3}·S, which E holds, whatever the order. The order within an instruction's four terms is not documented;
/// measured on Ampere, Hopper and Blackwell it is ascending (Xie et al., "MMA-Sim: bit-accurate reference model of
/// tensor cores and matrix cores", arXiv 2511.10909), which gives the host's bits, but NVIDIA does not promise it.
///
/// O(batch·m·n·k) time. Memory: 16·batch·m·n bytes for the result. On the host at most 32 MiB of packed panels and 1
/// MiB a thread besides. On devices with blocks of threads nothing more where scales are exact, which costs a second
/// product, and a quarter of a byte for each element of A and B where they are bounded; elsewhere, and in
/// double-double, 2 KiB per row of A and column of B, and 8·batch·m·n bytes more in double-double.
template <class Op, ParallelBackend B>
[[nodiscard]] Result<GemmReference<Op, B>> gemm_reference(B& backend, typename B::Stream& stream,
                                                          const GemmProblem& problem,
                                                          const typename Op::Arguments& arguments,
                                                          const GemmBound& bound,
                                                          [[maybe_unused]] const GemmReferenceOptions& options = {}) {
  constexpr bool double_double = gemm_needs_double_double<Op>;
  const std::size_t elements = static_cast<std::size_t>(problem.batch * problem.m * problem.n);
  auto value = backend.template allocate<double>(elements);
  if (!value) return value.propagate();
  auto error = backend.template allocate<double>(elements);
  if (!error) return error.propagate();
  bool exact_scales = true;
  const auto computed = [&]() -> Result<void> {
    constexpr double large = 0x1p28;
    const double products =
        static_cast<double>(problem.m) * static_cast<double>(problem.n) * static_cast<double>(problem.k);
    [[maybe_unused]] const bool exact = double_double || options.scales == GemmScales::exact ||
                                        (options.scales == GemmScales::automatic && products < large);
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if constexpr (backend_runs_on_host<B>) {
      if (!double_double || options.instruction_set != InstructionSet::baseline) {
        detail::HostReference<Op, double_double, B> reference(backend, stream, arguments, bound, !exact,
                                                              options.instruction_set);
        auto done = reference.run(value.value().data(), error.value().data());
        exact_scales = !reference.bounded();
        return done;
      }
    }
#endif
    if constexpr (!backend_runs_on_host<B> && BlockBackend<B> && !double_double) {
      detail::BlockReference<Op, B> reference(backend, stream, arguments, bound, !exact);
      auto done = reference.run(value.value().data(), error.value().data());
      exact_scales = !reference.bounded();
      return done;
    } else {
      return detail::portable_reference<Op, double_double>(backend, stream, arguments, bound, value.value().data(),
                                                           error.value().data());
    }
  }();
  if (!computed) return computed.propagate();
  return GemmReference<Op, B>{std::move(value).value(), std::move(error).value(), arguments, bound, exact_scales};
}

}  // namespace assay::inline v0
