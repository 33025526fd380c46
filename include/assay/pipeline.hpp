#pragma once

/// Everything of assay/pipeline/ that needs no optional library.

#include "assay/pipeline/bisect.hpp"
#include "assay/pipeline/compare_stage.hpp"
#include "assay/pipeline/data_loading.hpp"
#include "assay/pipeline/divergence.hpp"
#include "assay/pipeline/pipeline.hpp"
#include "assay/pipeline/split_pipeline.hpp"
#include "assay/pipeline/stage_value.hpp"
