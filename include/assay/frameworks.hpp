#pragma once

/// Everything of assay/frameworks/ that needs no optional library.

#include "assay/frameworks/door/door_subject.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "assay/frameworks/door/graph_executor.hpp"
#include "assay/frameworks/door/mode_name.hpp"
#include "assay/frameworks/graph/graph_tensor.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"
#include "assay/frameworks/graph/tensor_type.hpp"
#include "assay/frameworks/detail/protobuf.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/frameworks/onnx/write_onnx.hpp"
#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"
#include "assay/frameworks/onnx_runtime/onnx_runtime.hpp"
#include "assay/frameworks/operations/all_operation_graphs.hpp"
#include "assay/frameworks/operations/elementwise_graph.hpp"
#include "assay/frameworks/operations/image_graph.hpp"
#include "assay/frameworks/operations/lane_graph.hpp"
#include "assay/frameworks/operations/layout_graph.hpp"
#include "assay/frameworks/operations/operation_graph.hpp"
#include "assay/frameworks/operations/product_graph.hpp"
