/* The C interface through which Assay validates kernels that it cannot be compiled with: of Python, Rust, a vendor's library.
 *
 * A shared library exports `assay_plugin_entry`, which describes its kernels; `assay run --plugin libmine.so` calls them with
 * tensors and compares what they write with a reference and a derived bound. A process that has the kernels itself, as Python
 * has, hands the description to `assay_validate` of host.h instead. README.md lists the operations with their tensors and attributes.
 *
 * Plain C99, and C++: include this header alone, or write the same declarations in another language. Numbers are those of the platform's C ABI.
 *
 * Versions. ASSAY_PLUGIN_ABI is major·65536 + minor. Structures of one major version keep what they have, and get new members at
 * the end only, which raises the minor version. Each begins with its size, as whoever fills it knows it: the reader takes members
 * behind that for zero. A plugin is taken by hosts of the same major version, whatever the minor ones are: an older host does not see newer members.
 * This host takes plugins of the major versions 1 and 2. What was built for 1 is given what 1 has: it is asked nothing newer.
 *
 * Ownership. Whoever makes a structure or a text keeps it. What the plugin describes must live as long as the process, or as the
 * call of assay_validate. What the host passes to a call is valid until that call returns. Nothing is freed across the border.
 *
 * Errors. Calls return a status and write a text. No exception, panic or longjmp may leave a call: a C++ exception is caught
 * and becomes an error of the case, where the plugin's C++ runtime is the host's; anything else ends the process, which costs one
 * case where cases are isolated (as `assay run --plugin` does, unless --no-isolate or --case says otherwise; other commands do not).
 *
 * Threads. The entry is called once, and once more for 1.1 where it gave null for 2.0. All other calls come from any thread, but one after the other, unless ASSAY_PLUGIN_THREAD_SAFE is set. */
#ifndef ASSAY_PLUGIN_PLUGIN_H
#define ASSAY_PLUGIN_PLUGIN_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Layouts: hosts take plugins of their own. */
#define ASSAY_PLUGIN_ABI_MAJOR 2u
/* Additions at the ends of structures. */
#define ASSAY_PLUGIN_ABI_MINOR 0u
/* Both in one number, for `assay_plugin::abi`. */
#define ASSAY_PLUGIN_ABI ((ASSAY_PLUGIN_ABI_MAJOR << 16) | ASSAY_PLUGIN_ABI_MINOR)

/* What makes a function visible to hosts. */
#if defined(_WIN32)
#define ASSAY_PLUGIN_EXPORT __declspec(dllexport)
#else
/* What makes a function visible to hosts. */
#define ASSAY_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* What a call of a kernel returns. Any other number is an error of the case. */
enum {
  ASSAY_PLUGIN_OK = 0, /* all outputs are written: they are compared. Nothing else is ever a pass */
  ASSAY_PLUGIN_UNSUPPORTED =
      1,                 /* this problem is not offered: the case is `unsupported`, with the text as its reason */
  ASSAY_PLUGIN_ERROR = 2 /* it could not be computed: the case is an `error`, with the text as its reason */
};

/* Kinds of memory: DLDeviceType of DLPack, and its numbers. */
enum {
  ASSAY_PLUGIN_CPU = 1,           /* kDLCPU */
  ASSAY_PLUGIN_CUDA = 2,          /* kDLCUDA */
  ASSAY_PLUGIN_CUDA_HOST = 3,     /* kDLCUDAHost: pinned memory of the host */
  ASSAY_PLUGIN_OPENCL = 4,        /* kDLOpenCL */
  ASSAY_PLUGIN_VULKAN = 7,        /* kDLVulkan */
  ASSAY_PLUGIN_METAL = 8,         /* kDLMetal */
  ASSAY_PLUGIN_ROCM = 10,         /* kDLROCM */
  ASSAY_PLUGIN_ROCM_HOST = 11,    /* kDLROCMHost */
  ASSAY_PLUGIN_EXTENSION = 12,    /* kDLExtDev */
  ASSAY_PLUGIN_CUDA_MANAGED = 13, /* kDLCUDAManaged */
  ASSAY_PLUGIN_ONEAPI = 14,       /* kDLOneAPI */
  ASSAY_PLUGIN_WEBGPU = 15,       /* kDLWebGPU */
  ASSAY_PLUGIN_HEXAGON = 16       /* kDLHexagon */
};

/* DLDevice of DLPack. */
typedef struct assay_plugin_device {
  int32_t
      device_type; /* ASSAY_PLUGIN_CPU. This version of the host gives no other; check it nevertheless, and refuse what you do not know */
  int32_t device_id; /* 0 */
} assay_plugin_device;

/* DLDataType of DLPack. */
typedef struct assay_plugin_type {
  uint8_t
      code; /* DLDataTypeCode: 0 int, 1 uint, 2 float, 4 bfloat16; 10 float8_e4m3fn, 12 float8_e5m2; see dlpack.h 1.1 for the others */
  uint8_t bits;   /* elements of fewer than 8 bits take a byte each, in its low bits */
  uint16_t lanes; /* 1 */
} assay_plugin_type;

