#pragma once

#include "assay/kernels/pooling/pooling.hpp"

#include "assay/core/config.hpp"
#include "assay/kernels/detail/negative_nans.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Pooling::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  const bool back = problem.backward;
  const auto outer = extents_of(problem, true), inner = extents_of(problem, false);
  return std::vector<OperandSpec>{
      {back ? "gradient_output" : "input", OperandRole::input, problem.format, back ? outer : inner},
      {"maxima", OperandRole::input, problem.index_format, outer, back && problem.kind == PoolingKind::maximum},
      {back ? "gradient_input" : "output", OperandRole::output, problem.format, back ? inner : outer},
      {"indices", OperandRole::output, problem.index_format, outer, problem.indices}};
}

ASSAY_DETAIL_HEADER_INLINE OperationData Pooling::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                       std::uint64_t seed) {
  OperationData data;
  OperandFill x, places;
  const std::vector<Index> extents = extents_of(problem, problem.backward);
  x.pattern = {kind, seed * 4, extents.back(), problem.format.layout};
  if (!problem.format.is_float()) x.scale = kind == FillKind::constant ? 420 : 60;
  if (kind == FillKind::near_tie) {
    x.pattern.kind = FillKind::uniform;
    x.scale = -x.scale;
  }
  if (kind == FillKind::one_hot && problem.kind == PoolingKind::maximum && !problem.backward)
    x.offset = x.lowest;  // rounds to minus infinity
  if (kind == FillKind::special && problem.kind == PoolingKind::maximum && !problem.backward) {
    Index elements = 1;
    for (const Index extent : extents) elements *= extent;
    x = detail::with_negative_nans(x, problem.format, elements);
  }
  const bool independent = kind == FillKind::normal || kind == FillKind::uniform || kind == FillKind::log_uniform ||
                           kind == FillKind::near_tie || kind == FillKind::special;
  data.model = problem.kind == PoolingKind::maximum && !problem.backward ? RoundingModel::exact
               : independent                                             ? RoundingModel::statistical
                                                                         : RoundingModel::worst_case;
  if (problem.backward && problem.kind == PoolingKind::maximum) places = OperandFill::of(drawn_maxima(problem, seed));
  data.operands = {x, places, {}, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<double> Pooling::drawn_maxima(const Problem& problem, std::uint64_t seed) {
  Index size = problem.batch * problem.channels;
  for (int d = 0; d < 3; ++d) size *= problem.output(d);
  std::vector<double> places;
  for (Index element = 0; element < size; ++element) {
    const PoolingWindow window = PoolingWindow::of(problem, PoolingPlace::of(element, problem, true).position);
    const RandomBits drawn = random_bits(seed * 4 + 1, static_cast<std::uint64_t>(element), 0);
    Index at[3];
    for (int d = 0; d < 3; ++d)
      at[d] = window.first[d] +
              window.step[d] * (element % 2 == 0
                                    ? window.count[d] - 1
                                    : static_cast<Index>(drawn.words[d] % static_cast<std::uint64_t>(window.count[d])));
    places.push_back(static_cast<double>((at[0] * problem.input[1] + at[1]) * problem.input[2] + at[2]));
  }
  return places;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Pooling::derivation(const Problem& problem, RoundingModel model,
                                                                        const Arithmetic& arithmetic) {
  using detail::number;
  if (problem.kind == PoolingKind::maximum && !problem.backward)
    return {
        "a maximum is one of the inputs: nothing rounds, E = 0; an index is right where it addresses a largest element "
        "of its window"};
  const PoolingBound bound = PoolingBound::of(problem, model, arithmetic);
  const double terms = static_cast<double>(problem.most_terms());
  return {std::string(problem.backward ? "x = sum of the gradients (of averages: over n) of the windows that cover it"
                                       : "y = sum x / n") +
              "; g(" + number(terms) + " terms) = " + number(bound.growth(terms)) +
              (model == RoundingModel::exact ? " (exact data)"
               : bound.growth.confidence > 0 ? " (independent errors)"
                                             : " (errors may align)"),
          (problem.kind == PoolingKind::maximum
               ? std::string("E = g M + (terms + 1) eta, M = sum |x|, u = ")
               : std::string("E = (g + (2u + eps)(1 + g)) M/n + (terms + 1) eta, M = sum |x|, u = ")) +
              number(bound.unit) + ", eps = " + number(bound.function_error) + " (Higham 2002, section 4.2)"};
}

ASSAY_DETAIL_HEADER_INLINE bool Pooling::judge(const Problem& problem, const OperandArray& operands,
                                               const OperandArray& before, int written, const Arithmetic& arithmetic,
                                               Outcome& outcome) {
  if (!judges(problem, written)) return false;
  const PoolingExpected expected{
      problem, PoolingBound::of(problem, RoundingModel::exact, arithmetic), before[input], {}, 1, 0};
  if (written == 0)
    return detail::judge_codes(
        operands[output],
        [&](Index element) { return static_cast<std::uint64_t>(expected.maximum(element).element.integer); }, outcome);
  detail::JudgedOutput judged;
  for (Index element = 0; element < operands[indices].size(); ++element, ++judged.elements) {
    const double index = operands[indices].load(element);
    const PoolingMaximum maximum = expected.maximum(element);
    const PoolingPlace place = PoolingPlace::of(element, problem, true);
    const PoolingWindow window = PoolingWindow::of(problem, place.position);
    const bool is_place = index >= 0 && index < 0x1p53;
    const Index whole = is_place ? static_cast<Index>(index) : -1, i = whole / problem.input[2] / problem.input[1],
                j = whole / problem.input[2] % problem.input[1], k = whole % problem.input[2];
    const std::string which = "index " + detail::number(index) + " of element " + std::to_string(element);
    if (!is_place || !window.covers(0, i) || !window.covers(1, j) || !window.covers(2, k)) {
      judged.refute(which + " lies outside its window");
      continue;
    }
    const auto x = detail::OrderedElement::of(before[input], place.element(problem, false, i, j, k));
    if (!x.equals(maximum.element))
      judged.refute(which + " addresses " + detail::shown(x) + ", the maximum is " + detail::shown(maximum.element));
    else if (problem.ties == IndexTies::first && whole != maximum.place && !is_nan(x.value))
      judged.refute(which + " is not that of the first maximum, " + std::to_string(maximum.place));
  }
  judged.describe(outcome);
  return true;
}

/// Windows of real models (ResNet, Inception, GoogLeNet, YOLO's SPPF, PSPNet's pyramid), one to three dimensions,
/// borders, dilation, adaptive and global pooling.
ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Pooling::Problem>> Pooling::shapes(const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal,    uniform,  log_uniform, constant, exact_integer,
                                  canceling, swamping, near_tie,    extreme,  special},
      core{normal, near_tie, special}, one{normal};
  std::vector<OperationShape<Problem>> shapes;
  struct Line {
    std::vector<Index> input, window, stride, before, after, dilation;
  };
  const auto make = [&](PoolingKind kind, Index batch, Index channels, const Line& line) {
    Problem problem;
    problem.kind = kind;
    problem.batch = batch;
    problem.channels = channels;
    problem.dimensions = static_cast<int>(line.input.size());
    problem.format = format;
    for (std::size_t d = 0; d < line.input.size(); ++d) {
      problem.input[d] = line.input[d];
      problem.window[d] = line.window[d];
      if (!line.stride.empty()) problem.stride[d] = line.stride[d];
      if (!line.before.empty()) problem.padding_before[d] = line.before[d];
      if (!line.after.empty()) problem.padding_after[d] = line.after[d];
      if (!line.dilation.empty()) problem.dilation[d] = line.dilation[d];
    }
    return problem;
  };
  const auto add = [&](const Problem& problem, const std::vector<FillKind>& fills, bool large = false) {
    shapes.push_back({problem, fills, large});
  };
  for (const PoolingKind kind : {PoolingKind::maximum, PoolingKind::average}) {
    const bool maximum = kind == PoolingKind::maximum;
    const Problem resnet = make(kind, 2, 3, {{17, 19}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {}});
    add(resnet, all);
    if (maximum) add(resnet, {one_hot});
    const Problem odd = make(kind, 1, 5, {{11, 7}, {2, 3}, {3, 1}, {1, 0}, {0, 2}, {}});
    add(odd, core);
    add(make(kind, 2, 4, {{13, 13}, {5, 5}, {1, 1}, {2, 2}, {2, 2}, {}}), core);  // SPPF
    if (maximum) add(make(kind, 2, 2, {{15, 14}, {3, 2}, {2, 1}, {2, 1}, {2, 1}, {2, 3}}), core);
    add(make(kind, 3, 2, {{31}, {4}, {3}, {1}, {2}, {}}), core);
    add(make(kind, 1, 2, {{77}, {3}, {}, {}, {}, {}}), one);  // beyond whole tiles of columns
    add(make(kind, 2, 3, {{5, 6, 7}, {2, 3, 2}, {2, 2, 1}, {1, 1, 0}, {0, 1, 1}, {}}), core);
    const Problem global = make(kind, 2, 9, {{7, 7}, {7, 7}, {}, {}, {}, {}});
    add(global, core);  // the last pooling of ResNet-50
    add(make(kind, 0, 3, {{4, 4}, {2, 2}, {2, 2}, {}, {}, {}}), one);
    add(make(kind, 1, 1, {{1, 1}, {1, 1}, {}, {}, {}, {}}), core);
    Problem adaptive = make(kind, 2, 3, {{10, 13}, {1, 1}, {}, {}, {}, {}});
    adaptive.adaptive = true;
    adaptive.adaptive_output[0] = 3;
    adaptive.adaptive_output[1] = 6;
    add(adaptive, core);
    Problem last = resnet;
    last.channels_last = true;
    add(last, core);
    if (maximum) add(last, {one_hot});
    if (maximum) {
      for (Problem problem : {resnet, odd, adaptive, last}) {
        problem.indices = true;
        add(problem, {normal, exact_integer, constant, special});
        problem.ties = IndexTies::first;
        add(problem, {exact_integer});
      }
    } else {
      for (Problem problem : {resnet, odd, last, make(kind, 3, 2, {{31}, {4}, {3}, {1}, {2}, {}})}) {
        problem.include_padding = true;
        add(problem, {normal, constant, swamping, special});
      }
      for (const bool backward : {false, true}) {  // ceil_mode
        Problem problem = make(kind, 2, 3, {{12, 9}, {3, 3}, {2, 2}, {1, 1}, {2, 2}, {}});
        problem.include_padding = true;
        problem.uncounted_after[0] = problem.uncounted_after[1] = 1;
        problem.backward = backward;
        add(problem, {normal, constant});
      }
      add(make(kind, 1, 2, {{40, 40}, {33, 33}, {}, {}, {}, {}}), {normal, uniform, constant, swamping});
    }
    for (Problem problem : {resnet, odd, adaptive, global, last,
                            make(kind, 2, 2, {{6, 5, 4}, {3, 2, 2}, {1, 2, 1}, {1, 0, 1}, {1, 1, 0}, {}})}) {
      problem.backward = true;
      add(problem, {normal, exact_integer, swamping, special});
      problem.include_padding = !maximum && !problem.adaptive;
      if (problem.include_padding) add(problem, {normal, constant});
    }
    add(make(kind, 1, 64, {{112, 112}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {}}), one, true);
    if (!(format == element_format<float32>())) continue;
    for (Problem problem : {resnet, global, adaptive, last}) {
      problem.format = element_format<std::int8_t>();
      add(problem, {normal, constant, near_tie});
    }
  }
  return shapes;
}

}  // namespace assay::inline v0
