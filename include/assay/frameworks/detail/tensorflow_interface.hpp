#pragma once

#include "assay/frameworks/graph/tensor_type.hpp"

namespace assay::inline v0::detail::tf {

/// Names of functions of TensorFlow's C interface (tensorflow/c/c_api.h, tf_tensor.h and eager/c_api.h).
inline constexpr const char* version = "TF_Version";
inline constexpr const char* new_status = "TF_NewStatus";
inline constexpr const char* delete_status = "TF_DeleteStatus";
inline constexpr const char* code = "TF_GetCode";
inline constexpr const char* message = "TF_Message";
inline constexpr const char* set_status = "TF_SetStatus";
inline constexpr const char* new_tensor = "TF_NewTensor";
inline constexpr const char* delete_tensor = "TF_DeleteTensor";
inline constexpr const char* tensor_data = "TF_TensorData";
inline constexpr const char* tensor_bytes = "TF_TensorByteSize";
inline constexpr const char* type_size = "TF_DataTypeSize";
inline constexpr const char* delete_devices = "TF_DeleteDeviceList";
inline constexpr const char* device_count = "TF_DeviceListCount";
inline constexpr const char* device_name = "TF_DeviceListName";
inline constexpr const char* new_options = "TFE_NewContextOptions";
inline constexpr const char* set_config = "TFE_ContextOptionsSetConfig";
inline constexpr const char* delete_options = "TFE_DeleteContextOptions";
inline constexpr const char* new_context = "TFE_NewContext";
inline constexpr const char* delete_context = "TFE_DeleteContext";
inline constexpr const char* list_devices = "TFE_ContextListDevices";
inline constexpr const char* new_handle = "TFE_NewTensorHandle";
inline constexpr const char* delete_handle = "TFE_DeleteTensorHandle";
inline constexpr const char* handle_type = "TFE_TensorHandleDataType";
inline constexpr const char* handle_rank = "TFE_TensorHandleNumDims";
inline constexpr const char* handle_extent = "TFE_TensorHandleDim";
inline constexpr const char* handle_device = "TFE_TensorHandleDeviceName";
inline constexpr const char* copy_to_device = "TFE_TensorHandleCopyToDevice";
inline constexpr const char* resolve = "TFE_TensorHandleResolve";
inline constexpr const char* new_operation = "TFE_NewOp";
inline constexpr const char* delete_operation = "TFE_DeleteOp";
inline constexpr const char* set_device = "TFE_OpSetDevice";
inline constexpr const char* add_input = "TFE_OpAddInput";
inline constexpr const char* add_inputs = "TFE_OpAddInputList";
inline constexpr const char* set_text = "TFE_OpSetAttrString";
inline constexpr const char* set_whole = "TFE_OpSetAttrInt";
inline constexpr const char* set_real = "TFE_OpSetAttrFloat";
inline constexpr const char* set_truth = "TFE_OpSetAttrBool";
inline constexpr const char* set_type = "TFE_OpSetAttrType";
inline constexpr const char* set_wholes = "TFE_OpSetAttrIntList";
inline constexpr const char* execute = "TFE_Execute";

/// TF_Code of what is not written.
inline constexpr int unimplemented = 12;

/// TF_DataType by ONNX's numbers of element types; 0 where it has none, or packs elements otherwise.
inline constexpr int element_types[] = {0, 1, 4,  6,  17, 5,  3,  9, 0, 10, 19, 2, 22, 23,
                                        0, 0, 14, 25, 26, 24, 28, 0, 0, 0,  0,  0, 0};
inline constexpr int element_type_count = static_cast<int>(sizeof element_types / sizeof *element_types);

[[nodiscard]] constexpr int to_tensorflow(TensorType type) {
  const int onnx = static_cast<int>(type);
  return onnx < 0 || onnx >= element_type_count ? 0 : element_types[onnx];
}
/// Undefined where ONNX has none.
[[nodiscard]] constexpr TensorType from_tensorflow(int type) {
  for (int onnx = 1; type > 0 && onnx < element_type_count; ++onnx)
    if (element_types[onnx] == type) return static_cast<TensorType>(onnx);
  return TensorType::undefined;
}

}  // namespace assay::inline v0::detail::tf
