#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/resize/resize.hpp"

namespace assay::inline v0 {

namespace detail {

/// A resize in which coordinates are in float32 or float64 and every other result is rounded to `Accumulator`, right or
/// with a fault.
template <FloatFormat Accumulator>
struct EmulatedResize {
  enum class Order { last_dimension_first, first_dimension_first, products, differences };
  Order order = Order::last_dimension_first;
  bool double_coordinates = false;
  std::string_view fault = "";

  struct Tap {
    Index position;
    double weight;
  };
  using Taps = std::vector<std::vector<Tap>>;

  static double round(double value) { return round_to<Accumulator>(value); }

  [[nodiscard]] double coordinate(const ResizeProblem& problem, int d, Index o) const {
    const auto store = [&](double x) {
      return fault == "narrow_coordinates" ? round_to<bfloat16>(x)
             : double_coordinates          ? x
                                           : static_cast<double>(static_cast<float>(x));
    };
    const int scaled = fault == "swapped_scales" && problem.dimensions > 1 ? (d + 1) % problem.dimensions : d;
    const double n = static_cast<double>(problem.input[scaled]), m = static_cast<double>(problem.output[scaled]),
                 at = static_cast<double>(o);
    ResizeCoordinates coordinates = problem.coordinates;
    if (fault == "asymmetric_coordinates" && coordinates == ResizeCoordinates::half_pixel)
      coordinates = ResizeCoordinates::asymmetric;
    if (fault == "corners_not_aligned" && coordinates == ResizeCoordinates::align_corners)
      coordinates = ResizeCoordinates::asymmetric;
    switch (coordinates) {
      case ResizeCoordinates::half_pixel: return store(store(store(at + 0.5) * store(n / m)) - 0.5);
      case ResizeCoordinates::align_corners: return m > 1 ? store(at * store((n - 1) / (m - 1))) : 0;
      case ResizeCoordinates::asymmetric: return store(at * store(n / m));
    }
    return 0;
  }
  [[nodiscard]] std::vector<Tap> taps_of(const ResizeProblem& problem, int d, Index o) const {
    const Index extent = problem.input[d];
    if (d >= problem.dimensions) return {{0, 1}};
    const double s = problem.coordinate_unit == 0 && fault != "rounded_coordinates" ? resize_coordinate(problem, d, o)
                                                                                    : coordinate(problem, d, o);
    if (problem.mode == ResizeMode::nearest) {
      NearestRounding rounding = problem.rounding;
      if (fault == "always_floor") rounding = NearestRounding::floor;
      if (fault == "ties_up" && rounding == NearestRounding::half_down) rounding = NearestRounding::half_up;
      const double nearest = rounding == NearestRounding::floor       ? std::floor(s)
                             : rounding == NearestRounding::ceil      ? std::ceil(s)
                             : rounding == NearestRounding::half_down ? std::ceil(s - 0.5)
                                                                      : std::floor(s + 0.5);
      return {{std::clamp(static_cast<Index>(nearest), Index{0}, extent - 1), 1}};
    }
    const bool cubic = problem.mode == ResizeMode::cubic, antialias = problem.antialias && fault != "antialias_ignored";
    const double ratio = static_cast<double>(extent) / static_cast<double>(problem.output[d]),
                 stretch = antialias && ratio > 1 ? ratio : 1, reach = (cubic ? 2 : 1) * stretch;
    const double a = fault == "wrong_coefficient" ? -1.25 - problem.cubic_coefficient : problem.cubic_coefficient;
    std::vector<Tap> taps;
    double sum = 0;
    for (Index position = static_cast<Index>(std::floor(s - reach)) + 1; static_cast<double>(position) < s + reach;
         ++position) {
      if (antialias && (position < 0 || position >= extent)) continue;
      const double distance = std::abs(static_cast<double>(position) - s) / stretch,
                   weight = cubic ? round(keys_cubic(distance, a)) : round(1 - distance);
      const bool outside = position < 0 || position >= extent;
      if (outside && fault == "zero_border") continue;
      taps.push_back({std::clamp(position, Index{0}, extent - 1),
                      fault == "narrow_weights" ? round_to<bfloat16>(weight) : weight});
      sum = round(sum + weight);
    }
    if (fault == "last_tap_missing" && taps.size() > 1) taps.pop_back();
    if (antialias)
      for (Tap& tap : taps) tap.weight = round(tap.weight / (fault == "not_normalized" ? stretch : sum));
    return taps;
  }
  [[nodiscard]] Taps axis(const ResizeProblem& problem, int d) const {
    Taps taps;
    for (Index o = 0; o < problem.output[d]; ++o) taps.push_back(taps_of(problem, d, o));
    if (!problem.backward) return taps;
    Taps back(static_cast<std::size_t>(problem.input[d]));
    for (std::size_t o = 0; o < taps.size(); ++o)
      for (const Tap& tap : taps[o]) {
        std::vector<Tap>& own = back[static_cast<std::size_t>(tap.position)];
        if (fault == "gradient_overwritten") own.clear();
        own.push_back({static_cast<Index>(o), tap.weight});
      }
    return back;
  }
  template <class Load>
  [[nodiscard]] double interpolate(const std::vector<Tap>& taps, bool linear, Load&& load) const {
    if (order == Order::differences && linear && taps.size() == 2) {
      const double first = load(taps[0].position), second = load(taps[1].position);
      return round(first + round(taps[1].weight * round(second - first)));
    }
    double sum = 0;
    for (const Tap& tap : taps)
      sum = tap.weight == 1 && taps.size() == 1 ? load(tap.position)
                                                : round(sum + round(tap.weight * load(tap.position)));
    return sum;
  }

