#pragma once

/// Everything of assay/plugin/ that needs no optional library.

#include "assay/plugin/function_plugin.hpp"
#include "assay/plugin/load_plugin.hpp"
#include "assay/plugin/loaded_plugin.hpp"
#include "assay/plugin/plugin_backend.hpp"
#include "assay/plugin/plugin_quantizer.hpp"
#include "assay/plugin/plugin_request.hpp"
#include "assay/plugin/plugin_subject.hpp"
#include "assay/plugin/staging_plan.hpp"
