/* The kernels of kernels.c as a plugin: what they are called, which problems they take, and how their arguments are found. */
#include "assay/plugin/plugin.h"

#include <stdio.h>

#include "kernels.h"

static double real_attribute(const assay_plugin_problem* problem, const char* name) {
  const assay_plugin_attribute* attribute = assay_plugin_find_attribute(problem, name);
  return attribute == NULL ? 0 : attribute->real;
}

static const assay_plugin_array* array_of(const assay_plugin_problem* problem, const char* name) {
  const assay_plugin_tensor* tensor = assay_plugin_find_tensor(problem, name);
  return tensor == NULL ? NULL : &tensor->array;
}

static void* elements_of(const assay_plugin_problem* problem, const char* name) {
  const assay_plugin_array* array = array_of(problem, name);
  return array == NULL ? NULL : array->data;
}

/* Whether a problem is of these formats, in memory that a CPU reads; or says why not. */
static int32_t takes(const assay_plugin_problem* problem, const char* formats, char* reason, uint64_t capacity) {
  if (strcmp(problem->formats, formats) != 0) {
    snprintf(reason, (size_t)capacity, "%s is there for %s, and this problem has %s", problem->operation, formats,
             problem->formats);
    return 0;
  }
  for (uint64_t i = 0; i < problem->tensor_count; ++i)
    if (problem->tensors[i] != NULL && problem->tensors[i]->array.device.device_type != 1) {
      snprintf(reason, (size_t)capacity, "%s lies on a device; these kernels run on the host",
               problem->tensors[i]->name);
      return 0;
    }
  return 1;
}

/* Whether a problem does without that tensor; or says that the kernel does not know it. */
static int32_t without(const assay_plugin_problem* problem, const char* name, char* reason, uint64_t capacity) {
  if (array_of(problem, name) == NULL) return 1;
  snprintf(reason, (size_t)capacity, "this %s does not know %s", problem->operation, name);
  return 0;
}

/* gemm: tensors A, B and C of three dimensions, batch, row and column of the product: transposition and leading dimensions are in the strides. */

static int32_t supports_gemm(void* context, const assay_plugin_problem* problem, char* reason, uint64_t capacity) {
  (void)context;
  return takes(problem, "f32.f32.f32", reason, capacity);
}

static struct matrix matrix_of(const assay_plugin_array* array, int64_t batch) {
  struct matrix matrix;
  matrix.elements = (float*)array->data + batch * array->strides[0];
  matrix.row_stride = array->strides[1];
  matrix.column_stride = array->strides[2];
  return matrix;
}

static int32_t run_gemm(void* context, const assay_plugin_problem* problem, const assay_plugin_launch* launch) {
  const assay_plugin_array *a = array_of(problem, "A"), *b = array_of(problem, "B"), *c = array_of(problem, "C");
  const float alpha = (float)real_attribute(problem, "alpha"), beta = (float)real_attribute(problem, "beta");
  (void)context;
  (void)launch;
  for (int64_t batch = 0; batch < c->shape[0]; ++batch)
    gemm_f32(c->shape[1], c->shape[2], a->shape[2], alpha, matrix_of(a, batch), matrix_of(b, batch), beta,
             matrix_of(c, batch));
  return ASSAY_PLUGIN_OK;
}

/* softmax: input and output of extents (outer, length) or (outer, length, inner), and a mask in some problems. */

static int32_t supports_softmax(void* context, const assay_plugin_problem* problem, char* reason, uint64_t capacity) {
  (void)context;
  return takes(problem, "f32.f32", reason, capacity) && without(problem, "mask", reason, capacity);
}

static int32_t run_softmax(void* context, const assay_plugin_problem* problem, const assay_plugin_launch* launch) {
  const assay_plugin_array *input = array_of(problem, "input"), *output = array_of(problem, "output");
  const int64_t inner_extent = input->ndim == 3 ? input->shape[2] : 1;
  const int64_t inner_stride = input->ndim == 3 ? input->strides[2] : 0,
                inner_output_stride = input->ndim == 3 ? output->strides[2] : 0;
  (void)context;
  (void)launch;
  for (int64_t outer = 0; outer < input->shape[0]; ++outer)
    for (int64_t inner = 0; inner < inner_extent; ++inner)
      softmax_f32(input->shape[1], (const float*)input->data + outer * input->strides[0] + inner * inner_stride,
                  input->strides[1], (float*)output->data + outer * output->strides[0] + inner * inner_output_stride,
                  output->strides[1], (float)real_attribute(problem, "temperature"),
                  real_attribute(problem, "logarithm") != 0);
  return ASSAY_PLUGIN_OK;
}

/* layernorm: input and output of extents (rows, channels), gamma and beta with a value a channel where the problem has them. */

static int32_t supports_layernorm(void* context, const assay_plugin_problem* problem, char* reason, uint64_t capacity) {
  (void)context;
  return takes(problem, "bf16.f32.bf16", reason, capacity) && without(problem, "saved_deviation", reason, capacity);
}

static int32_t run_layernorm(void* context, const assay_plugin_problem* problem, const assay_plugin_launch* launch) {
  const assay_plugin_array *input = array_of(problem, "input"), *output = array_of(problem, "output");
  (void)context;
  (void)launch;
  for (int64_t row = 0; row < input->shape[0]; ++row)
    layernorm_bf16(input->shape[1], (const uint16_t*)input->data + row * input->strides[0], input->strides[1],
                   (uint16_t*)output->data + row * output->strides[0], output->strides[1],
                   elements_of(problem, "gamma"), elements_of(problem, "beta"),
                   (float)real_attribute(problem, "epsilon"));
  return ASSAY_PLUGIN_OK;
}

/* The description. Sums are kept in float, so the accumulator is "f32"; members that are not named are 0: the usual. */

static const assay_plugin_kernel gemm_kernel = {.size = sizeof(assay_plugin_kernel),
                                                .operation = "gemm",
                                                .accumulator = "f32",
                                                .supports = supports_gemm,
                                                .run = run_gemm};
static const assay_plugin_kernel softmax_kernel = {.size = sizeof(assay_plugin_kernel),
                                                   .operation = "softmax",
                                                   .accumulator = "f32",
                                                   .supports = supports_softmax,
                                                   .run = run_softmax};
static const assay_plugin_kernel layernorm_kernel = {.size = sizeof(assay_plugin_kernel),
                                                     .operation = "layernorm",
                                                     .accumulator = "f32",
                                                     .supports = supports_layernorm,
                                                     .run = run_layernorm};
static const assay_plugin_kernel* const kernels[] = {&gemm_kernel, &softmax_kernel, &layernorm_kernel};

static const assay_plugin plugin = {.size = sizeof(assay_plugin),
                                    .abi = ASSAY_PLUGIN_ABI,
                                    .flags = ASSAY_PLUGIN_THREAD_SAFE,
#ifdef DROP_K_TAIL
                                    .name = "mine-tail-dropped",
#else
                                    .name = "mine",
#endif
                                    .version = "1.0",
                                    .kernel_count = sizeof kernels / sizeof kernels[0],
                                    .kernels = kernels};

const assay_plugin* assay_plugin_entry(uint32_t host_abi) {
  (void)host_abi; /* the host compares plugin.abi with what it takes: 1 and 2 */
  return &plugin;
}
