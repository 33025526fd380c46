#include "assay/collectives/nccl.hpp"

#include "collectives/nccl_cases.hpp"

TEST_CASE("NCCL gives what it should on a device, and says that there is none where there is none") {
  assay::testing::check_nccl_like<assay::NcclCollective>();
}
