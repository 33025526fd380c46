#pragma once

/// Everything of assay/backends/ that needs no optional library.

#include "assay/backends/aligned_resource.hpp"
#include "assay/backends/backend.hpp"
#include "assay/backends/block_backend.hpp"
#include "assay/backends/capabilities.hpp"
#include "assay/backends/counting_resource.hpp"
#include "assay/backends/device_backend.hpp"
#include "assay/backends/emulated_device.hpp"
#include "assay/backends/graph_backend.hpp"
#include "assay/backends/guarded_resource.hpp"
#include "assay/backends/host.hpp"
#include "assay/backends/host_block.hpp"
#include "assay/backends/matrix_share.hpp"
#include "assay/backends/memory_resource.hpp"
#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/backends/recycling_resource.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/backends/resource_usage.hpp"
#include "assay/backends/thread_pool.hpp"
#include "assay/backends/transfer_count.hpp"
