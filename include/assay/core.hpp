#pragma once

/// Everything of assay/core/ that needs no optional library.

#include "assay/core/config.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/core/enum_name.hpp"
#include "assay/core/environment.hpp"
#include "assay/core/fault.hpp"
#include "assay/core/floating_point_guard.hpp"
#include "assay/core/heat_map.hpp"
#include "assay/core/index.hpp"
#include "assay/core/instruction_set.hpp"
#include "assay/core/measurement.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/core/rounding_model.hpp"
#include "assay/core/run.hpp"
#include "assay/core/series.hpp"
#include "assay/core/table.hpp"
#include "assay/core/verdict.hpp"
#include "assay/core/version.hpp"
