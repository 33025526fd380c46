#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/faults/gemm_faults.hpp"
#include "assay/faults/rounding_faults.hpp"
#include "assay/faults/summation_order.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay::inline v0 {

namespace detail {

/// A 16-bit format to spoil sums with: the output's own where it has 16 bits, else bfloat16.
template <class Op>
using NarrowFormat = std::conditional_t<sizeof(typename Op::FormatC) == 2, typename Op::FormatC, bfloat16>;

/// What an emulated kernel does, by name, decided once and not per element.
struct EmulatedFault {
  Index skipped_first = -1, skipped_last = -1;  ///< terms left out
  Index repeated = -1;                          ///< a term counted twice
  int accumulator_bits = 0;                     ///< of a short accumulator
  std::uint64_t launch = 0;                     ///< of how many, for faults of chance
  const RoundingFault* rounding = nullptr;      ///< of the output
  bool terms_beyond_the_end = false, sums_toward_zero = false, fused_products = false, rounded_before_beta = false,
       forgotten_alpha = false, private_staging = false;
  bool missing_barrier = false, lost_atomic = false, c_read_for_zero_beta = false;
  bool narrow_accumulator = false, rounded_partial_sums = false, narrow_inputs = false, flushed_subnormals = false;
  bool truncated_output = false, saturated_overflow = false, swallowed_nan = false, forgotten_beta = false,
       wrong_batch = false;

  [[nodiscard]] static EmulatedFault of(std::string_view name, const GemmProblem& problem, std::uint64_t seed);
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
    const Index column = element % c.extents[2], row = element / c.extents[2] % c.extents[1],
                batch = element / c.extents[2] / c.extents[1];
    c(batch, row, column) = value(batch, row, column);
  }

  [[nodiscard]] typename Op::FormatC value(Index batch, Index row, Index column) const {
    using Accumulator = typename Op::Accumulator;
    using C = typename Op::FormatC;
    double result =
        alpha == 0 ? 0 : round_to<Accumulator>((fault.forgotten_alpha ? 1 : alpha) * sum(batch, row, column));
    if (fault.rounded_before_beta) result = round_to<C>(result);
    if (fault.c_read_for_zero_beta && beta == 0) result += 0 * decode(arguments.c(batch, row, column));
    if (beta != 0 && !fault.forgotten_beta)
      result = round_to<Accumulator>(result + round_to<Accumulator>(beta * decode(arguments.c(batch, row, column))));
    if (fault.swallowed_nan && is_nan(result)) result = 0;
    if (fault.rounding != nullptr)
      return FormatTraits<C>::from_bits(static_cast<typename FormatTraits<C>::Bits>(
          fault.rounding->round(result, element_format<C>(), row * arguments.c.extents[2] + column)));
    return encode<C>(result, fault.truncated_output ? Rounding::toward_zero : Rounding::nearest_even,
                     fault.saturated_overflow ? Overflow::saturate : Overflow::ieee);
  }

 private:
  [[nodiscard]] double sum(Index batch, Index row, Index column) const {
    using Accumulator = typename Op::Accumulator;
    const auto& [a, b, c] = arguments;
    const Index source = fault.wrong_batch && batch == 1 ? 0 : batch;
    const auto products = [&](Index k) -> std::pair<double, double> {
      if (k >= fault.skipped_first && k < fault.skipped_last) return {0, 0};
      if (fault.private_staging && k % 16 != column % 16) return {0, 0};
      if (k >= a.extents[2])
        return {read(a(source, (row + 1) % a.extents[1], k - a.extents[2])), read(b(source, k - a.extents[2], column))};
      const double left = read(a(source, row, fault.missing_barrier && k % 32 >= 16 && k >= 32 ? k - 32 : k)),
                   right = read(b(source, k, column));
      return {k == fault.repeated ? 2 * left : left, right};
    };
    const Index terms =
        fault.terms_beyond_the_end ? std::min((a.extents[2] + 7) / 8 * 8, 2 * a.extents[2]) : a.extents[2];
    if (fault.fused_products) return sum_in_order<Accumulator>(SummationOrder::fused, products, terms);
    if (fault.accumulator_bits > 0) return sum_short(products, terms, fault.accumulator_bits);
    if (fault.sums_toward_zero) {
      double total = 0;
      for (Index k = 0; k < terms; ++k)
        total = round_to<Accumulator>(total + products(k).first * products(k).second, Rounding::toward_zero);
      return total;
    }
    if (fault.lost_atomic) {
      const std::uint64_t chance = splitmix64_finalize(
          (fault.launch << 40) +
          static_cast<std::uint64_t>((batch * arguments.c.extents[1] + row) * arguments.c.extents[2] + column));
      const Index part = (terms + 3) / 4, lost = chance % 8 == 0 ? static_cast<Index>(chance / 8 % 4) * part : terms;
      return sum_in_order<Accumulator>(
          order,
          [&](Index k) {
            return k >= lost && k < lost + part ? std::pair<double, double>{0, 0} : products(k);
          },
          terms);
    }
    if (fault.narrow_accumulator) return sum_in_order<NarrowFormat<Op>>(order, products, terms);
    if (fault.rounded_partial_sums) {
      const Index part = (terms + 3) / 4;
      double total = 0;
      for (Index start = 0; start < terms; start += part)
        total =
            round_to<Accumulator>(total + round_to<NarrowFormat<Op>>(sum_sequential<Accumulator>(
                                              products, start, start + part < terms ? start + part : terms, false)));
      return total;
    }
    return sum_in_order<Accumulator>(order, products, terms);
  }

