# Read by the package configuration that Conan makes: components that Conan does not bring are found on the machine.
include("${CMAKE_CURRENT_LIST_DIR}/components.cmake")
assay_find_requested_components()
