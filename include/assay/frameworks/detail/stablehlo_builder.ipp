#pragma once

#include "assay/frameworks/detail/stablehlo_builder.hpp"

#include <algorithm>
#include <array>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string hlo_element(TensorType type) {
  // By the numbers of `TensorType`.
  static constexpr const char* names[] = {"",    "f32", "ui8",  "i8",       "ui16",       "i16",    "i32",
                                          "i64", "",    "i1",   "f16",      "f64",        "ui32",   "ui64",
                                          "",    "",    "bf16", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ"};
  const auto number = static_cast<std::size_t>(type);
  return number < std::size(names) ? names[number] : "";
}

ASSAY_DETAIL_HEADER_INLINE std::string hlo_list(const HloExtents& values) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string hlo_type(TensorType type, const HloExtents& extents) {
  std::string text = "tensor<";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + "x";
  return text + hlo_element(type) + ">";
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::emit(const std::string& text, TensorType type,
                                                           HloExtents extents) {
  if (hlo_element(type).empty())
    refuse("elements of " + std::string(name_of(type)) + " are not handed to compilers of StableHLO");
  HloValue value{fresh(), type, std::move(extents)};
  line(value.name + " = " + text);
  return value;
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::unary(const char* operation, const HloValue& x) {
  const bool other = std::string(operation).find('.') != std::string::npos;  // of another dialect
  const std::string type = hlo_type(x);
  return emit((other ? "" : "stablehlo.") + std::string(operation) + " " + x.name + " : " +
                  (other ? type + " -> " + type : type),
              x.type, x.extents);
}

ASSAY_DETAIL_HEADER_INLINE HloExtents StableHloBuilder::spread_extents(const HloExtents& a, const HloExtents& b) {
  HloExtents extents(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::int64_t own = i < a.size() ? a[a.size() - 1 - i] : 1, other = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (own != other && own != 1 && other != 1)
      refuse(ErrorKind::invalid, "extents " + hlo_list(a) + " and " + hlo_list(b) + " do not fit");
    extents[extents.size() - 1 - i] = own == 1 ? other : own;
  }
  return extents;
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::binary(const char* operation, const HloValue& a,
                                                             const HloValue& b) {
  const HloExtents extents = spread_extents(a.extents, b.extents);
  if (a.type != b.type)
    refuse(ErrorKind::invalid,
           std::string(operation) + " of " + std::string(name_of(a.type)) + " and " + std::string(name_of(b.type)));
  const HloValue left = broadcast(a, extents), right = broadcast(b, extents);
  return emit("stablehlo." + std::string(operation) + " " + left.name + ", " + right.name + " : " + hlo_type(left),
              a.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::compare(const char* direction, const HloValue& a,
                                                              const HloValue& b) {
  const HloExtents extents = spread_extents(a.extents, b.extents);
  const HloValue left = broadcast(a, extents), right = broadcast(b, extents);
  const std::string type = hlo_type(left);
  return emit("stablehlo.compare " + std::string(direction) + ", " + left.name + ", " + right.name + " : (" + type +
                  ", " + type + ") -> " + hlo_type(TensorType::boolean, extents),
              TensorType::boolean, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::select(const HloValue& chooses, const HloValue& a,
                                                             const HloValue& b) {
  const HloExtents extents = spread_extents(chooses.extents, spread_extents(a.extents, b.extents));
  const HloValue which = broadcast(chooses, extents), left = broadcast(a, extents), right = broadcast(b, extents);
  return emit("stablehlo.select " + which.name + ", " + left.name + ", " + right.name + " : " + hlo_type(which) + ", " +
                  hlo_type(left),
              a.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::convert(const HloValue& x, TensorType type) {
  if (x.type == type) return x;
  return emit("stablehlo.convert " + x.name + " : (" + hlo_type(x) + ") -> " + hlo_type(type, x.extents), type,
              x.extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::wide(const HloValue& x) {
  return is_float(x.type) && x.type != TensorType::float64 ? convert(x, TensorType::float32) : x;
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::constant(const GraphTensor& tensor) {
  const bool plain = tensor.size() > 0 && tensor.byte_size() == static_cast<std::int64_t>(tensor.bytes.size());
  if (tensor.size() != 0 && (!plain || (tensor.type == TensorType::boolean && tensor.size() > 1)))
    refuse("constants of " + shape_text(tensor.type, tensor.extents) + " are not written");
  std::string text;
  static constexpr const char* digits = "0123456789ABCDEF";
  if (plain && tensor.type == TensorType::boolean) {
    text = tensor.bytes[0] != 0 ? "true" : "false";
  } else if (plain && (tensor.size() > 1 || is_float(tensor.type))) {
    const bool one = tensor.size() == 1;
    text = one ? "0x" : "\"0x";
    for (std::size_t i = 0; i < tensor.bytes.size(); ++i) {
      // A number is written from its highest digit, data as they lie in memory.
      const auto byte = static_cast<unsigned char>(tensor.bytes[one ? tensor.bytes.size() - 1 - i : i]);
      text += digits[byte >> 4];
      text += digits[byte & 15];
    }
    if (!one) text += "\"";
  } else if (plain) {
    text = std::to_string(static_cast<std::int64_t>(value_at(tensor, 0)));
  }
  return emit("stablehlo.constant dense<" + text + "> : " + hlo_type(tensor.type, tensor.extents), tensor.type,
              tensor.extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::scalar(TensorType type, double value) {
  if (type == TensorType::boolean) {
    GraphTensor tensor{"", type, {}, std::string(1, value != 0 ? '\1' : '\0'), {}};
    return constant(tensor);
  }
  if (!element_format_of(type)) {
    refuse("numbers of type " + std::string(name_of(type)) + " are not written");
    return {"%none", type, {}};
  }
  return constant(tensor_of_values("", type, {}, {value}));
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::splat(TensorType type, const HloExtents& extents, double value) {
  return spread(scalar(type, value), {}, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::spread(const HloValue& x, const HloExtents& dimensions,
                                                             const HloExtents& extents) {
  if (x.extents == extents) return x;
  return emit("stablehlo.broadcast_in_dim " + x.name + ", dims = [" + hlo_list(dimensions) + "] : (" + hlo_type(x) +
                  ") -> " + hlo_type(x.type, extents),
              x.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::broadcast(const HloValue& x, const HloExtents& extents) {
  HloExtents dimensions;
  for (std::size_t i = 0; i < x.extents.size(); ++i)
    dimensions.push_back(static_cast<std::int64_t>(extents.size() - x.extents.size() + i));
  return spread(x, dimensions, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::reshape(const HloValue& x, const HloExtents& extents) {
  if (x.extents == extents) return x;
  return emit("stablehlo.reshape " + x.name + " : (" + hlo_type(x) + ") -> " + hlo_type(x.type, extents), x.type,
              extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::transpose(const HloValue& x, const HloExtents& order) {
  HloExtents extents;
  for (const std::int64_t from : order) extents.push_back(x.extents.at(static_cast<std::size_t>(from)));
  return emit("stablehlo.transpose " + x.name + ", dims = [" + hlo_list(order) + "] : (" + hlo_type(x) + ") -> " +
                  hlo_type(x.type, extents),
              x.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::slice(const HloValue& x, std::int64_t axis, std::int64_t from,
                                                            std::int64_t to, std::int64_t step) {
  HloExtents extents = x.extents;
  std::string ranges;
  for (std::int64_t d = 0; d < x.rank(); ++d) {
    const std::int64_t extent = x.extents[static_cast<std::size_t>(d)];
    ranges += d == 0 ? "" : ", ";
    ranges += d == axis ? std::to_string(from) + ":" + std::to_string(to) + ":" + std::to_string(step)
                        : "0:" + std::to_string(extent);
  }
  extents[static_cast<std::size_t>(axis)] = to > from ? (to - from + step - 1) / step : 0;
  return emit("stablehlo.slice " + x.name + " [" + ranges + "] : (" + hlo_type(x) + ") -> " + hlo_type(x.type, extents),
              x.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::concatenate(const std::vector<HloValue>& parts,
                                                                  std::int64_t axis) {
  HloExtents extents = parts.at(0).extents;
  std::int64_t& along = extents[static_cast<std::size_t>(axis)];
  along = 0;
  std::string names, types;
  for (const HloValue& part : parts) {
    along += part.extents[static_cast<std::size_t>(axis)];
    names += (names.empty() ? "" : ", ") + part.name;
    types += (types.empty() ? "" : ", ") + hlo_type(part);
  }
  return emit("stablehlo.concatenate " + names + ", dim = " + std::to_string(axis) + " : (" + types + ") -> " +
                  hlo_type(parts[0].type, extents),
              parts[0].type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::integers(const HloExtents& values) {
  GraphTensor tensor{"", TensorType::int64, {static_cast<std::int64_t>(values.size())}, {}, {}};
  if (!values.empty())
    tensor.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
  return constant(tensor);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::take(const HloValue& x, std::int64_t axis,
                                                           const HloExtents& places) {
  // Runs of neighbors are slices, which compilers have no reason to get wrong.
  const auto count = static_cast<std::int64_t>(places.size());
  const std::int64_t step = count > 1 ? places[1] - places[0] : 1;
  bool run = step > 0;
  for (std::size_t i = 1; i < places.size(); ++i) run &= places[i] - places[i - 1] == step;
  if (count == 0) return slice(x, axis, 0, 0);
  if (run) return slice(x, axis, places[0], places.back() + 1, step);
  return gather(x, axis, integers(places));
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::gather(const HloValue& x, std::int64_t axis,
                                                             const HloValue& places) {
  HloExtents extents = x.extents, sizes = x.extents, others;
  extents[static_cast<std::size_t>(axis)] = places.extents.at(0);
  sizes[static_cast<std::size_t>(axis)] = 1;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (d != axis) others.push_back(d);
  const std::string own = std::to_string(axis);
  return emit("\"stablehlo.gather\"(" + x.name + ", " + places.name +
                  ") <{dimension_numbers = #stablehlo.gather<offset_dims = [" + hlo_list(others) +
                  "], collapsed_slice_dims = [" + own + "], start_index_map = [" + own +
                  "], index_vector_dim = 1>, slice_sizes = array<i64: " + hlo_list(sizes) +
                  ">, indices_are_sorted = false}> : (" + hlo_type(x) + ", " + hlo_type(places) + ") -> " +
                  hlo_type(x.type, extents),
              x.type, extents);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::reduce(const char* operation, const HloValue& x, double initial,
                                                             const HloExtents& axes) {
  const bool sums = operation == std::string("add") || operation == std::string("multiply");
  const HloValue from = sums ? wide(x) : x;
  HloExtents reduced, kept = x.extents;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end())
      reduced.push_back(x.extents[static_cast<std::size_t>(d)]);
    else
      kept[static_cast<std::size_t>(d)] = 1;
  const HloValue first = scalar(from.type, initial);
  const HloValue result = emit("stablehlo.reduce(" + from.name + " init: " + first.name + ") applies stablehlo." +
                                   operation + " across dimensions = [" + hlo_list(axes) + "] : (" + hlo_type(from) +
                                   ", " + hlo_type(first) + ") -> " + hlo_type(from.type, reduced),
                               from.type, reduced);
  return convert(reshape(result, kept), x.type);
}

ASSAY_DETAIL_HEADER_INLINE HloValue StableHloBuilder::iota(TensorType type, const HloExtents& extents,
                                                           std::int64_t axis) {
  return emit("stablehlo.iota dim = " + std::to_string(axis) + " : " + hlo_type(type, extents), type, extents);
}

}  // namespace assay::inline v0::detail
