#pragma once

/// What Assay uses of MIOpen, with the names, types and values of its published interface: for machines that do not
/// have it. Nothing is computed.
#include <hip/hip_runtime_api.h>

#include <cstddef>

struct miopenHandle;
using miopenHandle_t = miopenHandle*;
/// Opaque in MIOpen.
struct miopenTensorDescriptor {
  int type, extents[4], strides[4];
};
using miopenTensorDescriptor_t = miopenTensorDescriptor*;

enum miopenStatus_t {
  miopenStatusSuccess = 0,
  miopenStatusNotInitialized = 1,
  miopenStatusInvalidValue = 2,
  miopenStatusBadParm = 3,
  miopenStatusAllocFailed = 4,
  miopenStatusInternalError = 5,
  miopenStatusNotImplemented = 6,
  miopenStatusUnknownError = 7,
  miopenStatusUnsupportedOp = 8
};
enum miopenDataType_t { miopenHalf = 0, miopenFloat = 1, miopenBFloat16 = 5 };
enum miopenSoftmaxAlgorithm_t { MIOPEN_SOFTMAX_FAST = 0, MIOPEN_SOFTMAX_ACCURATE = 1, MIOPEN_SOFTMAX_LOG = 2 };
enum miopenSoftmaxMode_t { MIOPEN_SOFTMAX_MODE_INSTANCE = 0, MIOPEN_SOFTMAX_MODE_CHANNEL = 1 };

inline const char* miopenGetErrorString(miopenStatus_t status) {
  return status == miopenStatusUnsupportedOp ? "miopenStatusUnsupportedOp" : "a status of the stub";
}
inline miopenStatus_t miopenGetVersion(std::size_t* major, std::size_t* minor, std::size_t* patch) {
  return *major = *minor = *patch = 0, miopenStatusSuccess;
}
inline miopenStatus_t miopenCreate(miopenHandle_t*) {
  return miopenStatusSuccess;
}
inline miopenStatus_t miopenDestroy(miopenHandle_t) {
  return miopenStatusSuccess;
}
inline miopenStatus_t miopenSetStream(miopenHandle_t, hipStream_t) {
  return miopenStatusSuccess;
}
inline miopenStatus_t miopenCreateTensorDescriptor(miopenTensorDescriptor_t* tensor) {
  return *tensor = new miopenTensorDescriptor{}, miopenStatusSuccess;
}
inline miopenStatus_t miopenDestroyTensorDescriptor(miopenTensorDescriptor_t tensor) {
  delete tensor;
  return miopenStatusSuccess;
}
inline miopenStatus_t miopenSet4dTensorDescriptorEx(miopenTensorDescriptor_t tensor, miopenDataType_t type, int n,
                                                    int c, int h, int w, int n_stride, int c_stride, int h_stride,
                                                    int w_stride) {
  *tensor = {type, {n, c, h, w}, {n_stride, c_stride, h_stride, w_stride}};
  return miopenStatusSuccess;
}
inline miopenStatus_t miopenSoftmaxForward_V2(miopenHandle_t, const void*, miopenTensorDescriptor_t, const void*,
                                              const void*, miopenTensorDescriptor_t, void*, miopenSoftmaxAlgorithm_t,
                                              miopenSoftmaxMode_t) {
  return miopenStatusUnsupportedOp;
}
