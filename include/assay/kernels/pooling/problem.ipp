#pragma once

#include "assay/kernels/pooling/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const PoolingProblem& problem) {
  const auto refused = [](const std::string& field, int d, Index value, const char* must) {
    return failure(ErrorKind::invalid,
                   field + "[" + std::to_string(d) + "] is " + std::to_string(value) + "; it must be " + must);
  };
  if (problem.dimensions < 1 || problem.dimensions > 3)
    return failure(ErrorKind::invalid,
                   "dimensions is " + std::to_string(problem.dimensions) + "; pooling has 1 to 3 spatial dimensions");
  if (auto extents = check_extents({{"batch", problem.batch},
                                    {"channels", problem.channels},
                                    {"input[0]", problem.input[0]},
                                    {"input[1]", problem.input[1]},
                                    {"input[2]", problem.input[2]}});
      !extents)
    return extents;
  for (int d = 0; d < 3; ++d) {
    if (problem.input[d] < 1)
      return refused("input", d, problem.input[d], "1 or more: a window needs something to cover");
    if (d >= problem.dimensions && (problem.input[d] != 1 || problem.window[d] != 1 || problem.adaptive_output[d] != 1))
      return failure(ErrorKind::invalid, "dimensions is " + std::to_string(problem.dimensions) +
                                             ", but input, window or adaptive_output has an entry other than 1 at " +
                                             std::to_string(d));
    if (problem.adaptive) {
      if (problem.adaptive_output[d] < 1) return refused("adaptive_output", d, problem.adaptive_output[d], "1 or more");
      continue;
    }
    if (problem.window[d] < 1) return refused("window", d, problem.window[d], "1 or more");
    if (problem.stride[d] < 1) return refused("stride", d, problem.stride[d], "1 or more");
    if (problem.dilation[d] < 1) return refused("dilation", d, problem.dilation[d], "1 or more");
    if (problem.padding_before[d] < 0) return refused("padding_before", d, problem.padding_before[d], "0 or more");
    if (problem.padding_after[d] < 0) return refused("padding_after", d, problem.padding_after[d], "0 or more");
    if (problem.uncounted_after[d] < 0 ||
        problem.uncounted_after[d] > (problem.include_padding ? problem.padding_after[d] : 0))
      return refused("uncounted_after", d, problem.uncounted_after[d],
                     "0, or with include_padding padding_after at most");
    const Index reach = problem.dilation[d] * (problem.window[d] - 1) + 1,
                padded = problem.input[d] + problem.padding_before[d] + problem.padding_after[d];
    if (reach > padded)
      return failure(ErrorKind::invalid, "window[" + std::to_string(d) + "] reaches over " + std::to_string(reach) +
                                             " elements with its dilation, but the padded input has " +
                                             std::to_string(padded));
    for (Index o = 0; o < problem.output(d); ++o) {
      const Index start = o * problem.stride[d] - problem.padding_before[d],
                  skipped = start < 0 ? (-start + problem.dilation[d] - 1) / problem.dilation[d] : 0;
      if (skipped >= problem.window[d] || start + skipped * problem.dilation[d] >= problem.input[d])
        return failure(ErrorKind::invalid, "padding_before[" + std::to_string(d) + "] or padding_after[" +
                                               std::to_string(d) + "] is so large that the window of output position " +
                                               std::to_string(o) + " covers padding only");
    }
  }
  if (problem.divisor < 0)
    return failure(ErrorKind::invalid, "divisor is " + std::to_string(problem.divisor) +
                                           "; it must be above 0, or 0 for the elements of a window");
  if (problem.indices && (problem.kind != PoolingKind::maximum || problem.backward))
    return failure(ErrorKind::invalid, "indices are an output of maximum pooling's forward pass only");
  if (problem.kind == PoolingKind::average && !problem.backward && !problem.format.is_float() &&
      problem.format.bytes > 1)
    return failure(ErrorKind::invalid, std::string("format is ") + problem.format.name +
                                           "; averages are of floating-point numbers or 8-bit integers");
  if (problem.backward) return check_float_formats({{"format", problem.format}});
  if (problem.index_format.is_float() || problem.index_format.bytes < 4)
    return failure(ErrorKind::invalid,
                   std::string("index_format is ") + problem.index_format.name + "; it must be int32 or int64");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const PoolingProblem& problem) {
  const auto list = [&](const Index(&values)[3]) { return extents_name({values, values + problem.dimensions}); };
  const auto all = [&](const Index(&values)[3], Index value) {
    for (int d = 0; d < problem.dimensions; ++d)
      if (values[d] != value) return false;
    return true;
  };
  std::string name = problem.kind == PoolingKind::maximum ? "max-" : "avg-";
  name += extents_name({problem.batch, problem.channels}) + "x" + list(problem.input);
  if (problem.adaptive) {
    name += "-to" + list(problem.adaptive_output);
  } else {
    name += "-w" + list(problem.window);
    if (!all(problem.stride, 1)) name += "-s" + list(problem.stride);
    if (!all(problem.dilation, 1)) name += "-d" + list(problem.dilation);
    if (!all(problem.padding_before, 0) || !all(problem.padding_after, 0))
      name += "-p" + list(problem.padding_before) + "_" + list(problem.padding_after);
  }
  if (problem.include_padding) name += "-include_padding";
  if (problem.divisor > 0 && problem.kind == PoolingKind::average) name += "-divisor" + std::to_string(problem.divisor);
  if (!all(problem.uncounted_after, 0)) name += "-uncounted" + list(problem.uncounted_after);
  if (problem.indices) name += problem.ties == IndexTies::first ? "-first_index" : "-indices";
  if (problem.channels_last) name += "-channels_last";
  return name;
}

}  // namespace assay::inline v0
