#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/graph_tensor.hpp"

namespace assay::inline v0::detail {

using HloExtents = std::vector<std::int64_t>;

/// A tensor of a module: its name there, with '%', and what it is.
struct HloValue {
  std::string name;
  TensorType type = TensorType::float32;
  HloExtents extents;

  [[nodiscard]] std::int64_t rank() const { return static_cast<std::int64_t>(extents.size()); }
};

/// "f32"; empty of types that StableHLO has not.
[[nodiscard]] std::string hlo_element(TensorType type);
/// "tensor<2x3xf32>".
[[nodiscard]] std::string hlo_type(TensorType type, const HloExtents& extents);
[[nodiscard]] inline std::string hlo_type(const HloValue& value) {
  return hlo_type(value.type, value.extents);
}
/// "1, 2, 3".
[[nodiscard]] std::string hlo_list(const HloExtents& values);

[[nodiscard]] constexpr bool is_float(TensorType type) {
  return type == TensorType::float32 || type == TensorType::float64 || type == TensorType::float16 ||
         type == TensorType::bfloat16 || (type >= TensorType::float8e4m3fn && type <= TensorType::float8e5m2fnuz);
}

/// The body of a function of StableHLO, operation by operation. The first thing that cannot be said is kept.
class StableHloBuilder {
 public:
  HloValue emit(const std::string& text, TensorType type, HloExtents extents);
  HloValue unary(const char* operation, const HloValue& x);
  /// Of tensors of one type, spread over one another as ONNX does.
  HloValue binary(const char* operation, const HloValue& a, const HloValue& b);
  /// `direction`: EQ, NE, GE, GT, LE, LT.
  HloValue compare(const char* direction, const HloValue& a, const HloValue& b);
  HloValue select(const HloValue& chooses, const HloValue& a, const HloValue& b);
  HloValue convert(const HloValue& x, TensorType type);
  /// float32 of narrower floats, others as they are.
  HloValue wide(const HloValue& x);
  HloValue constant(const GraphTensor& tensor);
  HloValue scalar(TensorType type, double value);
  HloValue splat(TensorType type, const HloExtents& extents, double value);
  HloValue splat_like(const HloValue& x, double value) { return splat(x.type, x.extents, value); }
  /// The dimensions of x become those at `dimensions`; others are spread.
  HloValue spread(const HloValue& x, const HloExtents& dimensions, const HloExtents& extents);
  /// As ONNX broadcasts, from the last dimension.
  HloValue broadcast(const HloValue& x, const HloExtents& extents);
  HloValue reshape(const HloValue& x, const HloExtents& extents);
  HloValue transpose(const HloValue& x, const HloExtents& order);
  HloValue slice(const HloValue& x, std::int64_t axis, std::int64_t from, std::int64_t to, std::int64_t step = 1);
  HloValue concatenate(const std::vector<HloValue>& parts, std::int64_t axis);
  /// Along an axis the elements at these places, which are known.
  HloValue take(const HloValue& x, std::int64_t axis, const HloExtents& places);
  /// The same, at places that are computed, a list.
  HloValue gather(const HloValue& x, std::int64_t axis, const HloValue& places);
  /// Reduced along axes, which are kept with extent 1. 16-bit sums and products are float32's.
  HloValue reduce(const char* operation, const HloValue& x, double initial, const HloExtents& axes);
  HloValue iota(TensorType type, const HloExtents& extents, std::int64_t axis);
  HloValue integers(const HloExtents& values);
  /// Elementwise with a number.
  HloValue scaled(const HloValue& x, double factor) { return binary("multiply", x, scalar(x.type, factor)); }

  [[nodiscard]] std::string fresh() { return "%v" + std::to_string(count_++); }
  void refuse(ErrorKind kind, std::string reason) {
    if (!refused_) refused_ = Error{kind, std::move(reason)};
  }
  void refuse(std::string reason) { refuse(ErrorKind::unsupported, std::move(reason)); }
  [[nodiscard]] const std::optional<Error>& refused() const { return refused_; }
  [[nodiscard]] const std::string& body() const { return body_; }
  void line(const std::string& text) { body_ += "    " + text + "\n"; }

 private:
  [[nodiscard]] HloExtents spread_extents(const HloExtents& a, const HloExtents& b);

  std::string body_;
  std::optional<Error> refused_;
  int count_ = 0;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/stablehlo_builder.ipp"
#endif
