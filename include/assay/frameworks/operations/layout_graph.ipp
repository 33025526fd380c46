#pragma once

#include "assay/frameworks/operations/layout_graph.hpp"

#include <limits>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/graph_builder.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const GatherProblem& problem) {
  using detail::whole;
  detail::GraphBuilder graph;
  if (problem.out_of_range != OutOfRange::refused)
    graph.refuse("ONNX's Gather and ScatterND leave open what indices out of range mean");
  if (problem.padding_row >= 0) graph.refuse("ONNX has no embedding whose padding row gets no gradient");
  const detail::GraphExtents table{problem.rows, problem.width}, taken{problem.count, problem.width};
  if (problem.kind == GatherKind::gather) {
    const std::string x = graph.input(0, problem.format, table);
    const std::string places = graph.input(1, problem.index_format, {problem.count});
    graph.output(3, graph.node("Gather", {x, places}, {whole("axis", 0)}), problem.format, taken);
    return graph.finish();
  }
  const bool in_place = problem.kind == GatherKind::scatter_add;
  const ElementFormat f32 = element_format<float32>();
  const ElementFormat format =
      problem.format.is_float() ? detail::wide_format(problem.format, problem.format) : problem.format;
  std::string base;
  if (in_place) base = graph.cast(graph.input(0, problem.format, table), problem.format, format);
  const std::string places = graph.cast(graph.input(1, problem.index_format, {problem.count, 1}), problem.index_format,
                                        element_format<std::int64_t>());
  const std::string source = graph.cast(graph.input(2, problem.format, taken), problem.format, format);
  if (!in_place) {
    base = graph.node("ConstantOfShape", {graph.integers(table)});
    base = graph.cast(base, f32, format);
  }
  const std::string y =
      graph.node("ScatterND", {base, places, source}, {GraphAttribute("reduction", std::string("add"))});
  graph.output(in_place ? 0 : 3, graph.cast(y, format, problem.format), problem.format, table);
  return graph.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<OperationGraph> operation_graph(const RearrangementProblem& problem) {
  using detail::GraphExtents, detail::whole;
  detail::GraphBuilder graph;
  if (problem.kind == RearrangementKind::im2col)
    return failure(ErrorKind::unsupported, "ONNX has Col2Im, but no im2col");
  GraphExtents extents, order, axes, starts, ends, steps, pads, result;
  for (int d = 0; d < problem.rank; ++d) {
    extents.push_back(problem.extents[d]);
    order.push_back(problem.order[d]);
    axes.push_back(d);
    starts.push_back(problem.start[d]);
    steps.push_back(problem.step[d]);
    const Index end = problem.start[d] + problem.count[d] * problem.step[d];
    ends.push_back(end < 0 ? std::numeric_limits<std::int64_t>::min() : end);
    pads.push_back(problem.before[d]);
    result.push_back(problem.output_extent(d));
  }
  for (int d = 0; d < problem.rank; ++d) pads.push_back(problem.after[d]);
  std::string y;
  if (problem.kind == RearrangementKind::concat) {
    std::vector<std::string> parts;
    for (int part = 0; part < problem.parts; ++part) {
      GraphExtents own = extents;
      own[static_cast<std::size_t>(problem.axis)] = problem.part_extents[part];
      parts.push_back(graph.input(part, problem.format, own));
    }
    y = graph.node("Concat", parts, {whole("axis", problem.axis)});
  } else {
    const std::string x = graph.input(0, problem.format, extents);
    if (problem.kind == RearrangementKind::permute) y = graph.node("Transpose", {x}, {GraphAttribute("perm", order)});
    if (problem.kind == RearrangementKind::slice) {
      for (int d = 0; d < problem.rank; ++d)
        if (problem.count[d] == 0) ends[static_cast<std::size_t>(d)] = starts[static_cast<std::size_t>(d)];
      y = graph.node("Slice",
                     {x, graph.integers(starts), graph.integers(ends), graph.integers(axes), graph.integers(steps)});
    }
    if (problem.kind == RearrangementKind::pad) {
      const char* const mode = problem.mode == PadMode::constant  ? "constant"
                               : problem.mode == PadMode::reflect ? "reflect"
                                                                  : "edge";
      std::vector<std::string> inputs{x, graph.integers(pads)};
      if (problem.mode == PadMode::constant) inputs.push_back(graph.scalar(problem.format, problem.value));
      y = graph.node("Pad", inputs, {GraphAttribute("mode", std::string(mode))});
    }
  }
  graph.output(problem.kind == RearrangementKind::concat ? problem.parts : 1, y, problem.format, result);
  return graph.finish();
}

}  // namespace assay::inline v0
