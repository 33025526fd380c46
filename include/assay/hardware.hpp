#pragma once

/// Everything of assay/hardware/ that needs no optional library.

#include "assay/hardware/power.hpp"
#include "assay/hardware/thermal.hpp"
#include "assay/hardware/timeline_html.hpp"
