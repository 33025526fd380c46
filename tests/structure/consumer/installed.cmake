# find_package from an install tree, with every component whose library is here.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
install_headers()
require_that("a header-only package installs nothing below lib" NOT EXISTS "${prefix}/lib")
consume("-DCMAKE_PREFIX_PATH=${prefix}" -DASSAY_VERSION=0.1)
require_that("the package should be the installed one" configuration_output MATCHES "found: assay ${version} in ${prefix}/")

# The tree may be moved.
file(RENAME "${prefix}" "${WORK}/elsewhere")
file(REMOVE_RECURSE "${WORK}/build")
consume("-DCMAKE_PREFIX_PATH=${WORK}/elsewhere" -DLINKED_COMPONENTS=json)
