#pragma once

#include "assay/validators/given_tensor.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE void GivenTensor::look_at(const void* data, const ElementFormat& format,
                                                     const std::vector<Index>& extents,
                                                     const std::vector<Index>& strides) {
  if (extents.size() > static_cast<std::size_t>(Operand::most_dimensions))
    wrong = "has " + std::to_string(extents.size()) + " dimensions; at most " +
            std::to_string(Operand::most_dimensions) + " are read";
  else if (!strides.empty() && strides.size() != extents.size())
    wrong = "has " + std::to_string(strides.size()) + " strides for " + std::to_string(extents.size()) +
            " extents; give one each, or none";
  else if (std::any_of(extents.begin(), extents.end(), [](Index extent) { return extent < 0; }))
    wrong = "has extents " + extents_name(extents) + "; extents are 0 or more";
  double product = 1, reach = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    product *= static_cast<double>(std::max<Index>(extents[d], 1));
    if (!strides.empty() && wrong.empty())
      reach += static_cast<double>(extents[d]) * std::fabs(static_cast<double>(strides[d]));
  }
  if (wrong.empty() && std::max(product, reach) > 0x1p58) wrong = "reaches beyond every memory";
  if (!wrong.empty()) return;
  view.data = const_cast<void*>(data);
  view.format = format;
  view.rank = static_cast<int>(extents.size());
  Index stride = 1;
  for (int d = view.rank - 1; d >= 0; --d) {
    const auto own = static_cast<std::size_t>(d);
    view.extents[d] = extents[own];
    view.strides[d] = strides.empty() ? stride : strides[own];
    stride *= std::max<Index>(extents[own], 1);
  }
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<Index> extents_of(const Operand& operand) {
  return {operand.extents, operand.extents + std::max(operand.rank, 0)};
}

/// Whether extents are those of a tensor whose neighboring dimensions are split further, so that elements follow each
/// other in the same order; dimensions of one element count for nothing.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool splits(const std::vector<Index>& given, const std::vector<Index>& asked) {
  if (given == asked) return true;
  std::size_t next = 0;
  for (const Index extent : asked) {
    if (extent == 1) continue;
    Index product = 1;
    while (product < extent && next < given.size() && given[next] > 0 && product <= extent / given[next])
      product *= given[next++];
    if (product != extent) return false;
  }
  return std::all_of(given.begin() + static_cast<std::ptrdiff_t>(next), given.end(),
                     [](Index extent) { return extent == 1; });
}

/// The lowest and the highest offset of an element. Precondition: it has elements.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::pair<Index, Index> reach_of(const Operand& operand) {
  std::pair<Index, Index> reach{0, 0};
  for (int d = 0; d < operand.rank; ++d) {
    const Index last = (operand.extents[d] - 1) * operand.strides[d];
    (last < 0 ? reach.first : reach.second) += last;
  }
  return reach;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool share_memory(const Operand& left, const Operand& right) {
  if (left.size() == 0 || right.size() == 0) return false;
  const auto range = [](const Operand& operand) {
    const auto [low, high] = reach_of(operand);
    const auto base = reinterpret_cast<std::intptr_t>(operand.data);
    return std::pair{base + low * operand.format.bytes, base + (high + 1) * operand.format.bytes};
  };
  const auto a = range(left), b = range(right);
  return a.first < b.second && b.first < a.second;
}

/// What is wrong with a tensor in the place of an operand; empty: nothing.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string what_is_wrong(const GivenTensor& tensor, const OperandSpec& spec) {
  const Operand& view = tensor.view;
  if (!tensor.wrong.empty()) return tensor.wrong;
  if (view.rank < 0) return "is no tensor; give its data and extents";
  if (!(view.format == spec.format))
    return std::string("has format ") + view.format.name + ", and the problem says " + spec.format.name +
           "; set the problem's formats to those of the tensors";
  if (!splits(extents_of(view), spec.extents))
    return "has extents [" + extents_name(extents_of(view)) + "], and the problem asks for [" +
           extents_name(spec.extents) + "]; is it transposed, or a member of the problem not set?";
  if (view.size() == 0) return {};
  if (view.data == nullptr) return "is a null pointer for " + std::to_string(view.size()) + " elements";
  const auto [low, high] = reach_of(view);
  if (tensor.elements_there >= 0 && (low < 0 || high >= tensor.elements_there))
    return "has memory of " + std::to_string(tensor.elements_there) +
           " elements, and its extents and strides reach from element " + std::to_string(low) + " to " +
           std::to_string(high);
  if (spec.role == OperandRole::updated && tensor.before == nullptr)
    return "is updated in place: set `before` to what it held before the kernel ran";
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<OperandArray> given_operands(const std::vector<OperandSpec>& specs,
                                                               const std::vector<GivenTensor>& tensors,
                                                               const std::string& problem) {
  std::string names;
  std::size_t present = 0;
  for (const OperandSpec& spec : specs) {
    if (!spec.present) continue;
    ++present;
    names += (names.empty() ? "" : ", ") + spec.name + " " + spec.format.name + "[" + extents_name(spec.extents) + "]";
  }
  if (present != tensors.size())
    return failure(ErrorKind::invalid, std::to_string(tensors.size()) + " tensors were given; " + problem + " has " +
                                           std::to_string(present) + ": " + names);
  OperandArray array;
  array.count = static_cast<int>(specs.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i].present) continue;
    const GivenTensor& tensor = tensors[next++];
    if (const std::string wrong = what_is_wrong(tensor, specs[i]); !wrong.empty())
      return failure(ErrorKind::invalid, specs[i].name + " " + wrong + " (" + problem + " takes " + names + ")");
    array[static_cast<int>(i)] = tensor.view;
  }
  for (std::size_t i = 0; i < specs.size(); ++i)
    for (std::size_t j = 0; j < specs.size(); ++j)
      if (i != j && specs[i].present && specs[j].present && specs[i].role != OperandRole::input &&
          share_memory(array[static_cast<int>(i)], array[static_cast<int>(j)]))
        return failure(ErrorKind::invalid, specs[i].name + " and " + specs[j].name +
                                               " share memory: what was written there cannot be judged by what was "
                                               "there before; give a copy of the input");
  return array;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint64_t> codes_of(const Operand& operand) {
  std::vector<std::uint64_t> codes(static_cast<std::size_t>(operand.size()));
  for (std::size_t e = 0; e < codes.size(); ++e)
    codes[e] = operand.format.load_code(operand.data, operand.offset_of(static_cast<Index>(e)));
  return codes;
}

}  // namespace detail
}  // namespace assay::inline v0