/* DLTensor of DLPack, with its layout and names: a pointer to it may be cast to DLTensor*, or back. dlpack.h is not needed. */
typedef struct assay_plugin_array {
  void* data; /* element (0, …, 0); null only in `supports` and `workspace_bytes`, and where there are no elements */
  assay_plugin_device device; /* where `data` is */
  int32_t ndim;               /* 0 to 6 */
  assay_plugin_type dtype;    /* of the elements */
  int64_t* shape;             /* `ndim` extents, outermost first */
  int64_t*
      strides; /* in elements; never null. Rows may have gaps, of outputs, too; what lies in gaps must not be written */
  uint64_t
      byte_offset; /* 0; of a kernel with ASSAY_PLUGIN_BYTE_OFFSETS, bytes from `data` to element (0, …, 0), as DLPack has it */
} assay_plugin_array;

/* What a kernel may do with a tensor. */
enum {
  ASSAY_PLUGIN_INPUT = 0, /* read it; a kernel that writes it fails its case */
  ASSAY_PLUGIN_OUTPUT =
      1, /* write all of it; it comes filled with NaNs, or with other bits where its format has none, so that what is not written shows */
  ASSAY_PLUGIN_UPDATED = 2 /* read and write it in place */
};

/* One operand. Its data are aligned to its elements, and no more may be assumed: suites have cases that begin an element behind a
 * boundary of 64 bytes. Operands do not overlap. */
typedef struct assay_plugin_tensor {
  uint64_t size;            /* of this structure */
  const char* name;         /* "input", "A" */
  const char* format;       /* Assay's name of the elements' format: "f32", "bf16", "f16", "f64", "e4m3fn", "int8" */
  int32_t role;             /* ASSAY_PLUGIN_INPUT, … */
  int32_t reserved;         /* 0 */
  assay_plugin_array array; /* the elements */
} assay_plugin_tensor;

/* Kinds of attributes. */
enum { ASSAY_PLUGIN_INTEGER = 0, ASSAY_PLUGIN_REAL = 1, ASSAY_PLUGIN_TEXT = 2 };

/* One parameter of a problem. Truth values are integers, 0 or 1; choices are texts ("top_left"), as are formats ("bf16"). */
typedef struct assay_plugin_attribute {
  uint64_t size;    /* of this structure */
  const char* name; /* "temperature" */
  int32_t kind;     /* ASSAY_PLUGIN_INTEGER, …: which of the following holds it */
  int32_t reserved; /* 0 */
  int64_t integer;  /* of integers; of unsigned ones of 64 bits, as seeds are, their bits */
  double real;      /* of integers, too */
  const char* text; /* of all kinds: the value as the tool prints it */
} assay_plugin_attribute;

/* What is to be computed. */
typedef struct assay_plugin_problem {
  uint64_t size;                                   /* of this structure */
  const char* operation;                           /* "softmax": that of the kernel */
  const char* name;                                /* "4x1000-log": for messages, as in ids of cases */
  const char* formats;                             /* "bf16.f32" */
  uint64_t attribute_count;                        /* of `attributes` */
  const assay_plugin_attribute* const* attributes; /* in any order */
  uint64_t tensor_count;                           /* of `tensors` */
  const assay_plugin_tensor* const* tensors; /* in the operation's order; null for one that this problem does without */
} assay_plugin_problem;

/* What a kernel is given beside the problem. */
typedef struct assay_plugin_launch {
  uint64_t size; /* of this structure */
  void*
      workspace; /* `workspace_bytes` bytes of any content, at a boundary of 64 bytes; null for none. Not kept between calls */
  uint64_t workspace_bytes; /* as the kernel asked for */
  void* stream;             /* null: of memory of the host there is none. The work is done when `run` returns */
  char* message; /* for the reason of a status other than OK: UTF-8 with a NUL at its end; longer texts must be cut */
  uint64_t message_capacity; /* bytes, the NUL included */
  /* A tensor as a DLManagedTensor (versioned = 0) or DLManagedTensorVersioned (1) for libraries that want one; the caller, or
   * whom he hands it on to, calls its deleter, now or later, which frees the structure and not the elements: these are gone when
   * `run` has returned. Null, with a text in `message`, for what that form cannot say: inputs are read-only in the versioned form only where
   * the consumer heeds that. */
  void* (*managed)(const struct assay_plugin_launch* launch, const assay_plugin_tensor* tensor, int32_t versioned);
  void* host; /* the host's own */
} assay_plugin_launch;

