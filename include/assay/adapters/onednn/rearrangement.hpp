#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "assay/adapters/onednn/detail/operand.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/kernels/rearrangement/rearrangement.hpp"

namespace assay::inline v0 {

namespace detail {

/// A permutation is a reorder from the permuted strides of the input.
inline void onednn_reorder(const RearrangementProblem& problem, const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  dnnl::memory::dims extents, strides;
  for (int d = 0; d < problem.rank; ++d) {
    extents.push_back(operands[0].extents[problem.order[d]]);
    strides.push_back(operands[0].strides[problem.order[d]]);
  }
  dnnl::memory from({extents, *onednn_type_of(problem.format), strides}, engine, operands[0].data),
      to(onednn_descriptor_of(operands[1]), engine, operands[1].data);
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
}

inline void onednn_concat(const RearrangementProblem& problem, const OperandArray& operands) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::vector<dnnl::memory::desc> parts;
  std::unordered_map<int, dnnl::memory> arguments;
  for (int part = 0; part < problem.parts; ++part) {
    if (operands[part].size() == 0) continue;
    arguments.emplace(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(parts.size()),
                      dnnl::memory(onednn_descriptor_of(operands[part]), engine, operands[part].data));
    parts.push_back(onednn_descriptor_of(operands[part]));
  }
  const Operand& output = operands[problem.parts];
  arguments.emplace(DNNL_ARG_DST, dnnl::memory(onednn_descriptor_of(output), engine, output.data));
#if DNNL_VERSION_MAJOR >= 3
  const dnnl::concat::primitive_desc description(engine, onednn_descriptor_of(output), problem.axis, parts);
#else
  const dnnl::concat::primitive_desc description(onednn_descriptor_of(output), problem.axis, parts, engine);
#endif
  dnnl::concat(description).execute(stream, arguments);
  stream.wait();
}

}  // namespace detail

/// oneDNN's reorder and concat. Empty parts are left out, as its concat does not take them.
template <>
struct kernel<OneDnn, Rearrangement> {
  static constexpr bool available = true;

  static Result<void> run(OneDnn&, OneDnn::Stream&, const RearrangementProblem& problem, const OperandArray& operands) {
    if (auto checked = check(problem); !checked) return checked;
    const bool permute = problem.kind == RearrangementKind::permute;
    if (!permute && problem.kind != RearrangementKind::concat)
      return failure(ErrorKind::unsupported, std::string("oneDNN has no primitive for ") + name_of(problem.kind));
    if (!detail::onednn_type_of(problem.format))
      return failure(ErrorKind::unsupported, std::string("oneDNN has no format ") + problem.format.name);
    if (operands[problem.parts].size() == 0) return {};
    return detail::onednn_guarded(std::string(permute ? "reorder of " : "concat of ") + problem.format.name, [&] {
      if (permute)
        detail::onednn_reorder(problem, operands);
      else
        detail::onednn_concat(problem, operands);
    });
  }
};

}  // namespace assay::inline v0
