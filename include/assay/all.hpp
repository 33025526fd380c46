#pragma once

/// Everything of Assay that needs no optional library, but for kernels with faults (assay/faults.hpp).

#include "assay/backends.hpp"
#include "assay/baselines.hpp"
#include "assay/collectives.hpp"
#include "assay/compare.hpp"
#include "assay/core.hpp"
#include "assay/formats.hpp"
#include "assay/io.hpp"
#include "assay/kernels.hpp"
#include "assay/matchers.hpp"
#include "assay/performance.hpp"
#include "assay/plugin.hpp"
#include "assay/release.hpp"
#include "assay/report.hpp"
#include "assay/statistics.hpp"
#include "assay/suite.hpp"
#include "assay/tensor.hpp"
#include "assay/tolerance.hpp"
#include "assay/training.hpp"
#include "assay/validators.hpp"
