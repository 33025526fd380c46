#pragma once

#include "assay/kernels/rearrangement/problem.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_dimension(const RearrangementProblem& problem, int d) {
  const std::string at = "[" + std::to_string(d) + "]";
  const Index extent = problem.extents[d];
  const auto refused = [&](const std::string& field, Index value, const std::string& must) {
    return failure(ErrorKind::invalid, field + at + " is " + std::to_string(value) + "; it must be " + must);
  };
  if (extent < 0) return refused("extents", extent, "0 or more");
  switch (problem.kind) {
    case RearrangementKind::permute: {
      if (problem.order[d] < 0 || problem.order[d] >= problem.rank)
        return refused("order", problem.order[d], "a dimension of the input");
      for (int e = 0; e < d; ++e)
        if (problem.order[e] == problem.order[d])
          return refused("order", problem.order[d], "another dimension than order[" + std::to_string(e) + "]");
      return {};
    }
    case RearrangementKind::slice: {
      if (problem.count[d] < 0) return refused("count", problem.count[d], "0 or more");
      if (problem.step[d] == 0) return refused("step", 0, "another number than 0");
      const Index first = problem.start[d], last = first + (problem.count[d] - 1) * problem.step[d];
      if (problem.count[d] > 0 && (first < 0 || first >= extent || last < 0 || last >= extent))
        return refused("start", first,
                       "such that it and the last element, " + std::to_string(last) + ", lie within the extent " +
                           std::to_string(extent));
      return {};
    }
    case RearrangementKind::pad: {
      if (problem.before[d] < 0) return refused("before", problem.before[d], "0 or more");
      if (problem.after[d] < 0) return refused("after", problem.after[d], "0 or more");
      const Index most = problem.mode == PadMode::reflect                    ? extent - 1
                         : problem.mode == PadMode::replicate && extent == 0 ? 0
                                                                             : problem.before[d] + problem.after[d];
      if (problem.before[d] > most)
        return refused("before", problem.before[d],
                       std::to_string(most < 0 ? 0 : most) + " at most: there is nothing more to repeat");
      if (problem.after[d] > most)
        return refused("after", problem.after[d],
                       std::to_string(most < 0 ? 0 : most) + " at most: there is nothing more to repeat");
      return {};
    }
    case RearrangementKind::concat: return {};
    case RearrangementKind::im2col: {
      if (d < 2) return {};
      const int w = d - 2;
      if (problem.window[w] < 1 || problem.stride[w] < 1 || problem.dilation[w] < 1)
        return failure(ErrorKind::invalid,
                       "window, stride and dilation [" + std::to_string(w) + "] are " +
                           extents_name({problem.window[w], problem.stride[w], problem.dilation[w]}) +
                           "; they must be 1 or more");
      if (problem.before[d] < 0 || problem.after[d] < 0)
        return refused("before or after", problem.before[d] < 0 ? problem.before[d] : problem.after[d], "0 or more");
      if (problem.dilation[w] * (problem.window[w] - 1) + 1 > extent + problem.before[d] + problem.after[d])
        return failure(ErrorKind::invalid,
                       "window[" + std::to_string(w) + "] with its dilation is larger than the padded input");
      return {};
    }
  }
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const RearrangementProblem& problem) {
  if (problem.rank < 1 || problem.rank > problem.most)
    return failure(ErrorKind::invalid,
                   "rank is " + std::to_string(problem.rank) + "; it must be 1 to " + std::to_string(problem.most));
  if (problem.kind == RearrangementKind::im2col && problem.rank != 4)
    return failure(ErrorKind::invalid, "rank is " + std::to_string(problem.rank) + "; im2col takes images of rank 4");
  if (problem.kind == RearrangementKind::concat) {
    if (problem.axis < 0 || problem.axis >= problem.rank)
      return failure(ErrorKind::invalid,
                     "axis is " + std::to_string(problem.axis) + "; the rank is " + std::to_string(problem.rank));
    if (problem.parts < 1 || problem.parts > 8)
      return failure(ErrorKind::invalid, "parts is " + std::to_string(problem.parts) + "; 1 to 8 can be put together");
    for (int part = 0; part < problem.parts; ++part)
      if (problem.part_extents[part] < 0)
        return failure(ErrorKind::invalid, "part_extents[" + std::to_string(part) + "] is " +
                                               std::to_string(problem.part_extents[part]) + "; it must be 0 or more");
  } else if (problem.parts != 1) {
    return failure(ErrorKind::invalid, "parts is " + std::to_string(problem.parts) + "; only concat has more than one");
  }
  Index size = 1;
  for (int d = 0; d < problem.rank; ++d) {
    if (auto dimension = detail::check_dimension(problem, d); !dimension) return dimension;
    size = checked_product(size, problem.extents[d] > 0 ? problem.extents[d] : 1);
    if (size < 0)
      return failure(ErrorKind::invalid, "extents exceed 2^63 − 1 elements at dimension " + std::to_string(d));
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string name_of(const RearrangementProblem& problem) {
  const auto list = [&](const Index* values) { return extents_name({values, values + problem.rank}); };
  std::string name = list(problem.extents);
  switch (problem.kind) {
    case RearrangementKind::permute: {
      name += "-order";
      for (int d = 0; d < problem.rank; ++d) name += std::to_string(problem.order[d]);
      return name;
    }
    case RearrangementKind::slice:
      return name + "-from" + list(problem.start) + "-by" + list(problem.step) + "-to" + list(problem.count);
    case RearrangementKind::pad: {
      const char* const modes[] = {"constant", "reflect", "replicate"};
      name += std::string("-") + modes[static_cast<int>(problem.mode)] + "-" + list(problem.before) + "_" +
              list(problem.after);
      return problem.mode == PadMode::constant && problem.value != 0 ? name + "-value" + plain_number(problem.value)
                                                                     : name;
    }
    case RearrangementKind::concat:
      return name + "-axis" + std::to_string(problem.axis) + "-of" +
             extents_name({problem.part_extents, problem.part_extents + problem.parts});
    case RearrangementKind::im2col:
      return name + "-w" + extents_name({problem.window, problem.window + 2}) + "-s" +
             extents_name({problem.stride, problem.stride + 2}) + "-d" +
             extents_name({problem.dilation, problem.dilation + 2}) + "-p" +
             extents_name({problem.before + 2, problem.before + 4}) + "_" +
             extents_name({problem.after + 2, problem.after + 4});
  }
  return name;
}

}  // namespace assay::inline v0
