#pragma once

/// Everything of assay/statistics/ that needs no optional library.

#include "assay/statistics/autocorrelation.hpp"
#include "assay/statistics/benjamini_hochberg.hpp"
#include "assay/statistics/bootstrap.hpp"
#include "assay/statistics/cusum.hpp"
#include "assay/statistics/e_divisive.hpp"
#include "assay/statistics/ewma.hpp"
#include "assay/statistics/hodges_lehmann.hpp"
#include "assay/statistics/mann_whitney.hpp"
#include "assay/statistics/moments.hpp"
#include "assay/statistics/order_statistics.hpp"
#include "assay/statistics/outliers.hpp"
#include "assay/statistics/pelt.hpp"
#include "assay/statistics/random_sequence.hpp"
#include "assay/statistics/rate_interval.hpp"
#include "assay/statistics/samples.hpp"
#include "assay/statistics/z_score.hpp"
