#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/validators/faults/gemm_faults.hpp"
#include "assay/validators/faults/summation_order.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay {

namespace detail {

/// A 16-bit format to spoil sums with: the output's own where it has 16 bits, else bfloat16.
template <class Op>
using NarrowFormat = std::conditional_t<sizeof(typename Op::FormatC) == 2, typename Op::FormatC, bfloat16>;

/// What an emulated kernel does, by name, decided once and not per element.
struct EmulatedFault {
  Index skipped_first = -1, skipped_last = -1;  ///< terms left out
  Index repeated = -1;                          ///< a term counted twice
  bool narrow_accumulator = false, rounded_partial_sums = false, narrow_inputs = false, flushed_subnormals = false;
  bool truncated_output = false, saturated_overflow = false, swallowed_nan = false, forgotten_beta = false, wrong_batch = false;

  [[nodiscard]] static EmulatedFault of(std::string_view name, const GemmProblem& problem, std::uint64_t seed) {
    EmulatedFault fault;
    const Index k = problem.k;
    const Index place = k > 0 ? static_cast<Index>((seed * 0x9E3779B97F4A7C15u >> 20) % static_cast<std::uint64_t>(k)) : 0;
    if (name == "dropped_term") fault.skipped_first = place, fault.skipped_last = place + 1;
    else if (name == "dropped_tile_of_terms") fault.skipped_first = place / 32 * 32, fault.skipped_last = fault.skipped_first + 32;
    else if (name == "repeated_term") fault.repeated = place;
    else if (name == "narrow_accumulator") fault.narrow_accumulator = true;
    else if (name == "rounded_partial_sums") fault.rounded_partial_sums = true;
    else if (name == "narrow_inputs") fault.narrow_inputs = true;
    else if (name == "flushed_subnormals") fault.flushed_subnormals = true;
    else if (name == "truncated_output") fault.truncated_output = true;
    else if (name == "saturated_overflow") fault.saturated_overflow = true;
    else if (name == "swallowed_nan") fault.swallowed_nan = true;
    else if (name == "forgotten_beta") fault.forgotten_beta = true;
    else if (name == "wrong_batch") fault.wrong_batch = true;
    return fault;
  }
};

/// One output element of a kernel that adds in a given order and has at most one fault.
template <class Op>
struct EmulatedGemmElement {
  typename Op::Arguments arguments;
  double alpha, beta;
  SummationOrder order;
  EmulatedFault fault;

  void operator()(std::size_t index) const {
    const auto& c = arguments.c;
    const Index element = static_cast<Index>(index);
    const Index column = element % c.extents[2], row = element / c.extents[2] % c.extents[1], batch = element / c.extents[2] / c.extents[1];
    c(batch, row, column) = value(batch, row, column);
  }

  [[nodiscard]] typename Op::FormatC value(Index batch, Index row, Index column) const {
    using Accumulator = typename Op::Accumulator;
    using C = typename Op::FormatC;
    double result = alpha == 0 ? 0 : round_to<Accumulator>(alpha * sum(batch, row, column));
    if (beta != 0 && !fault.forgotten_beta) result = round_to<Accumulator>(result + round_to<Accumulator>(beta * decode(arguments.c(batch, row, column))));
    if (fault.swallowed_nan && is_nan(result)) result = 0;
    return encode<C>(result, fault.truncated_output ? Rounding::toward_zero : Rounding::nearest_even, fault.saturated_overflow ? Overflow::saturate : Overflow::ieee);
  }

 private:
  [[nodiscard]] double sum(Index batch, Index row, Index column) const {
    using Accumulator = typename Op::Accumulator;
    const auto& [a, b, c] = arguments;
    const Index source = fault.wrong_batch && batch == 1 ? 0 : batch;
    const auto products = [&](Index k) -> std::pair<double, double> {
      if (k >= fault.skipped_first && k < fault.skipped_last) return {0, 0};
      const double left = read(a(source, row, k)), right = read(b(source, k, column));
      return {k == fault.repeated ? 2 * left : left, right};
    };
    const Index terms = a.extents[2];
    if (fault.narrow_accumulator) return sum_in_order<NarrowFormat<Op>>(order, products, terms);
    if (fault.rounded_partial_sums) {
      const Index part = (terms + 3) / 4;
      double total = 0;
      for (Index start = 0; start < terms; start += part)
        total = round_to<Accumulator>(total + round_to<NarrowFormat<Op>>(sum_sequential<Accumulator>(products, start, start + part < terms ? start + part : terms, false)));
      return total;
    }
    return sum_in_order<Accumulator>(order, products, terms);
  }

