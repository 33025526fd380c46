#pragma once

#include "assay/frameworks/detail/torch_graph.hpp"

#include <algorithm>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/stablehlo_builder.hpp"
#include "assay/frameworks/detail/torch_elementwise.hpp"
#include "assay/frameworks/detail/torch_images.hpp"
#include "assay/frameworks/detail/torch_lanes.hpp"
#include "assay/frameworks/detail/torch_layout.hpp"
#include "assay/frameworks/detail/torch_products.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE EagerTensor TorchGraph::taken(Result<EagerTensor> tensor) {
  if (tensor) return std::move(tensor).value();
  refuse(tensor.error().kind, tensor.error().message);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TorchGraph::bring(const GraphTensor& tensor) {
  return taken(library_.wrap(tensor));
}

ASSAY_DETAIL_HEADER_INLINE GraphTensor TorchGraph::fetch(const EagerTensor& tensor) {
  auto own = library_.fetch(tensor);
  if (own) return std::move(own).value();
  refuse(own.error().kind, own.error().message);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<EagerTensor> TorchGraph::compute(const std::string& name,
                                                                        const std::vector<TorchArgument>& arguments,
                                                                        std::size_t outputs) {
  std::vector<EagerTensor> none(outputs);
  if (refused()) return none;
  const std::size_t point = name.find('.');
  const std::string overload = point == std::string::npos ? "" : name.substr(point + 1);
  auto results = library_.compute(name.substr(0, point), overload, arguments, outputs);
  if (results) {
    note(name, "cpu");
    return std::move(results).value();
  }
  refuse(results.error().kind, results.error().message);
  return none;
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TorchGraph::reshape(const EagerTensor& x, const EagerExtents& extents) {
  return compute("aten::reshape", {x, extents});
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TorchGraph::add_integers(const EagerTensor& x, const EagerTensor& y) {
  if (refused()) return {};
  EagerExtents extents(std::max(x.extents.size(), y.extents.size()), 1);
  for (const EagerTensor* const own : {&x, &y})
    for (std::size_t d = 0; d < own->extents.size(); ++d) {
      std::int64_t& extent = extents[extents.size() - own->extents.size() + d];
      if (extent == 1) extent = own->extents[d];
    }
  const auto spread = [&](const EagerTensor& own) { return compute("aten::expand", {own, extents, false}); };
  const EagerTensor both = compute("aten::stack", {std::vector<EagerTensor>{spread(x), spread(y)}, 0});
  return compute("aten::sum.dim_IntList", {both, maybe(EagerExtents{0}), false, maybe(x.type)});
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TorchGraph::add(const EagerTensor& x, const EagerTensor& y, bool subtract) {
  if (refused()) return {};
  if (!is_float(x.type)) return add_integers(x, subtract ? compute("aten::neg", {y}) : y);
  const char* const name = subtract ? "aoti_torch_aten_subtract_Tensor" : "aoti_torch_cpu_add_Tensor";
  void* result = nullptr;
  const auto done = library_.call<void*, void*, double, void**>(name, subtract ? "subtract" : "add", x.handle.get(),
                                                                y.handle.get(), 1.0, &result);
  if (!done) {
    refuse(done.error().kind, done.error().message);
    return {};
  }
  note(subtract ? "aten::subtract.Tensor" : "aten::add.Tensor", "cpu");
  return taken(library_.adopt(result));
}

ASSAY_DETAIL_HEADER_INLINE EagerTensor TorchGraph::add_product(const EagerTensor& c, const EagerTensor& a,
                                                               const EagerTensor& b, double alpha, double beta) {
  if (refused() || a.rank() != 2 || b.rank() != 2) {
    refuse(ErrorKind::invalid, "Gemm takes matrices");
    return {};
  }
  const EagerTensor y = taken(library_.empty(a.type, {a.extents[0], b.extents[1]}));
  if (refused()) return {};
  const auto done = library_.call<void*, void*, void*, void*, double, double>(
      "aoti_torch_cpu_addmm_out", "compute aten::addmm.out", y.handle.get(), c.handle.get(), a.handle.get(),
      b.handle.get(), beta, alpha);
  if (!done) refuse(done.error().kind, done.error().message);
  note("aten::addmm.out", "cpu");
  return y;
}

ASSAY_DETAIL_HEADER_INLINE EagerGraph::Operator TorchGraph::mapping(const std::string& operation) const {
  for (const auto family : {torch_elementwise, torch_lanes, torch_layout, torch_products, torch_images})
    if (const Operator own = family(operation); own.map != nullptr) return own;
  return {};
}

}  // namespace assay::inline v0::detail
