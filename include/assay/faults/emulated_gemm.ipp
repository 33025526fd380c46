#pragma once

#include "assay/faults/emulated_gemm.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE EmulatedFault EmulatedFault::of(std::string_view name, const GemmProblem& problem,
                                                           std::uint64_t seed) {
  EmulatedFault fault;
  const Index k = problem.k;
  const Index place =
      k > 0 ? static_cast<Index>((seed * 0x9E3779B97F4A7C15u >> 20) % static_cast<std::uint64_t>(k)) : 0;
  if (name == "dropped_term")
    fault.skipped_first = place, fault.skipped_last = place + 1;
  else if (name == "dropped_tile_of_terms")
    fault.skipped_first = place / 32 * 32, fault.skipped_last = fault.skipped_first + 32;
  else if (name == "tail_of_terms")
    fault.skipped_first = k / 32 * 32, fault.skipped_last = k;
  else if (name == "repeated_term")
    fault.repeated = place;
  else if (name == "terms_beyond_the_end")
    fault.terms_beyond_the_end = true;
  else if (name == "accumulator_of_10_bits")
    fault.accumulator_bits = 10;
  else if (name == "accumulator_of_13_bits")
    fault.accumulator_bits = 13;
  else if (name == "accumulator_of_16_bits")
    fault.accumulator_bits = 16;
  else if (name == "sums_toward_zero")
    fault.sums_toward_zero = true;
  else if (name == "fused_products")
    fault.fused_products = true;
  else if (name == "rounded_before_beta")
    fault.rounded_before_beta = true;
  else if (name == "forgotten_alpha")
    fault.forgotten_alpha = true;
  else if (name == "private_staging")
    fault.private_staging = true;
  else if (name == "missing_barrier")
    fault.missing_barrier = true;
  else if (name == "lost_atomic")
    fault.lost_atomic = true;
  else if (name == "c_read_for_zero_beta")
    fault.c_read_for_zero_beta = true;
  else if (name == "narrow_accumulator")
    fault.narrow_accumulator = true;
  else if (name == "rounded_partial_sums")
    fault.rounded_partial_sums = true;
  else if (name == "narrow_inputs")
    fault.narrow_inputs = true;
  else if (name == "flushed_subnormals")
    fault.flushed_subnormals = true;
  else if (name == "truncated_output")
    fault.truncated_output = true;
  else if (name == "saturated_overflow")
    fault.saturated_overflow = true;
  else if (name == "swallowed_nan")
    fault.swallowed_nan = true;
  else if (name == "forgotten_beta")
    fault.forgotten_beta = true;
  else if (name == "wrong_batch")
    fault.wrong_batch = true;
  for (const RoundingFault& known : rounding_faults())
    if (known.fault.name == name) fault.rounding = &known;
  return fault;
}

}  // namespace assay::inline v0::detail