  /// As a matrix unit that adds blocks of products exactly and keeps so many bits of each result.
  template <class Products>
  [[nodiscard]] static double sum_short(const Products& products, Index terms, int bits) {
    double sum = 0;
    for (Index start = 0; start < terms; start += matrix_unit_block) {
      for (Index k = start; k < std::min(start + matrix_unit_block, terms); ++k)
        sum += products(k).first * products(k).second;
      sum = round_to<float32>(sum);
      if (is_finite(sum) && !is_zero(sum)) sum = cut(sum, exponent_of(sum) - bits + 1);
    }
    return sum;
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
    c(element / c.extents[2] / c.extents[1], element / c.extents[2] % c.extents[1], element % c.extents[2]) =
        encode<C>(0.0);
  }
};

/// Faults that spoil memory after the work is done.
template <class Op>
void spoil(std::string_view name, const typename Op::Arguments& arguments, const EmulatedGemmElement<Op>& element,
           std::uint64_t seed) {
  using C = typename Op::FormatC;
  const auto& c = arguments.c;
  if (c.size() == 0) return;
  const Index batch = static_cast<Index>(seed % static_cast<std::uint64_t>(c.extents[0]));
  const Index row = static_cast<Index>(seed / 3 % static_cast<std::uint64_t>(c.extents[1]));
  const Index column = static_cast<Index>(seed / 7 % static_cast<std::uint64_t>(c.extents[2]));
  if (name == "neighbor_element") c(batch, row, column) = c(batch, row, (column + 1) % c.extents[2]);
  if (name == "nan_written")
    c(batch, row, column) =
        FormatTraits<C>::from_bits(static_cast<typename FormatTraits<C>::Bits>(FormatTraits<C>::layout.nan_bits()));
  if (name == "stale_tile" || name == "zero_tile") {
    const Index first_row = row / 16 * 16, first_column = column / 16 * 16;
    for (Index i = first_row; i < first_row + 16 && i < c.extents[1]; ++i)
      for (Index j = first_column; j < first_column + 16 && j < c.extents[2]; ++j)
        c(batch, i, j) = name == "zero_tile" ? encode<C>(0.0) : element.value(batch, c.extents[1] - 1 - i, j);
  }
  if (name == "canary_overwritten") (&c(c.extents[0] - 1, c.extents[1] - 1, c.extents[2] - 1))[1] = encode<C>(0.0);
  if (name == "input_modified" && arguments.a.size() > 0) {
    using A = typename Op::FormatA;
    A* stored = const_cast<A*>(&arguments.a(0, 0, 0));
    *stored =
        FormatTraits<A>::from_bits(static_cast<typename FormatTraits<A>::Bits>(FormatTraits<A>::to_bits(*stored) ^ 1));
  }
}

}  // namespace detail

/// A kernel emulated on the host that adds in a given order, with the fault of this name (see `gemm_faults`,
/// `rounding_faults`) or, without one, right. `seed` decides where a local fault strikes. It promises the accumulator
/// of `Op`, or the truncating blocks that it has. Misuse: an unknown name.
template <class Op>
[[nodiscard]] GemmSubject<Op> emulated_gemm_subject(SummationOrder order,
                                                    std::optional<std::string> fault_name = std::nullopt,
                                                    std::uint64_t seed = 0, Host host = Host()) {
  std::vector<std::string> known;
  for (const Fault& fault : gemm_faults()) known.push_back(fault.name);
  for (const RoundingFault& fault : rounding_faults()) known.push_back(fault.fault.name);
  expect(!fault_name || std::find(known.begin(), known.end(), *fault_name) != known.end(),
         [&] { return unknown_name("fault", *fault_name, known); });

  GemmSubject<Op> subject;
  subject.name = fault_name ? "faulty-" + *fault_name : "emulated-" + std::string(name_of(order));
  subject.accumulation = [order](const GemmProblem&) { return accumulation_of<typename Op::Accumulator>(order); };
  subject.run = [order, name = fault_name.value_or(""), seed, host,
                 launches = std::make_shared<std::atomic<std::uint64_t>>(0)](
                    const GemmProblem& problem, const typename Op::Arguments& arguments) mutable -> Result<void> {
    detail::EmulatedFault fault = detail::EmulatedFault::of(name, problem, seed);
    fault.launch = (*launches)++;
    if (name == "unwritten_output") return {};
    typename Op::Arguments written = arguments;
    if (name == "unwritten_tail") written.c.extents[1] = arguments.c.extents[1] / 16 * 16;
    const detail::EmulatedGemmElement<Op> element{written, problem.alpha, problem.beta, order, fault};
    auto stream = host.make_stream();
    if (!stream) return stream.propagate();
    if (auto run = host.parallel_for(stream.value(), static_cast<std::size_t>(written.c.size()), element); !run)
      return run;
    if (name == "zeros_returned")
      return host.parallel_for(stream.value(), static_cast<std::size_t>(arguments.c.size()),
                               detail::WriteZero<typename Op::FormatC>{arguments.c});
    detail::spoil<Op>(name, arguments, element, seed);
    return {};
  };
  return subject;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/emulated_gemm.ipp"
#endif
