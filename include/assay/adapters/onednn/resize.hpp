#pragma once

#include <string>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/resize/resize.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline dnnl::memory::desc onednn_image_descriptor(const Operand& operand, int dimensions,
                                                                bool channels_last) {
  if (!channels_last) return onednn_descriptor_of(operand);
  if (dimensions == 1) return onednn_descriptor_of(operand, {0, 2, 1});
  if (dimensions == 2) return onednn_descriptor_of(operand, {0, 3, 1, 2});
  return onednn_descriptor_of(operand, {0, 4, 1, 2, 3});
}

inline void onednn_resampling(const ResizeProblem& problem, const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto algorithm =
      problem.mode == ResizeMode::nearest ? dnnl::algorithm::resampling_nearest : dnnl::algorithm::resampling_linear;
  const Operand &given = operands[Resize::input], &wanted = operands[Resize::output];
  const auto from = onednn_image_descriptor(given, problem.dimensions, problem.channels_last),
             to = onednn_image_descriptor(wanted, problem.dimensions, problem.channels_last);
  const auto input = problem.backward ? to : from, output = problem.backward ? from : to;
  const auto direction = problem.backward ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::resampling_forward::primitive_desc forward(engine, direction, algorithm, input, output);
#else
  const dnnl::resampling_forward::primitive_desc forward({direction, algorithm, input, output}, engine);
#endif
  dnnl::memory source(from, engine, given.data), destination(to, engine, wanted.data);
  if (!problem.backward) {
    dnnl::resampling_forward(forward).execute(stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, destination}});
  } else {
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::resampling_backward::primitive_desc backward(engine, algorithm, input, output, forward);
#else
    const dnnl::resampling_backward::primitive_desc backward({algorithm, input, output}, engine, forward);
#endif
    dnnl::resampling_backward(backward).execute(stream,
                                                {{DNNL_ARG_DIFF_DST, source}, {DNNL_ARG_DIFF_SRC, destination}});
  }
  stream.wait();
}

}  // namespace detail

/// oneDNN's resampling: nearest (halves go up) and linear, with half-pixel coordinates.
template <>
struct kernel<OneDnn, Resize> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const ResizeProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    if (problem.coordinates != ResizeCoordinates::half_pixel)
      return failure(ErrorKind::unsupported, "oneDNN's resampling has half-pixel coordinates only");
    if (problem.mode == ResizeMode::cubic || problem.antialias)
      return failure(ErrorKind::unsupported,
                     "oneDNN's resampling is nearest or linear, not cubic, and does not antialias");
    if (problem.mode == ResizeMode::nearest &&
        (problem.rounding != NearestRounding::half_up || problem.coordinate_unit == 0))
      return failure(ErrorKind::unsupported,
                     "oneDNN's nearest element is rounded to nearest with halves up, from coordinates in float32");
    if (!detail::onednn_type_of(problem.format))
      return failure(ErrorKind::unsupported, std::string("oneDNN has no format ") + problem.format.name);
    if (problem.batch == 0 || problem.channels == 0) return {};
    return detail::onednn_guarded(std::string("resampling of ") + problem.format.name,
                                  [&] { detail::onednn_resampling(problem, operands); });
  }
};

}  // namespace assay::inline v0
