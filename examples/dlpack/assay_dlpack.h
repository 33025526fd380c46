/* Assay's checks of tensors for languages that call C: of Python, see check_tensors.py.
 *
 * Tensors come by DLPack (dlpack/dlpack.h is not needed here), on the host or, in a library built with CUDA_ARCH, on a CUDA device. They are read where they lie.
 * Each one that is given is consumed: its deleter is called once before the function returns, whatever it returns, perhaps without Python's global lock. No tensor may be given twice in one call.
 * Functions may be called from any thread. */
#ifndef ASSAY_DLPACK_H
#define ASSAY_DLPACK_H

#include <stdint.h>

#if defined(_WIN32)
#define ASSAY_DLPACK_API __declspec(dllexport)
#else
#define ASSAY_DLPACK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_DLPACK_ABI 1

/* The ABI that the library has: functions and structures of one number stay as they are; members may be added at the end of assay_options. */
ASSAY_DLPACK_API int32_t assay_dlpack_abi(void);

/* Whether checks on a device of that DLPack type (1 the host, 2 CUDA) are in the library: 1 or 0. The device may still be missing. */
ASSAY_DLPACK_API int32_t assay_dlpack_has_device(int32_t device_type);

/* What functions return. Only ASSAY_PASS says that every element was computed again and found right. */
enum {
  ASSAY_PASS = 0,
  ASSAY_FAIL = 1,         /* some elements lie outside what a correct kernel may give */
  ASSAY_ERROR = 2,        /* it could not be found out: a device failed, shapes do not fit, a tensor is malformed */
  ASSAY_UNSUPPORTED = 3,  /* the library has no such check: element types, devices, versions of DLPack */
  ASSAY_INCONCLUSIVE = 4, /* nothing is refuted, but of some elements nothing can be said */
  ASSAY_MISUSE = 5        /* the call itself is wrong: a null tensor, the same one twice, an unknown option */
};

struct assay_tensor {
  void*
      managed; /* DLManagedTensor* of a capsule "dltensor", DLManagedTensorVersioned* of a capsule "dltensor_versioned" */
  int32_t versioned; /* 0 or 1: which of them */
};

/* What is not given is 0. A null pointer for all of it means all zeros, and no stream. */
struct assay_options {
  uint64_t size; /* sizeof(struct assay_options), as the caller knows it */
  const char*
      accumulator; /* the format in which the kernel promises to keep sums: "f32", "f64"; null: "f64" where the output is float64, else "f32" */
  int32_t
      statistical; /* 1: the kernel's rounding errors are independent, so that less is allowed; 0: they may all point the same way */
  int32_t has_stream; /* 0: the default stream (on CUDA, the legacy one) */
  int64_t
      stream; /* the number that was given to __dlpack__(stream=...): the tensors are ready there, and the checks run on it */
};

/* Is `output` softmax(input) along `dimension` (negative: from the last), or where `logarithm` is not 0, its logarithm? Shapes must be the same. */
ASSAY_DLPACK_API int32_t assay_check_softmax(struct assay_tensor input, struct assay_tensor output, int32_t dimension,
                                             int32_t logarithm, const struct assay_options* options);

/* Is C = A B? Matrices, or batches of matrices; all float32, all bfloat16, all float16, or on the host all float64. */
ASSAY_DLPACK_API int32_t assay_check_gemm(struct assay_tensor a, struct assay_tensor b, struct assay_tensor c,
                                          const struct assay_options* options);

/* The report of this thread's latest check: a run in Assay's JSON form, as `assay report` reads it: reason, worst elements, how the tolerance came about.
 * Copies as much as `capacity` holds, with a NUL at its end, and returns the length that it needs with it. `buffer` may be null where `capacity` is 0. */
ASSAY_DLPACK_API uint64_t assay_dlpack_report(char* buffer, uint64_t capacity);

#ifdef __cplusplus
}
#endif
#endif
