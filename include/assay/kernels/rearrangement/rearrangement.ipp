#pragma once

#include "assay/kernels/rearrangement/rearrangement.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<OperandSpec>> Rearrangement::operands(const Problem& problem) {
  if (auto checked = check(problem); !checked) return checked.propagate();
  std::vector<OperandSpec> specs;
  for (int part = 0; part < problem.parts; ++part) {
    std::vector<Index> extents;
    for (int d = 0; d < problem.rank; ++d) extents.push_back(problem.input_extent(part, d));
    specs.push_back(
        {problem.parts > 1 ? "input" + std::to_string(part) : "input", OperandRole::input, problem.format, extents});
  }
  std::vector<Index> extents;
  for (int d = 0; d < problem.output_rank(); ++d) extents.push_back(problem.output_extent(d));
  specs.push_back({"output", OperandRole::output, problem.format, extents});
  return specs;
}

ASSAY_DETAIL_HEADER_INLINE OperationData Rearrangement::data(const Problem& problem, FillKind kind, const Arithmetic&,
                                                             std::uint64_t seed) {
  OperationData data;
  data.model = RoundingModel::exact;
  for (int part = 0; part < problem.parts; ++part) {
    OperandFill fill;
    fill.pattern = {kind, seed * 16 + static_cast<std::uint64_t>(part), 64, problem.format.layout};
    fill.random_codes = kind == FillKind::special || !problem.format.is_float();
    data.operands.push_back(fill);
  }
  data.operands.emplace_back();
  return data;
}

ASSAY_DETAIL_HEADER_INLINE RearrangementExpected Rearrangement::expected_of(const Problem& problem,
                                                                            const OperandArray& operands) {
  RearrangementExpected expected;
  expected.problem = problem;
  for (int part = 0; part < problem.parts; ++part) expected.inputs[part] = operands[part];
  expected.columns = problem.output_extent(problem.output_rank() - 1);
  return expected;
}

/// Transposes about multiples of usual tiles, layouts of attention heads and images, ragged parts, paddings of all
/// modes, convolutions' matrices; once in formats of 8 bits and of 64, too.
ASSAY_DETAIL_HEADER_INLINE std::vector<OperationShape<Rearrangement::Problem>> Rearrangement::shapes(
    const ElementFormat& format) {
  using enum FillKind;
  using Extents = std::vector<Index>;
  std::vector<OperationShape<Problem>> shapes;
  std::vector<ElementFormat> formats{format};
  if (format == element_format<float32>())
    for (const ElementFormat& other :
         {element_format<float8_e4m3fn>(), element_format<float8_e5m2>(), element_format<std::int8_t>(),
          element_format<std::int32_t>(), element_format<float64>()})
      formats.push_back(other);
  for (const ElementFormat& own : formats) {
    const auto start = [&](RearrangementKind kind, const Extents& extents) {
      Problem problem;
      problem.kind = kind;
      problem.format = own;
      problem.rank = static_cast<int>(extents.size());
      for (std::size_t d = 0; d < extents.size(); ++d) problem.extents[d] = extents[d];
      return problem;
    };
    const auto add = [&](const Problem& problem, bool large = false) {
      shapes.push_back(
          {problem, own.is_float() ? std::vector<FillKind>{special, normal, subnormal} : std::vector<FillKind>{special},
           large});
    };
    const auto permute = [&](const Extents& extents, const std::vector<int>& order, bool large = false) {
      Problem problem = start(RearrangementKind::permute, extents);
      for (std::size_t d = 0; d < order.size(); ++d) problem.order[d] = order[d];
      add(problem, large);
    };
    permute({33, 65}, {1, 0});
    permute({64, 128}, {1, 0});
    permute({1, 17}, {1, 0});
    permute({2, 12, 7, 16}, {0, 2, 1, 3});  // heads of attention
    permute({2, 3, 14, 14}, {0, 2, 3, 1});  // NCHW to NHWC
    permute({2, 9, 11, 5}, {0, 3, 1, 2});
    permute({5, 3, 4}, {2, 0, 1});
    permute({2, 3, 2, 3, 2, 3}, {5, 3, 1, 0, 2, 4});
    permute({0, 4}, {1, 0});
    permute({4096, 1024}, {1, 0}, true);
    const auto slice = [&](const Extents& extents, const Extents& first, const Extents& step, const Extents& count) {
      Problem problem = start(RearrangementKind::slice, extents);
      for (std::size_t d = 0; d < extents.size(); ++d) {
        problem.start[d] = first[d];
        problem.step[d] = step[d];
        problem.count[d] = count[d];
      }
      add(problem);
    };
    slice({31, 40}, {3, 8}, {1, 1}, {20, 17});
    slice({31, 40}, {30, 1}, {-2, 3}, {15, 13});
    slice({5, 6, 7}, {1, 5, 0}, {2, -1, 1}, {2, 6, 7});
    const auto pad = [&](PadMode mode, const Extents& extents, const Extents& before, const Extents& after,
                         double value = 0) {
      Problem problem = start(RearrangementKind::pad, extents);
      problem.mode = mode;
      problem.value = value;
      for (std::size_t d = 0; d < extents.size(); ++d) {
        problem.before[d] = before[d];
        problem.after[d] = after[d];
      }
      add(problem);
    };
    for (const PadMode mode : {PadMode::constant, PadMode::reflect, PadMode::replicate}) {
      pad(mode, {2, 3, 9, 11}, {0, 0, 1, 2}, {0, 0, 3, 4});
      pad(mode, {6, 17}, {5, 0}, {2, 16}, 1);
      pad(mode, {13}, {12}, {7});
    }
    const auto concat = [&](const Extents& extents, int axis, const Extents& parts) {
      Problem problem = start(RearrangementKind::concat, extents);
      problem.axis = axis;
      problem.parts = static_cast<int>(parts.size());
      for (std::size_t part = 0; part < parts.size(); ++part) problem.part_extents[part] = parts[part];
      add(problem);
    };
    concat({2, 0, 7, 7}, 1, {5, 16, 3});  // feature maps
    concat({4, 0}, 1, {17, 1, 30, 16});
    concat({0, 13}, 0, {3, 0, 8});
    concat({3, 5, 0}, 2, {8, 8, 8, 8, 8, 8, 8, 8});
    const auto im2col = [&](const Extents& extents, const Extents& window, const Extents& stride,
                            const Extents& dilation, const Extents& before, const Extents& after) {
      Problem problem = start(RearrangementKind::im2col, extents);
      for (std::size_t d = 0; d < 2; ++d) {
        problem.window[d] = window[d];
        problem.stride[d] = stride[d];
        problem.dilation[d] = dilation[d];
        problem.before[2 + d] = before[d];
        problem.after[2 + d] = after[d];
      }
      add(problem);
    };
    im2col({2, 3, 8, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1});
    im2col({1, 2, 13, 11}, {5, 2}, {2, 3}, {1, 2}, {2, 0}, {1, 1});
    im2col({1, 3, 16, 16}, {4, 4}, {4, 4}, {1, 1}, {0, 0}, {0, 0});  // patches of a vision transformer
  }
  return shapes;
}

}  // namespace assay::inline v0
