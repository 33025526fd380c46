#pragma once

#include "assay/kernels/resize/resize.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE OperationData Resize::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                      std::uint64_t seed) {
  OperationData data;
  const std::vector<Index> extents = extents_of(problem, false);
  OperandFill x;
  x.pattern = {kind, seed * 4, extents.back(), problem.format.layout};
  const bool independent = kind == FillKind::normal || kind == FillKind::uniform || kind == FillKind::special ||
                           kind == FillKind::log_uniform;
  data.model = independent ? RoundingModel::statistical : RoundingModel::worst_case;
  if (!problem.format.is_float()) x.scale = 50;
  if (kind == FillKind::canceling) {
    x.pattern.kind = FillKind::normal;
    x.offset = 100;
    if (!problem.format.is_float()) x.scale = 9;
  }
  if (kind == FillKind::extreme && problem.format.is_float()) x.scale = 0x1p-5;
  if (kind == FillKind::special) {
    x.lowest = -100;
    x.highest = 100;
  }
  if (kind == FillKind::exact_integer) {
    std::vector<double> ramp;
    Index size = 1, inner = problem.channels_last ? problem.channels : 1;
    for (const Index extent : extents) size *= extent;
    for (Index e = 0; e < size; ++e)
      ramp.push_back(static_cast<double>(e / inner % problem.read(problem.dimensions - 1)));
    x = OperandFill::of(std::move(ramp));
  }
  data.operands = {x, {}};
  return data;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> Resize::derivation(const Problem& problem, RoundingModel,
                                                                       const Arithmetic& arithmetic) {
  using detail::number;
  return {
      "y = sum w x over the taps of all dimensions; weights differ by delta as coordinates do (4 u_c (|s| + 1/2), u_c "
      "= " +
          number(problem.coordinate_unit) +
          ", 0 where n/m is exact) and by rho as they round, u = " + number(arithmetic.unit_roundoff()),
      problem.mode == ResizeMode::nearest
          ? "E = 0, but where the coordinate lies within its error of a jump: there the difference to the other element"
          : "E = sum delta |x - y| + sum rho |x| + g(taps + 2 dimensions) sum |w x| + (terms + 1) eta (Higham 2002, "
            "sections 3.1 and "
            "3.3)"};
}

/// Every mode with every coordinate rule over: doubling (decoders, U-Net, YOLO's neck), shrinking, odd ratios, to one
/// element, from one, no change; antialiased thumbnails.
ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Resize::Problem>> Resize::shapes(const ElementFormat& format) {
  using enum FillKind;
  const std::vector<FillKind> all{normal, uniform, constant, canceling, exact_integer, one_hot, extreme, special},
      core{normal, canceling, exact_integer, special}, one{normal};
  std::vector<OperationShape<Problem>> shapes;
  const auto add = [&](Problem problem, std::vector<Index> from, std::vector<Index> to,
                       const std::vector<FillKind>& fills, bool large = false) {
    problem.format = problem.format.is_float() ? format : problem.format;
    problem.dimensions = static_cast<int>(from.size());
    for (std::size_t d = 0; d < from.size(); ++d) {
      problem.input[d] = from[d];
      problem.output[d] = to[d];
    }
    shapes.push_back({problem, fills, large});
  };
  for (const ResizeMode mode : {ResizeMode::nearest, ResizeMode::linear, ResizeMode::cubic})
    for (const ResizeCoordinates coordinates :
         {ResizeCoordinates::half_pixel, ResizeCoordinates::align_corners, ResizeCoordinates::asymmetric}) {
      Problem problem;
      problem.mode = mode;
      problem.coordinates = coordinates;
      problem.batch = 2;
      problem.channels = 3;
      const bool usual = coordinates == ResizeCoordinates::half_pixel;
      if (mode == ResizeMode::nearest && !usual)
        problem.rounding =
            coordinates == ResizeCoordinates::asymmetric ? NearestRounding::floor : NearestRounding::half_up;
      add(problem, {7, 9}, {14, 18}, usual ? all : core);
      add(problem, {12, 10}, {5, 7}, core);
      add(problem, {11, 8}, {4, 21}, usual ? all : core);
      add(problem, {37}, {101}, core);
      add(problem, {6, 5}, {6, 1}, one);
      add(problem, {1, 3}, {4, 7}, one);
      if (mode != ResizeMode::cubic) add(problem, {3, 4, 5}, {5, 8, 3}, core);
      Problem back = problem;
      back.backward = true;
      add(back, {7, 9}, {14, 18}, {normal, special});
      add(back, {11, 8}, {4, 21}, {normal, constant});
      Problem last = problem;
      last.channels_last = true;
      add(last, {8, 6}, {13, 11}, {normal, exact_integer});
      if (mode == ResizeMode::nearest)
        for (const NearestRounding rounding :
             {NearestRounding::floor, NearestRounding::ceil, NearestRounding::half_up, NearestRounding::half_down}) {
          problem.rounding = rounding;
          add(problem, {8, 12}, {4, 36}, {exact_integer, one_hot});
          add(problem, {11, 8}, {4, 22}, one);
          problem.coordinate_unit = 0;
          add(problem, {6, 6}, {35, 246}, {exact_integer});  // 41 · (1/41) is below 1 in float32
          problem.coordinate_unit = 0x1p-24;
        }
      if (mode == ResizeMode::cubic) {
        problem.cubic_coefficient = -0.5;
        add(problem, {9, 7}, {5, 16}, core);
      }
      if (mode != ResizeMode::nearest && usual) {
        problem.antialias = true;
        add(problem, {23, 17}, {7, 5}, all);
        add(problem, {8, 31}, {16, 9}, core);
        if (mode == ResizeMode::cubic) {
          Problem other = problem;
          other.cubic_coefficient = problem.cubic_coefficient == -0.5 ? -0.75 : -0.5;
          add(other, {19, 14}, {6, 5}, core);
        }
        problem.backward = true;
        add(problem, {14, 15}, {6, 4}, {normal, special});
        problem.antialias = problem.backward = false;
      }
      if (format == element_format<float32>() && usual) {
        problem.format = element_format<std::int8_t>();
        problem.cubic_coefficient = -0.75;
        problem.rounding = NearestRounding::half_up;
        add(problem, {7, 9}, {14, 18}, {normal, constant});
        add(problem, {12, 10}, {5, 7}, {normal});
        problem.format = format;
      }
      if (!usual) continue;
      problem.batch = 0;
      add(problem, {4, 4}, {8, 8}, one);
      problem.batch = 1;
      problem.channels = 256;
      add(problem, {40, 40}, {80, 80}, one, true);  // YOLOv8's neck
    }
  return shapes;
}

}  // namespace assay::inline v0