/* A kernel. Functions get its `context` as their first argument: a closure's data, or null. */
typedef struct assay_plugin_kernel {
  uint64_t size;         /* of this structure */
  const char* operation; /* as `assay list ops` names it: "gemm", "softmax", "gelu"; once a plugin */
  void* context;         /* the plugin's own */

  /* What the kernel promises, of which the bound is derived. A promise that is too good fails right kernels; one that is too poor hides faults. */
  const char*
      accumulator; /* the format in which sums and intermediate results are kept: "f32", "f64", "f16", "bf16"; null: "f32", and "f64" where the
                              problem's formats are f64. Integer products are exact whatever stands here */
  double
      function_errors; /* largest relative error of exp, log, tanh, erf, sin, cos, rsqrt, sqrt and division in unit roundoffs of the
                             accumulator; 0: 8, which are 4 units in the last place */
  int32_t truncating; /* 1: sums are rounded toward zero */
  int32_t reserved;   /* 0 */
  int64_t block;      /* products that are added at once, as matrix units do; 0 or 1: every addition rounds */

  /* Whether the kernel takes a problem: 1, or 0 with the reason. Null: it takes all. Tensors have no data. */
  int32_t (*supports)(void* context, const assay_plugin_problem* problem, char* reason, uint64_t reason_capacity);
  /* How many bytes of workspace `run` wants. Null: none. Tensors have no data. */
  uint64_t (*workspace_bytes)(void* context, const assay_plugin_problem* problem);
  /* Computes, and returns one of the statuses when all is done. Required. NaNs, infinities, zero extents and -0 come as the
   * suites have them; what must become of them is the operation's contract (`assay explain`), not this interface's. */
  int32_t (*run)(void* context, const assay_plugin_problem* problem, const assay_plugin_launch* launch);

  /* Since 1.1. What the unit is documented to do with special numbers, as --promise takes it, by which the kernel is then
   * judged: "flush_products=bf16" (dot products of bf16 read subnormal numbers as 0 and write 0 for them),
   * "flush_subnormals,default_nan"; null: nothing. */
  const char* promises;

  /* Since 2.0. The kernel's contract: attributes that it fixes, with their values as the tool prints them; null: none. The suite
   * asks for no others, its problems have these values, and the reference and bound are those of what was fixed. "alpha=1,beta=0": C = A·B,
   * of a kernel without alpha and beta. "rounded_before_gamma=true": an RMSNorm that rounds before the weight. README.md lists those that
   * no problem has unless a contract asks for it. */
  const char* contract;
  uint64_t flags; /* 0, or ASSAY_PLUGIN_BYTE_OFFSETS */
} assay_plugin_kernel;

/* `data` of this kernel's tensors are at boundaries of 256 bytes, as DLPack has them, and `byte_offset` tells where the elements
 * begin: for kernels that take a buffer and an offset. Without it `data` points at the first element, and the offset is 0. */
#define ASSAY_PLUGIN_BYTE_OFFSETS 1u

/* Functions may be called by several threads at once, with --jobs. */
#define ASSAY_PLUGIN_THREAD_SAFE 1u

/* What a library offers. */
typedef struct assay_plugin {
  uint64_t size;  /* of this structure. It and `abi` keep their places in every version */
  uint32_t abi;   /* ASSAY_PLUGIN_ABI, as the plugin was compiled with */
  uint32_t flags; /* 0, or ASSAY_PLUGIN_THREAD_SAFE */
  const char*
      name; /* of the backend in ids, for --backend: letters, digits, '_', '-' and '.', 64 at most; not that of another backend */
  const char* version;                       /* for reports, or null */
  uint64_t kernel_count;                     /* of `kernels` */
  const assay_plugin_kernel* const* kernels; /* one an operation */
} assay_plugin;

/* What the library exports, under this name. Null: the plugin does not work with hosts of `host_abi`. */
#define ASSAY_PLUGIN_ENTRY "assay_plugin_entry"
/* The plugin's own: called once, before all else. */
ASSAY_PLUGIN_EXPORT const assay_plugin* assay_plugin_entry(uint32_t host_abi);
/* The type of that function. */
typedef const assay_plugin* (*assay_plugin_entry_function)(uint32_t host_abi);

/* The attribute of that name, or null. */
static inline const assay_plugin_attribute* assay_plugin_find_attribute(const assay_plugin_problem* problem,
                                                                        const char* name) {
  uint64_t i;
  for (i = 0; i < problem->attribute_count; ++i)
    if (strcmp(problem->attributes[i]->name, name) == 0) return problem->attributes[i];
  return 0;
}

/* The tensor of that name, or null where the problem does without it. */
static inline const assay_plugin_tensor* assay_plugin_find_tensor(const assay_plugin_problem* problem,
                                                                  const char* name) {
  uint64_t i;
  for (i = 0; i < problem->tensor_count; ++i)
    if (problem->tensors[i] != 0 && strcmp(problem->tensors[i]->name, name) == 0) return problem->tensors[i];
  return 0;
}

#ifdef __cplusplus
}
#endif
#endif
