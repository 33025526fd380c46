/* The public interface of vrt, a small runtime of an accelerator. All functions may be called from any thread; a stream or
   event by one thread at a time. Handles are destroyed when no work that was submitted uses them. */
#ifndef VRT_H
#define VRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum vrt_status {
  VRT_SUCCESS = 0,
  VRT_ERROR_INVALID_VALUE = 1, /* an argument contradicts another, or what it names does not exist */
  VRT_ERROR_OUT_OF_MEMORY = 2, /* the device's memory is exhausted */
  VRT_ERROR_NOT_SUPPORTED = 3, /* no kernel for these types or shapes */
  VRT_ERROR_NOT_READY = 4,     /* an event that has not happened yet */
  VRT_ERROR_LAUNCH_FAILED =
      5 /* submitted work failed: told by vrt_stream_synchronize; the stream does no later work until then */
} vrt_status;

const char* vrt_status_text(vrt_status status);
/* What the last call of this thread that failed was given and expected. */
const char* vrt_last_error(void);

typedef struct vrt_device_s* vrt_device;
typedef struct vrt_buffer_s* vrt_buffer;
typedef struct vrt_stream_s* vrt_stream;
typedef struct vrt_event_s* vrt_event;

/* --- devices ------------------------------------------------------------------------------------------------------ */

typedef struct vrt_device_options {
  size_t memory_bytes;
  unsigned cores;     /* threads that share the work of a launch */
  int private_memory; /* not 0: the host dies of SIGSEGV where it touches memory while no work runs */
} vrt_device_options;

vrt_status vrt_device_open(const vrt_device_options* options, vrt_device* device);
void vrt_device_close(vrt_device device); /* after all that belongs to it */

/* Firmware switches: behavior of silicon that was not right. */
enum {
  VRT_ERRATUM_GEMM_TAIL = 1,         /* products beyond the last whole 8 of K are dropped */
  VRT_ERRATUM_SOFTMAX_UNSHIFTED = 2, /* exp without subtracting the row's maximum */
  VRT_ERRATUM_RMSNORM_EPSILON = 4,   /* epsilon is left out */
  VRT_ERRATUM_LAUNCH_FAULT = 8       /* kernels fail while they run */
};
void vrt_device_set_errata(vrt_device device, unsigned errata);

typedef struct vrt_counters {
  uint64_t buffers, buffer_bytes;          /* created so far */
  uint64_t live_buffers;                   /* not destroyed yet */
  uint64_t bytes_to_device, bytes_to_host; /* copied so far */
  uint64_t kernels, functions;             /* launched so far */
} vrt_counters;
void vrt_device_get_counters(vrt_device device, vrt_counters* counters);

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* alignment: a power of two up to 4096. */
vrt_status vrt_buffer_create(vrt_device device, size_t bytes, size_t alignment, vrt_buffer* buffer);
void vrt_buffer_destroy(vrt_buffer buffer);
void* vrt_buffer_address(vrt_buffer buffer);
/* The buffer that begins at this address, or null. */
vrt_buffer vrt_buffer_at(vrt_device device, const void* address);

/* --- streams: work in order, each on a thread of its own ---------------------------------------------------------------- */

vrt_status vrt_stream_create(vrt_device device, vrt_stream* stream);
void vrt_stream_destroy(vrt_stream stream); /* after its work */
vrt_status vrt_stream_synchronize(vrt_stream stream);
vrt_status vrt_copy_to_device(vrt_stream stream, void* device_address, const void* host_address, size_t bytes);
vrt_status vrt_copy_to_host(vrt_stream stream, void* host_address, const void* device_address, size_t bytes);

vrt_status vrt_event_create(vrt_device device, vrt_event* event);
void vrt_event_destroy(vrt_event event);
vrt_status vrt_event_record(vrt_event event, vrt_stream stream);
vrt_status vrt_stream_wait(vrt_stream stream, vrt_event event);
vrt_status vrt_event_elapsed(vrt_event first, vrt_event second, double* seconds);

/* --- launches ------------------------------------------------------------------------------------------------------- */

typedef enum vrt_type { VRT_TYPE_F32 = 0, VRT_TYPE_F16 = 1, VRT_TYPE_BF16 = 2, VRT_TYPE_I8 = 3 } vrt_type;

/* A matrix in the device's memory. Rows are row_pitch bytes apart; of a transposed one columns are. */
typedef struct vrt_tensor {
  void* address;
  vrt_type type;
  int64_t rows, columns;
  int64_t row_pitch;
  int transposed;
} vrt_tensor;

/* All arithmetic in f32; results are rounded once, to the nearest. */
typedef enum vrt_kernel {
  VRT_KERNEL_GEMM = 0,    /* a, b, c: c = alpha a b + beta c; c is not read where beta is 0 */
  VRT_KERNEL_SOFTMAX = 1, /* x, y: of each row */
  VRT_KERNEL_RMSNORM = 2, /* x, gamma (one row), y */
  VRT_KERNEL_GELU = 3     /* x, y: x/2 erfc(-x/sqrt 2) */
} vrt_kernel;

typedef struct vrt_attributes {
  double alpha, beta; /* gemm */
  double epsilon;     /* rmsnorm */
} vrt_attributes;

vrt_status vrt_launch(vrt_stream stream, vrt_kernel kernel, const vrt_tensor* tensors, size_t tensor_count,
                      const vrt_attributes* attributes);

/* Calls function(context, begin, end) on the device's cores until [0, count) is covered, in C's default floating-point environment; the
   context is copied. */
typedef void (*vrt_function)(const void* context, size_t begin, size_t end);
vrt_status vrt_launch_function(vrt_stream stream, vrt_function function, const void* context, size_t context_bytes,
                               size_t count);

#ifdef __cplusplus
}
#endif

#endif
