#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/reduction/reduction.hpp"

namespace assay::inline v0 {

namespace detail {

/// Reductions in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedReduction {
  enum class Order {
    sequential,
    pairwise,
    strided,
    reversed,
    blocked
  };  ///< blocked: variances of blocks of 16 are joined, prefix sums carried between them
  Order order = Order::sequential;
  std::string_view fault = "";

  [[nodiscard]] double round(double value) const {
    return fault == "narrow_accumulator" ? round_to<float16>(value) : round_to<Accumulator>(value);
  }

  template <class Join>
  [[nodiscard]] double fold(std::vector<double> terms, double start, Join join) const {
    if (order == Order::reversed) std::reverse(terms.begin(), terms.end());
    if (order == Order::pairwise || order == Order::blocked)
      return fold_pairwise(std::move(terms), start, [&](double a, double b) { return round(join(a, b)); });
    const std::size_t lanes = order == Order::strided ? 8 : 1;
    double whole = start;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      double own = start;
      for (std::size_t i = lane; i < terms.size(); i += lanes) own = round(join(own, terms[i]));
      whole = lanes == 1 ? own : round(join(whole, own));
    }
    return whole;
  }
  [[nodiscard]] double add_all(const std::vector<double>& terms) const {
    return fold(terms, 0, [](double a, double b) { return a + b; });
  }
  [[nodiscard]] std::vector<double> squares_of(const std::vector<double>& x, double shift) const {
    std::vector<double> squares;
    for (const double value : x) squares.push_back(round(round(value - shift) * round(value - shift)));
    return squares;
  }

  [[nodiscard]] double variance(const ReductionProblem& problem, const std::vector<double>& x) const {
    const double terms = static_cast<double>(x.size());
    const double divisor =
        std::max(0.0, terms - (fault == "correction_ignored" ? 0 : static_cast<double>(problem.correction)));
    if (fault == "one_pass_variance") {
      const double mean = round(add_all(x) / terms);
      return round(round(round(add_all(squares_of(x, 0)) / terms) - round(mean * mean)) * terms / divisor);
    }
    if (order == Order::strided) {  // Welford
      double mean = x.empty() ? 0 : round(x[0]), sum = x.empty() ? 0 : x[0] - x[0], count = x.empty() ? 0 : 1;
      for (std::size_t j = 1; j < x.size(); ++j) {
        const double value = x[j];
        const double delta = round(value - mean);
        mean = round(mean + round(delta / ++count));
        sum = round(sum + round(delta * round(value - mean)));
      }
      return round(sum / divisor);
    }
    if (order == Order::blocked) {
      double mean = 0, sum = 0, count = 0;
      for (std::size_t first = 0; first < x.size(); first += 16) {
        const std::vector<double> block(x.begin() + static_cast<std::ptrdiff_t>(first),
                                        x.begin() + static_cast<std::ptrdiff_t>(std::min(first + 16, x.size())));
        const double own = static_cast<double>(block.size()), block_mean = round(add_all(block) / own),
                     delta = round(block_mean - mean), whole = count + own;
        mean = round(mean + round(delta * round(own / whole)));
        sum = round(round(sum + add_all(squares_of(block, block_mean))) +
                    round(round(delta * delta) * round(count * own / whole)));
        count = whole;
      }
      return round(sum / divisor);
    }
    return round(add_all(squares_of(x, round(add_all(x) / terms))) / divisor);
  }

