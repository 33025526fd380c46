# add_subdirectory.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
consume("-DASSAY_SUBDIRECTORY=${SOURCE}" -DLINKED_COMPONENTS=json)
