#pragma once

/// Everything of assay/fleet/ that needs no optional library.

#include "assay/fleet/capacity/fit_model.hpp"
#include "assay/fleet/capacity/kv_cache.hpp"
#include "assay/fleet/capacity/model_architecture.hpp"
#include "assay/fleet/capacity/storage_format.hpp"
#include "assay/fleet/capacity/training_memory.hpp"
#include "assay/fleet/capacity/weight_count.hpp"
#include "assay/fleet/chips/check_chip.hpp"
#include "assay/fleet/chips/chip.hpp"
#include "assay/fleet/chips/chip_catalog.hpp"
#include "assay/fleet/chips/chip_data.hpp"
#include "assay/fleet/economics/cost.hpp"
#include "assay/fleet/economics/figure.hpp"
#include "assay/fleet/node/check_scheme.hpp"
#include "assay/fleet/node/node_health.hpp"
#include "assay/fleet/node/probe_node.hpp"
#include "assay/fleet/roofline/operation_work.hpp"
#include "assay/fleet/roofline/roofline.hpp"
#include "assay/fleet/roofline/roofline_chart.hpp"
