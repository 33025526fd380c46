#pragma once

#include "assay/statistics/samples.hpp"  // normal_quantile_of
