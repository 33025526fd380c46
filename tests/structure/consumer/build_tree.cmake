# find_package from a build tree.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
consume("-Dassay_DIR=${BUILD}" -DLINKED_COMPONENTS=json)
require_that("the package should be the build tree's" configuration_output MATCHES "found: assay ${version} in ${BUILD}\n")