  void operator()(const ResizeProblem& problem, const OperandArray& operands) const {
    const Operand &from = operands[Resize::input], &to = operands[Resize::output];
    const Taps axes[3] = {axis(problem, 0), axis(problem, 1), axis(problem, 2)};
    const bool linear = problem.mode == ResizeMode::linear && !problem.backward && !problem.antialias;
    const auto element = [&](Index image, Index channel, Index place, Index plane) {
      return problem.channels_last ? (image * plane + place) * problem.channels + channel
                                   : (image * problem.channels + channel) * plane + place;
    };
    const Index reads = problem.read(0) * problem.read(1) * problem.read(2),
                writes = problem.written(0) * problem.written(1) * problem.written(2);
    for (Index image = 0; image < problem.batch; ++image)
      for (Index channel = 0; channel < problem.channels; ++channel) {
        std::vector<double> values;
        for (Index place = 0; place < reads; ++place)
          values.push_back(from.load(element(image, channel, place, reads)));
        Index extents[3] = {problem.read(0), problem.read(1), problem.read(2)};
        if (order == Order::products) values = by_products(problem, axes, values);
        for (int step = 0; step < 3 && order != Order::products; ++step) {
          const int d = order == Order::first_dimension_first ? step : 2 - step;
          if (d >= problem.dimensions) continue;
          Index outer = 1, inner = 1;
          for (int e = 0; e < 3; ++e) (e < d ? outer : e > d ? inner : outer) *= e == d ? 1 : extents[e];
          std::vector<double> next;
          for (Index i = 0; i < outer; ++i)
            for (const std::vector<Tap>& taps : axes[d])
              for (Index k = 0; k < inner; ++k)
                next.push_back(interpolate(taps, linear, [&](Index j) {
                  return values[static_cast<std::size_t>((i * extents[d] + j) * inner + k)];
                }));
          extents[d] = static_cast<Index>(axes[d].size());
          values = std::move(next);
        }
        for (Index place = 0; place < writes; ++place) {
          const double y = values[static_cast<std::size_t>(place)];
          to.store(element(image, channel, place, writes),
                   fault == "truncated_output" ? to.format.round(y, Rounding::toward_zero) : y);
        }
      }
  }

 private:
  [[nodiscard]] std::vector<double> by_products(const ResizeProblem& problem, const Taps (&axes)[3],
                                                const std::vector<double>& values) const {
    std::vector<double> result;
    const bool nearest = problem.mode == ResizeMode::nearest && !problem.backward;
    for (const auto& a : axes[0])
      for (const auto& b : axes[1])
        for (const auto& c : axes[2]) {
          double sum = 0;
          for (const Tap& i : a)
            for (const Tap& j : b)
              for (const Tap& k : c) {
                const double x = values[static_cast<std::size_t>(
                    (i.position * problem.read(1) + j.position) * problem.read(2) + k.position)];
                sum = nearest ? x : round(sum + round(round(round(i.weight * j.weight) * k.weight) * x));
              }
          result.push_back(sum);
        }
    return result;
  }
};

}  // namespace detail

template <>
struct OperationFaults<Resize> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"resize", "resize_backward"};
    return {
        {"asymmetric_coordinates", addressing, "takes corners of pixels for their centers", operations},
        {"corners_not_aligned", addressing, "does not align the corners where it is asked to", operations},
        {"swapped_scales", addressing, "takes each dimension's scale for the next one's", operations},
        {"narrow_coordinates", precision, "computes coordinates in bfloat16", operations},
        {"rounded_coordinates", precision, "computes coordinates in float32 where exact ones are promised", operations},
        {"always_floor", addressing, "rounds coordinates down, whichever element is the nearest", operations},
        {"ties_up", rounding, "rounds ties of coordinates up where they are to go down", operations},
        {"zero_border", special_value, "reads zeros beyond the borders", operations},
        {"wrong_coefficient", addressing, "takes another cubic coefficient", operations},
        {"antialias_ignored", missing_work, "does not stretch the filter", operations},
        {"not_normalized", missing_work, "does not normalize the weights of stretched filters", operations},
        {"last_tap_missing", missing_work, "leaves the last element of each filter out", operations},
        {"narrow_weights", precision, "keeps weights in bfloat16", operations},
        {"gradient_overwritten", missing_work, "stores gradients where filters overlap instead of adding them",
         operations},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", operations}};
  }
  [[nodiscard]] static OperationSubject<Resize> faulty(std::string_view name) {
    using Kernel = detail::EmulatedResize<float32>;
    return host_subject<Resize>(std::string(name),
                                Kernel{Kernel::Order::last_dimension_first, false, own_fault<Resize>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Resize>> correct() {
    using Kernel = detail::EmulatedResize<float32>;
    using Narrow = detail::EmulatedResize<bfloat16>;
    using Half = detail::EmulatedResize<float16>;
    return {host_subject<Resize>("last_dimension_first", Kernel{Kernel::Order::last_dimension_first}),
            host_subject<Resize>("first_dimension_first", Kernel{Kernel::Order::first_dimension_first}),
            host_subject<Resize>("products", Kernel{Kernel::Order::products}),
            host_subject<Resize>("differences", Kernel{Kernel::Order::differences}),
            host_subject<Resize>("double_coordinates", Kernel{Kernel::Order::differences, true}),
            host_subject<Resize>("in_bf16", Narrow{Narrow::Order::last_dimension_first}, arithmetic_in<bfloat16>()),
            host_subject<Resize>("in_f16", Half{Half::Order::products}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
