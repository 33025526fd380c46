#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction_operator.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/index.hpp"

namespace assay::inline v0 {

/// What is sent. Operations that only move elements send tags, random codes that no two places share, whatever is
/// asked.
enum class CollectiveDataKind {
  decode,  ///< base-4 digits, one or more a rank: exact in any order, and the digits tell how often each rank came in
  exact,   ///< integers over the whole range, affine in the rank; floats with signs of their own: exact in any order
  random,  ///< random numbers, judged by the derived bound
  canceling,   ///< pairs of ranks that cancel but for a small part, judged by the derived bound
  special,     ///< NaN, infinities, zeros of both signs and subnormal numbers among exact data
  order_probe  ///< 2^(p+3), 1, −2^(p+3), 1 at ranks that change: sums show the order of adding
};

/// The name in ids and on the command line.
[[nodiscard]] constexpr std::string_view name_of(CollectiveDataKind kind) noexcept {
  return enum_name(kind);
}

/// What a minimum or maximum makes of NaN and of zeros.
enum class NanReduction {
  any,         ///< NaN or the number, either zero
  propagated,  ///< NaN; −0 is less than +0 (IEEE 754-2019, minimum)
  ignored      ///< the number; −0 is less than +0 (IEEE 754-2019, minimumNumber)
};

/// What all ranks are asked together: the same on every rank.
struct CollectiveProblem {
  CollectiveOperation operation = CollectiveOperation::all_reduce;
  ElementType type = ElementType::float32;
  Index count = 1024;  ///< elements of one block; of all_to_all_v the most that one block has
  ReductionOperator reduction = ReductionOperator::sum;
  int root = 0;           ///< of operations that have one
  bool in_place = false;  ///< one buffer for input and output
  Index offset = 0;       ///< elements by which buffers are moved from where they are aligned
  CollectiveDataKind data = CollectiveDataKind::decode;
  NanReduction nan_policy = NanReduction::any;  ///< what the runtime promises of NaN in reductions
  std::uint64_t seed = 0;                       ///< of the data

  /// "all_reduce.sum/in_process.ring/f32/n4.count1023/decode": operation, runtime, type, shape, data.
  [[nodiscard]] std::string id(const std::string& runtime, int size) const {
    std::string text(name_of(operation));
    if (reduces(operation)) text += "." + std::string(name_of(reduction));
    text += "/" + runtime + "/" + std::string(name_of(type)) + "/n" + std::to_string(size) + ".count" +
            std::to_string(count);
    if (has_root(operation)) text += ".root" + std::to_string(root);
    if (in_place) text += ".in_place";
    if (offset != 0) text += ".offset" + std::to_string(offset);
    return text + "/" +
           std::string(reduces(operation)                          ? name_of(data)
                       : operation == CollectiveOperation::barrier ? "times"
                                                                   : "tags");
  }
};

}  // namespace assay::inline v0
