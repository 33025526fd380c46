#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What a unit is known to do with special numbers. The first three are properties that right kernels elsewhere do not
/// have; the others say that a kernel does without them, which is the rule anyhow.
enum class UnitProperty {
  flush_subnormals,  ///< reads subnormal inputs as 0, and writes 0 for subnormal results and sums
  flush_products,    ///< the same of sums of products: GEMM, convolution, attention
  default_nan,       ///< gives one NaN for all: signs and payloads are lost in copies, too
  keep_subnormals,   ///< refuses both kinds of flushing
  keep_nan           ///< refuses `default_nan`
};

/// A property that somebody vouches for, so that kernels are judged by it.
struct UnitPromise {
  UnitProperty property = UnitProperty::flush_products;
  std::vector<std::string> formats;  ///< names of formats whose kernels have it; none: all
  std::string source;                ///< who says so: "documented by …", "promised by --promise"
  std::string backend = {};          ///< whose kernels; empty: all
  std::string operation = {};        ///< of which operation; empty: all that the property is about

  /// Whether it is said of kernels that read or write that format.
  [[nodiscard]] bool is_about(std::string_view format) const;
  /// Whether it is said of that operation of that backend.
  [[nodiscard]] bool is_about(std::string_view of_operation, std::string_view of_backend) const;
};

/// "subnormals of bf16 dot products are flushed (documented by …)".
[[nodiscard]] std::string described(const UnitPromise& promise);

/// Reads "flush_products=bf16,f16,default_nan": properties by name, each with the formats that it is said of, all
/// without any. Errors: `invalid` for unknown names and for properties that contradict each other, with both.
[[nodiscard]] Result<std::vector<UnitPromise>> read_promises(std::string_view text, const std::string& source);

/// Nothing wrong unless one of them flushes or loses what another one keeps, in the same kernels. `invalid`, with both.
[[nodiscard]] Result<void> check_promises(const std::vector<UnitPromise>& promises);

/// `declared`, but for what `asked` keeps, and `asked`: whoever runs a check has the last word.
[[nodiscard]] std::vector<UnitPromise> joined_promises(const std::vector<UnitPromise>& declared,
                                                       const std::vector<UnitPromise>& asked);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/tolerance/unit_promise.ipp"
#endif
