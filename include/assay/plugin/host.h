/* Validates kernels that live in the calling process: of Python through ctypes, for instance. libassay_host.so has it. */
#ifndef ASSAY_PLUGIN_HOST_H
#define ASSAY_PLUGIN_HOST_H

#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ABI of this library, to be compared with ASSAY_PLUGIN_ABI: another major version cannot be talked to. */
ASSAY_PLUGIN_EXPORT uint32_t assay_host_abi(void);

/* What the command line `assay <arguments>` does, with `plugin` as if --plugin had named it: {"run", "--only", "softmax/...", "--out", "folder"},
 * {"list", "cases"}, {"explain", "<id>"}. Prints as the tool does, and returns its exit code: 0 for success, 1 where a case failed
 * or could not be judged, 2 for a fault: a wrong option, or a plugin that is refused.
 *
 * Everything runs in this process: a crash ends it, and --isolate, --timeout and --memory are refused. With --jobs 1, the default,
 * kernels are called by the calling thread. Not to be called by two threads at a time. */
ASSAY_PLUGIN_EXPORT int32_t assay_validate(const assay_plugin* plugin, int32_t argument_count,
                                           const char* const* arguments);

/* Takes a text of UTF-8, which has a NUL at its end and is valid until the call returns. */
typedef void (*assay_text_sink)(void* context, const char* text, uint64_t length);

/* What `assay_check` judges: tensors in this process, which are only read. */
typedef struct assay_check_tensor {
  const assay_plugin_tensor*
      tensor;         /* null: the problem does without it. Of a name that is not null it is that operand;
                                        else those of role ASSAY_PLUGIN_INPUT are the operation's inputs, others its
                                        outputs, in its order. Its format may be null where `array.dtype` tells it */
  const void* before; /* of an operand that is updated in place: what it held before; else null */
} assay_check_tensor;

/* What is asked. Everything that is null or 0 is as the operation has it. */
typedef struct assay_check_request {
  uint64_t size;                       /* of this structure */
  const char* operation;               /* as in ids: "softmax" */
  uint64_t attribute_count;            /* of the next two */
  const char* const* attribute_names;  /* members of the problem that the tensors do not tell, and "axis" */
  const char* const* attribute_values; /* as the tool takes them: "0.5", "true", "bf16" */
  uint64_t tensor_count;               /* of `tensors` */
  const assay_check_tensor* tensors;   /* inputs and outputs, in the operation's order */
  const char* tolerance;               /* as --tolerance takes it; null: derived */
  const char* accumulator;             /* null: "f64" where a tensor has it, else "f32" */
  double function_errors;              /* as in assay_plugin_kernel; 0: 8 */
  int32_t statistical;                 /* 1: rounding errors of sums are taken for random; 0: the worst case */
  int32_t no_diagnosis;                /* 1: causes are not looked for */
} assay_check_request;

/* Judges what a kernel has left in its outputs, as `assay check` does. The answer is a report of one case in Assay's JSON
 * (run.schema.json). Returns 0 where it passed, 1 where it failed or nothing was decided, 2 for what cannot be judged: the
 * text then says why. Takes as many threads at a time as one likes. */
ASSAY_PLUGIN_EXPORT int32_t assay_check(const assay_check_request* request, assay_text_sink sink, void* context);

/* An operation as a JSON object, with its members and operands; of a null pointer, a list of all that assay_check knows.
 * Returns 0, or 2 with the reason as the text. */
ASSAY_PLUGIN_EXPORT int32_t assay_describe(const char* operation, assay_text_sink sink, void* context);

/* A report in Assay's JSON as one HTML page. Returns 0, or 2 with the reason as the text. */
ASSAY_PLUGIN_EXPORT int32_t assay_html(const char* report, assay_text_sink sink, void* context);

#ifdef __cplusplus
}
#endif
#endif