  [[nodiscard]] double select(const ReductionProblem& problem, const std::vector<double>& x) const {
    const double sign =
        problem.function == ReductionFunction::minimum || problem.function == ReductionFunction::argmin ? -1 : 1;
    const bool last = (problem.ties == TiePolicy::last ||
                       (problem.ties == TiePolicy::any && order == Order::strided)) != (fault == "other_tie");
    double best = std::numeric_limits<double>::quiet_NaN();
    std::ptrdiff_t index = -1;
    if (fault == "extremum_starts_at_zero") best = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (is_nan(x[j])) {
        if (problem.nan_policy == NanPolicy::number || fault == "nan_skipped") continue;
        return problem.gives_index() ? static_cast<double>(j) : x[j];
      }
      if (is_nan(best) || sign * x[j] > sign * best || (x[j] == best && last)) {
        best = x[j];
        index = static_cast<std::ptrdiff_t>(j);
      }
    }
    return problem.gives_index() ? static_cast<double>(index) : best;
  }

  [[nodiscard]] double reduce(const ReductionProblem& problem, const std::vector<double>& x) const {
    const double terms =
        fault == "padded_divisor" ? std::ceil(static_cast<double>(x.size()) / 8) * 8 : static_cast<double>(x.size());
    switch (problem.function) {
      case ReductionFunction::sum: return add_all(x);
      case ReductionFunction::mean: return round(add_all(x) / terms);
      case ReductionFunction::product: return fold(x, 1, [](double a, double b) { return a * b; });
      case ReductionFunction::variance: return variance(problem, x);
      case ReductionFunction::l2_norm: {
        std::vector<double> squares;
        for (const double value : x)
          squares.push_back(fault == "narrow_squares" ? round_to<float16>(value * value) : round(value * value));
        const double sum = add_all(squares);
        return fault == "root_missing" ? sum : round(std::sqrt(sum));
      }
      default: return select(problem, x);
    }
  }

  [[nodiscard]] std::vector<double> scan(const ReductionProblem& problem, const std::vector<double>& x) const {
    std::vector<double> sums;
    double carried = 0, own = 0;
    const std::size_t block = order == Order::blocked || fault == "carry_missing" ? 16 : x.size() + 1;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (j % block == 0 && j > 0) {
        carried = fault == "carry_missing" ? 0 : round(carried + own);
        own = 0;
      }
      if (problem.exclusive != (fault == "scan_shifted")) sums.push_back(round(carried + own));
      own = round(own + x[j]);
      if (problem.exclusive == (fault == "scan_shifted")) sums.push_back(round(carried + own));
    }
    return sums;
  }

  void operator()(const ReductionProblem& problem, const OperandArray& operands) const {
    const Operand &input = operands[Reduction::input], &output = operands[Reduction::output];
    for (Index index = 0; index < problem.outer * problem.inner; ++index) {
      const ReductionRow row(input, problem, index);
      std::vector<double> x;
      for (Index j = 0; j < problem.length; ++j)
        x.push_back(fault == "wrong_axis" && problem.inner > 1 ? input.load((index * problem.length + j) % input.size())
                                                               : row[j]);
      if (fault == "last_term_missing" && x.size() > 1) x.pop_back();
      if (fault == "first_term_twice" && !x.empty()) x.push_back(x[0]);
      if (fault == "vector_remainder" && x.size() > 4) x.resize(x.size() / 4 * 4);
      if (problem.is_scan()) {
        const std::vector<double> sums = scan(problem, x);
        for (std::size_t j = 0; j < std::min(sums.size(), static_cast<std::size_t>(problem.length)); ++j)
          output.store(
              (index / problem.inner * problem.length + static_cast<Index>(j)) * problem.inner + index % problem.inner,
              sums[j]);
        continue;
      }
      double y = reduce(problem, x);
      if (fault == "truncated_output") y = output.format.round(y, Rounding::toward_zero);
      if (fault == "index_of_whole" && problem.gives_index()) y += static_cast<double>(index * problem.length);
      output.store(index, y);
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Reduction> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    return {
        {"last_term_missing", missing_work, "leaves the last element out", {"reduction"}},
        {"first_term_twice", repeated_work, "counts the first element twice", {"reduction"}},
        {"vector_remainder", missing_work, "leaves out what does not fill a vector of 4", {"reduction"}},
        {"narrow_accumulator", precision, "accumulates in float16", {"reduction"}},
        {"narrow_squares", precision, "squares in float16, which overflows above 256", {"reduction"}},
        {"one_pass_variance",
         precision,
         "computes the variance as the mean of squares less the square of the mean",
         {"reduction"}},
        {"correction_ignored", missing_work, "divides by n whatever the correction", {"reduction"}},
        {"padded_divisor", repeated_work, "divides by the length rounded up to a multiple of 8", {"reduction"}},
        {"extremum_starts_at_zero",
         missing_work,
         "starts maxima and minima at 0 instead of the first element",
         {"reduction"}},
        {"nan_skipped", special_value, "passes over NaN where it is to be given back", {"reduction"}},
        {"other_tie",
         addressing,
         "names the last of equal elements where the first is asked for, or the reverse",
         {"reduction"}},
        {"index_of_whole", addressing, "gives indices into the whole tensor instead of the dimension", {"reduction"}},
        {"wrong_axis", addressing, "reduces along the last dimension instead of the middle one", {"reduction"}},
        {"carry_missing", missing_work, "starts prefix sums anew in each block of 16", {"reduction"}},
        {"scan_shifted", addressing, "gives inclusive prefix sums for exclusive ones, or the reverse", {"reduction"}},
        {"root_missing", missing_work, "gives the sum of squares instead of its root", {"reduction"}},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", {"reduction"}}};
  }
  [[nodiscard]] static OperationSubject<Reduction> faulty(std::string_view name) {
    return host_subject<Reduction>(std::string(name), Kernel{Kernel::Order::sequential, own_fault<Reduction>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Reduction>> correct() {
    using Narrow = detail::EmulatedReduction<bfloat16>;
    using Half = detail::EmulatedReduction<float16>;
    return {host_subject<Reduction>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<Reduction>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<Reduction>("strided", Kernel{Kernel::Order::strided}),
            host_subject<Reduction>("reversed", Kernel{Kernel::Order::reversed}),
            host_subject<Reduction>("blocked", Kernel{Kernel::Order::blocked}),
            host_subject<Reduction>("in_bf16", Narrow{Narrow::Order::strided}, arithmetic_in<bfloat16>()),
            host_subject<Reduction>("in_f16", Half{Half::Order::sequential}, arithmetic_in<float16>())};
  }

 private:
  using Kernel = detail::EmulatedReduction<float32>;
};

}  // namespace assay::inline v0
