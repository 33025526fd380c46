#pragma once

/// Everything of assay/collectives/ that needs no optional library.

#include "assay/collectives/any_collective.hpp"
#include "assay/collectives/call_signature.hpp"
#include "assay/collectives/collective.hpp"
#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/collective_memory.hpp"
#include "assay/collectives/collective_operation.hpp"
#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/deadline.hpp"
#include "assay/collectives/element_type.hpp"
#include "assay/collectives/reduction.hpp"