  template <class T>
  [[nodiscard]] double read(T stored) const {
    if (fault.flushed_subnormals && is_subnormal(stored)) return 0;
    const double value = decode(stored);
    constexpr FloatLayout tf32{8, 10, 127, SpecialValues::ieee};
    return fault.narrow_inputs ? assay::decode(tf32, assay::encode(tf32, value)) : value;
  }
};

template <Format C>
struct WriteZero {
  StridedView<C, 3> c;

  void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index);
    c(element / c.extents[2] / c.extents[1], element / c.extents[2] % c.extents[1], element % c.extents[2]) = encode<C>(0.0);
  }
};

/// Faults that spoil memory after the work is done.
template <class Op>
void spoil(std::string_view name, const typename Op::Arguments& arguments, const EmulatedGemmElement<Op>& element, std::uint64_t seed) {
  using C = typename Op::FormatC;
  const auto& c = arguments.c;
  if (c.size() == 0) return;
  const Index batch = static_cast<Index>(seed % static_cast<std::uint64_t>(c.extents[0]));
  const Index row = static_cast<Index>(seed / 3 % static_cast<std::uint64_t>(c.extents[1]));
  const Index column = static_cast<Index>(seed / 7 % static_cast<std::uint64_t>(c.extents[2]));
  if (name == "neighbour_element") c(batch, row, column) = c(batch, row, (column + 1) % c.extents[2]);
  if (name == "nan_written") c(batch, row, column) = FormatTraits<C>::from_bits(static_cast<typename FormatTraits<C>::Bits>(FormatTraits<C>::layout.nan_bits()));
  if (name == "stale_tile") {
    const Index first_row = row / 16 * 16, first_column = column / 16 * 16;
    for (Index i = first_row; i < first_row + 16 && i < c.extents[1]; ++i)
      for (Index j = first_column; j < first_column + 16 && j < c.extents[2]; ++j) c(batch, i, j) = element.value(batch, c.extents[1] - 1 - i, j);
  }
  if (name == "canary_overwritten") (&c(c.extents[0] - 1, c.extents[1] - 1, c.extents[2] - 1))[1] = encode<C>(0.0);
  if (name == "input_modified" && arguments.a.size() > 0) {
    using A = typename Op::FormatA;
    A* stored = const_cast<A*>(&arguments.a(0, 0, 0));
    *stored = FormatTraits<A>::from_bits(static_cast<typename FormatTraits<A>::Bits>(FormatTraits<A>::to_bits(*stored) ^ 1));
  }
}

}  // namespace detail

/// A kernel emulated on the host that adds in a given order, with the fault of this name (see `gemm_faults`) or, without one, right.
/// `seed` decides where a local fault strikes. It promises the accumulator of `Op`, or the truncating blocks that it has.
/// Misuse: an unknown name.
template <class Op>
[[nodiscard]] GemmSubject<Op> emulated_gemm_subject(SummationOrder order, std::optional<std::string> fault_name = std::nullopt, std::uint64_t seed = 0, Host host = Host()) {
  std::vector<std::string> known;
  for (const Fault& fault : gemm_faults()) known.push_back(fault.name);
  expect(!fault_name || std::find(known.begin(), known.end(), *fault_name) != known.end(), [&] { return unknown_name("fault", *fault_name, known); });

  GemmSubject<Op> subject;
  subject.name = fault_name ? "faulty-" + *fault_name : "emulated-" + std::string(name_of(order));
  subject.accumulation = [order](const GemmProblem&) { return accumulation_of<typename Op::Accumulator>(order); };
  subject.run = [order, name = fault_name.value_or(""), seed, host](const GemmProblem& problem, const typename Op::Arguments& arguments) mutable -> Result<void> {
    const detail::EmulatedFault fault = detail::EmulatedFault::of(name, problem, seed);
    if (name == "unwritten_output") return {};
    typename Op::Arguments written = arguments;
    if (name == "unwritten_tail") written.c.extents[1] = arguments.c.extents[1] / 16 * 16;
    const detail::EmulatedGemmElement<Op> element{written, problem.alpha, problem.beta, order, fault};
    auto stream = host.make_stream();
    if (!stream) return stream.propagate();
    if (auto run = host.parallel_for(stream.value(), static_cast<std::size_t>(written.c.size()), element); !run) return run;
    if (name == "zeros_returned")
      return host.parallel_for(stream.value(), static_cast<std::size_t>(arguments.c.size()), detail::WriteZero<typename Op::FormatC>{arguments.c});
    detail::spoil<Op>(name, arguments, element, seed);
    return {};
  };
  return subject;
}

}  // namespace assay
