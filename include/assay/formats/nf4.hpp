#pragma once

#include "assay/formats/lookup_code.hpp"

namespace assay::inline v0 {

/// The 4-bit NormalFloat: quantiles of the normal distribution, scaled to [−1, 1] with an exact 0, as float32 values.
/// Source: Dettmers, Pagnoni, Holtzman, Zettlemoyer, "QLoRA: efficient finetuning of quantized LLMs", 2023, appendix E.
struct NormalFloat4 {
  /// The 16 values in the order of their codes.
  ASSAY_FUNCTION static constexpr LookupTable<4> table() {
    return {"nf4",
            {-1.0, -0.6961928009986877f, -0.5250730514526367f, -0.39491748809814453f, -0.28444138169288635f,
             -0.18477343022823334f, -0.09105003625154495f, 0.0, 0.07958029955625534f, 0.16093020141124725f,
             0.24611230194568634f, 0.33791524171829224f, 0.44070982933044434f, 0.5626170039176941f, 0.7229568362236023f,
             1.0}};
  }
};

/// A code of that table. bitsandbytes quantizes by comparing a float32, strictly, with the middles of neighboring
/// values, these rounded to float32: like `encode`, it takes the smaller value at a tie. The two differ only for the
/// float32 at a middle that was rounded up, which lies above the true one (bitsandbytes: smaller value; `encode`: the
/// nearer, larger one), and for NaN, which fails all comparisons there and becomes −1; here 0. bitsandbytes packs the
/// first of two codes into the high nibble.
using nf4 = LookupCode<NormalFloat4>;

}  // namespace assay::inline v0
