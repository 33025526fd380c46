#pragma once

/// Everything of assay/performance/ that needs no optional library.

#include "assay/performance/clock_resolution.hpp"
#include "assay/performance/clock_state.hpp"
#include "assay/performance/direction.hpp"
#include "assay/performance/export_csv.hpp"
#include "assay/performance/history.hpp"
#include "assay/performance/history_baseline.hpp"
#include "assay/performance/history_store.hpp"
#include "assay/performance/import_csv.hpp"
#include "assay/performance/import_options.hpp"
#include "assay/performance/interleaving.hpp"
#include "assay/performance/measure.hpp"
#include "assay/performance/measure_on_device.hpp"
#include "assay/performance/metric.hpp"
#include "assay/performance/steady_state.hpp"
