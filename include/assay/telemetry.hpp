#pragma once

/// Everything of assay/telemetry/ that needs no optional library.

#include "assay/telemetry/amd_smi.hpp"
#include "assay/telemetry/counter_change.hpp"
#include "assay/telemetry/kernel_log.hpp"
#include "assay/telemetry/nvml.hpp"
#include "assay/telemetry/open_vendor_library.hpp"
#include "assay/telemetry/quantity.hpp"
#include "assay/telemetry/reading.hpp"
#include "assay/telemetry/recorder.hpp"
#include "assay/telemetry/recording.hpp"
#include "assay/telemetry/rocm_smi.hpp"
#include "assay/telemetry/sensor.hpp"
#include "assay/telemetry/serve_readings.hpp"
#include "assay/telemetry/source.hpp"
#include "assay/telemetry/sysfs.hpp"
#include "assay/telemetry/telemetry_event.hpp"
#include "assay/telemetry/throttle_reason.hpp"
#include "assay/telemetry/validity.hpp"
#include "assay/telemetry/vendor_library.hpp"
#include "assay/telemetry/worker_source.hpp"
#include "assay/telemetry/xid.hpp"
