#pragma once

#include "assay/gpgpu/kernels/described_kernel.hpp"

#include <algorithm>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string FilePlace::text() const {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

ASSAY_DETAIL_HEADER_INLINE Result<ExpressionValue> PlacedExpression::evaluate(const ExpressionNames& names) const {
  ExpressionProblem problem;
  auto value = expression.evaluate(names, &problem);
  if (value) return value;
  FilePlace at = place;
  at.column += problem.position;
  return failure(value.error().kind, at.text() + ": " + problem.message);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::int64_t> PlacedExpression::integer(const ExpressionNames& names,
                                                                          std::int64_t least) const {
  const auto value = evaluate(names);
  if (!value) return value.propagate();
  if (value.value().kind != ExpressionValue::Kind::integer)
    return failure(ErrorKind::invalid, place.text() + ": '" + expression.text() + "' is no integer");
  if (value.value().integer < least)
    return failure(ErrorKind::invalid, place.text() + ": '" + expression.text() + "' is " +
                                           std::to_string(value.value().integer) + "; at least " +
                                           std::to_string(least) + " is expected");
  return value.value().integer;
}

ASSAY_DETAIL_HEADER_INLINE bool DescribedKernel::uses(const std::string& name) const {
  const auto in = [&](const PlacedExpression& placed) {
    const auto names = placed.expression.names();
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const KernelArgument& argument) { return in(argument.value); }) ||
         std::any_of(global.begin(), global.end(), in);
}

}  // namespace assay::inline v0
