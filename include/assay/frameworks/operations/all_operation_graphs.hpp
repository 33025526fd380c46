#pragma once

// Every `operation_graph(problem)` that there is.
#include "assay/frameworks/operations/elementwise_graph.hpp"
#include "assay/frameworks/operations/image_graph.hpp"
#include "assay/frameworks/operations/lane_graph.hpp"
#include "assay/frameworks/operations/layout_graph.hpp"
#include "assay/frameworks/operations/product_graph.hpp"
