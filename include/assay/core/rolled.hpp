#pragma once

// Before a loop that a device's compiler is not to unroll: its body is long, and a copy for each turn costs registers
// and minutes of compilation.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ASSAY_DETAIL_ROLLED _Pragma("unroll 1")
#else
#define ASSAY_DETAIL_ROLLED
#endif
