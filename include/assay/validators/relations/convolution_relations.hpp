#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "assay/kernels/convolution/convolution.hpp"
#include "assay/validators/relations/relation.hpp"

namespace assay::inline v0 {

namespace detail {

/// Elements of images, weights or results by (outer, channel, place on each of three axes); axes that a problem has not
/// have extent 1.
struct ConvolutionGrid {
  std::array<Index, 5> extents{1, 1, 1, 1, 1}, strides{0, 0, 0, 0, 0};

  ConvolutionGrid(const ConvolutionProblem& problem, const std::vector<Index>& stored) {
    const std::size_t axes = stored.size() - 2;
    const bool last = problem.layout == ConvolutionLayout::channels_last;
    Index stride = 1;
    for (std::size_t d = stored.size(); d-- > 0; stride *= stored[d]) {
      const std::size_t own = d == 0   ? 0
                              : last   ? (d == stored.size() - 1 ? 1 : d + 4 - axes)
                              : d == 1 ? 1
                                       : d + 3 - axes;
      extents[own] = stored[d];
      strides[own] = stride;
    }
  }
  [[nodiscard]] std::size_t at(const std::array<Index, 5>& place) const {
    Index sum = 0;
    for (std::size_t d = 0; d < 5; ++d) sum += place[d] * strides[d];
    return static_cast<std::size_t>(sum);
  }
  template <class Visit>
  void each(Visit visit) const {
    std::array<Index, 5> place{};
    for (place[0] = 0; place[0] < extents[0]; ++place[0])
      for (place[1] = 0; place[1] < extents[1]; ++place[1])
        for (place[2] = 0; place[2] < extents[2]; ++place[2])
          for (place[3] = 0; place[3] < extents[3]; ++place[3])
            for (place[4] = 0; place[4] < extents[4]; ++place[4]) visit(place);
  }
};

}  // namespace detail

/// What forward convolutions keep without a reference, by any algorithm that computes each output from its own
/// products.
template <>
struct OperationRelations<Convolution> {
  using Launch = RelatedLaunch<Convolution>;  ///< of this operation
  using Place = std::array<Index, 5>;         ///< indices of an element: batch, channel, and up to three places

  [[nodiscard]] static std::vector<Relation<Convolution>> all() {
    return {scaled(), single_tap(), channels_reversed(), translated()};
  }

 private:
  static constexpr std::size_t input = ConvolutionOperands::input, weights = ConvolutionOperands::weights,
                               bias = ConvolutionOperands::bias, output = ConvolutionOperands::output;

  static bool any(const ConvolutionProblem& problem) {
    return problem.pass == ConvolutionPass::forward && !problem.transposed &&
           problem.algorithm == ConvolutionAlgorithm::direct && problem.batch > 0 && problem.input_channels > 0 &&
           problem.output_channels > 0;
  }
  [[nodiscard]] static detail::ConvolutionGrid grid(const Launch& launch, std::size_t operand) {
    return {launch.problem, Convolution::operands(launch.problem).value()[operand].extents};
  }
  static void integers(Launch& first) {
    for (const std::size_t operand : {input, weights, bias})
      detail::change(first.operands[operand], detail::unit_integer);
  }

  [[nodiscard]] static Relation<Convolution> scaled() {
    Relation<Convolution> relation;
    relation.name = "scaled";
    relation.statement = "4x and 4 times the bias give 4y";
    relation.blind_to = "whatever is linear in x: missing terms, wrong places, narrow accumulators, zeros";
    relation.needs_range = true;
    relation.holds = any;
    relation.prepare = [](Launch& first) {
      for (const std::size_t operand : {input, weights, bias})
        detail::change(first.operands[operand], detail::moderate);
    };
    relation.transform = [](const Launch& first) {
      Launch second = first;
      detail::scale(second.operands[input], 4);
      detail::scale(second.operands[bias], 4);
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      return std::vector<RelatedValues>{
          {"output", second.operands[output], detail::scaled(first.operands[output], 4), {}}};
    };
    return relation;
  }

