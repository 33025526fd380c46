#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/table.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/validators/operation_subject.hpp"

namespace assay::inline v0 {

/// How exact a function of one operand is, over the codes of its input format.
struct FunctionProfile {
  /// Names: the unit's and the function's, and those of the formats.
  std::string unit, function, input, output;
  std::uint64_t tried = 0;   ///< inputs
  bool exhaustive = false;   ///< every code of the input format was tried
  std::uint64_t judged = 0;  ///< of them those whose exact result is a normal number of the output
  double worst_ulps =
      0;  ///< largest |result − exact| among these, in units of the output's last place at the exact result
  /// The operand with the largest error, what the unit gave for it, and what is right.
  double worst_at = 0, worst_result = 0, worst_exact = 0;
  std::uint64_t correctly_rounded = 0;  ///< of them those that are the output nearest to the exact result
  /// Inputs whose exact result is a subnormal number, and those of them that give 0.
  std::uint64_t subnormal = 0, flushed = 0;
  std::uint64_t wrong_specials = 0;  ///< NaN, infinities and zeros where they should not be, or missing
  double wrong_special_at = 0, wrong_special_result = 0;  ///< the first of them
};

/// How densely a function is tried.
struct FunctionProfileOptions {
  /// Every how many codes of an input format of more than 16 bits one is tried; an odd number, so that all last bits
  /// come by. 1: all, which takes minutes for float32.
  std::uint64_t stride = 1021;
};

/// Tries a function on every code of an input format of at most 16 bits, else on every stride-th code, binade by binade
/// alike. The exact result is that of libm in double, which is good to about 2^−29 ulp of float32. About 50 ns an
/// input. Errors of the kernel are passed on; a function of more than one operand is misuse, and so is a format wider
/// than float32.
template <Backend W>
[[nodiscard]] Result<FunctionProfile> profile_function(W& worker, const OperationSubject<Elementwise>& subject,
                                                       ElementwiseFunction function, const ElementFormat& input,
                                                       const ElementFormat& output,
                                                       const FunctionProfileOptions& options = {}) {
  expect(operands_of(function) == 1 && input.is_float() && input.bytes <= 4 && output.is_float() && output.bytes <= 4,
         [&] {
           return "a profile of " + std::string(name_of(function)) + " from " + input.name + " to " + output.name +
                  " was asked for; give a function of one operand, and floating-point formats up to float32";
         });
  constexpr std::uint64_t chunk = 1 << 16;
  FunctionProfile profile{subject.name, std::string(name_of(function)), input.name, output.name};
  const int bits = input.layout.bits();
  const std::uint64_t codes = std::uint64_t{1} << bits,
                      stride = bits <= 16 ? 1 : std::max<std::uint64_t>(options.stride, 1);
  profile.exhaustive = stride == 1;
  profile.tried = (codes + stride - 1) / stride;
  ElementwiseProblem problem;
  problem.function = function;
  problem.input = problem.second = input;
  problem.output = output;
  problem.extents[0] = static_cast<Index>(std::min(profile.tried, chunk));
  const ElementwiseFormula exact(problem, Arithmetic{});
  auto stream = worker.make_stream();
  if (!stream) return stream.propagate();
  const auto in_bytes = static_cast<std::size_t>(input.bytes), out_bytes = static_cast<std::size_t>(output.bytes),
             count = static_cast<std::size_t>(problem.extents[0]);
  auto given = worker.template allocate<unsigned char>(count * in_bytes);
  if (!given) return given.propagate();
  auto answered = worker.template allocate<unsigned char>(count * out_bytes);
  if (!answered) return answered.propagate();
  OperandArray operands;
  operands.count = 4;
  operands[Elementwise::x] = contiguous_operand(given.value().data(), {problem.extents[0]});
  operands[Elementwise::x].format = input;
  operands[Elementwise::output] = contiguous_operand(answered.value().data(), {problem.extents[0]});
  operands[Elementwise::output].format = output;
  std::vector<unsigned char> codes_in(count * in_bytes), codes_out(count * out_bytes);
  const double least = power_of_two(output.layout.min_exponent());
  for (std::uint64_t first = 0; first < profile.tried; first += count) {
    const auto code_of = [&](std::size_t place) { return std::min(first + place, profile.tried - 1) * stride; };
    for (std::size_t place = 0; place < count; ++place)
      input.store_code(codes_in.data(), static_cast<Index>(place), code_of(place));
    if (auto copied = worker.copy_to_device(stream.value(), given.value().data(), codes_in.data(), codes_in.size());
        !copied)
      return copied.propagate();
    if (auto done = worker.synchronize(stream.value()); !done) return done.propagate();
    if (auto run = subject.run(problem, operands); !run) return run.propagate();
    if (auto copied = worker.copy_to_host(stream.value(), codes_out.data(), answered.value().data(), codes_out.size());
        !copied)
      return copied.propagate();
    if (auto done = worker.synchronize(stream.value()); !done) return done.propagate();
    for (std::size_t place = 0; place < count && first + place < profile.tried; ++place) {
      const double x = input.decode(code_of(place)), r = exact(x, 0, 0).value,
                   result = output.load(codes_out.data(), static_cast<Index>(place)), nearest = output.round(r);
      if (!is_finite(result) || !is_finite(nearest) || r == 0) {
        if (result == nearest || (is_nan(result) && is_nan(nearest))) continue;
        if (is_finite(result) && is_finite(nearest) && detail::absolute(result) < least) continue;
        if (profile.wrong_specials++ == 0) profile.wrong_special_at = x, profile.wrong_special_result = result;
        continue;
      }
      if (detail::absolute(r) < least) {
        ++profile.subnormal;
        profile.flushed += result == 0 && nearest != 0 ? 1 : 0;
        continue;
      }
      ++profile.judged;
      profile.correctly_rounded += result == nearest ? 1 : 0;
      const double ulps = detail::absolute(result - r) / output.unit_in_last_place(r);
      if (ulps > profile.worst_ulps) {
        profile.worst_ulps = ulps;
        profile.worst_at = x;
        profile.worst_result = result;
        profile.worst_exact = r;
      }
    }
  }
  return profile;
}

/// The profiles of functions for people: a row each. Shares have so many digits.
[[nodiscard]] Table function_table(const std::vector<FunctionProfile>& profiles, int digits = 4);

/// What changed numerically, a row each: functions of the same formats, tried on as many inputs. Functions that only
/// one side has are told too.
[[nodiscard]] Table compare_function_profiles(const std::vector<FunctionProfile>& before,
                                              const std::vector<FunctionProfile>& after);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/function_profile.ipp"
#endif