  /// The one tap of an output channel that is not zero: an input channel of its group, and a place in the kernel.
  [[nodiscard]] static Place tap(const detail::ConvolutionGrid& grid, Index channel) {
    Place place{channel};
    Index number = channel * 5 + 1;
    for (std::size_t d = 1; d < 5; ++d) {
      place[d] = number % grid.extents[d];
      number = number / grid.extents[d] + channel;
    }
    return place;
  }
  [[nodiscard]] static Relation<Convolution> single_tap() {
    Relation<Convolution> relation;
    relation.name = "single_tap";
    relation.statement =
        "filters with a single 1 give moved images, to the bit unless the accumulator is narrower than the input";
    relation.blind_to = "everything about sums, and taps that no filter has";
    relation.holds = any;
    relation.prepare = [](Launch& first) {
      detail::change(first.operands[input], detail::moderate);
      for (const std::size_t operand : {weights, bias})
        first.operands[operand].assign(first.operands[operand].size(), 0.0);
      const detail::ConvolutionGrid filters = grid(first, weights);
      for (Index channel = 0; channel < filters.extents[0]; ++channel)
        first.operands[weights][filters.at(tap(filters, channel))] = 1;
    };
    relation.relate = [](const Launch& first, const Launch&, const Arithmetic& arithmetic) {
      const ConvolutionProblem& problem = first.problem;
      const detail::ConvolutionGrid images = grid(first, input), filters = grid(first, weights),
                                    results = grid(first, output);
      RelatedValues values{"output", first.operands[output], std::vector<double>(first.operands[output].size()), {}};
      const std::size_t unused = 5 - static_cast<std::size_t>(problem.dimensions);
      results.each([&](const Place& place) {
        const Place own = tap(filters, place[1]);
        Place from{
            place[0],
            place[1] / (problem.output_channels / problem.groups) * (problem.input_channels / problem.groups) + own[1],
            0, 0, 0};
        bool inside = true;
        for (std::size_t d = unused; d < 5; ++d) {
          const ConvolutionAxis& axis = problem.axes[d - unused];
          from[d] = place[d] * axis.stride + own[d] * axis.dilation - axis.padding_before;
          inside = inside && from[d] >= 0 && from[d] < axis.input;
        }
        values.due[results.at(place)] = inside ? problem.output.round(first.operands[input][images.at(from)]) : 0;
      });
      if (arithmetic.accumulation.precision < problem.input.layout.precision())
        for (const double due : values.due) values.allowed.push_back(2 * arithmetic.unit_roundoff() * std::fabs(due));
      return std::vector<RelatedValues>{values};
    };
    return relation;
  }

  [[nodiscard]] static Relation<Convolution> channels_reversed() {
    Relation<Convolution> relation;
    relation.name = "channels_reversed";
    relation.statement = "filters in reverse give channels in reverse: sums of -1, 0 and 1 are exact in any order";
    relation.blind_to = "whatever treats all output channels alike: missing taps, edges, strides";
    relation.holds = [](const ConvolutionProblem& problem) { return any(problem) && problem.groups == 1; };
    relation.prepare = integers;
    relation.transform = [](const Launch& first) {
      Launch second = first;
      second.operands[weights] =
          detail::reversed(first.operands[weights], first.problem.output_channels,
                           static_cast<Index>(first.operands[weights].size()) / first.problem.output_channels);
      second.operands[bias] = detail::reversed(first.operands[bias], first.problem.output_channels, 1);
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      const detail::ConvolutionGrid results = grid(first, output);
      RelatedValues values{"output", second.operands[output], first.operands[output], {}};
      results.each([&](Place place) {
        const std::size_t to = results.at(place);
        place[1] = results.extents[1] - 1 - place[1];
        values.due[to] = first.operands[output][results.at(place)];
      });
      return std::vector<RelatedValues>{values};
    };
    return relation;
  }

  [[nodiscard]] static Relation<Convolution> translated() {
    Relation<Convolution> relation;
    relation.name = "translated";
    relation.statement =
        "an image moved by one stride along its last axis has its results moved by one, where no edge is near";
    relation.blind_to =
        "whatever treats all places alike: missing channels or taps, other axes; and everything at the edges";
    relation.holds = [](const ConvolutionProblem& problem) { return any(problem) && problem.dimensions > 0; };
    relation.prepare = integers;
    relation.transform = [](const Launch& first) {
      Launch second = first;
      const Index stride = first.problem.axes[first.problem.dimensions - 1].stride;
      const detail::ConvolutionGrid images = grid(first, input);
      images.each([&](Place place) {
        const std::size_t to = images.at(place);
        place[4] -= stride;
        second.operands[input][to] = place[4] >= 0 ? first.operands[input][images.at(place)] : 0;
      });
      return second;
    };
    relation.relate = [](const Launch& first, const Launch& second, const Arithmetic&) {
      const ConvolutionAxis& axis = first.problem.axes[first.problem.dimensions - 1];
      const detail::ConvolutionGrid results = grid(first, output);
      RelatedValues values{"output", second.operands[output], first.operands[output],
                           std::vector<double>(first.operands[output].size(), 0x1p1000)};
      results.each([&](Place place) {
        const Index begin = (place[4] - 1) * axis.stride - axis.padding_before,
                    end = place[4] * axis.stride - axis.padding_before + axis.reach();
        if (place[4] < 1 || begin < 0 || end > axis.input) return;
        const std::size_t to = results.at(place);
        --place[4];
        values.due[to] = first.operands[output][results.at(place)];
        values.allowed[to] = 0;
      });
      return std::vector<RelatedValues>{values};
    };
    return relation;
  }
};

}  // namespace assay::inline v0
