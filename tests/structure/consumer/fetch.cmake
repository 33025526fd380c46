# FetchContent from a folder: stated in the consumer, and by whoever builds it in place of what the consumer states.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
consume("-DASSAY_FETCH=SOURCE_DIR,${SOURCE}" -DLINKED_COMPONENTS=json)
file(REMOVE_RECURSE "${WORK}/build")
configure_consumer("-DASSAY_FETCH=GIT_REPOSITORY,https://packages.invalid/assay.git,GIT_TAG,v${version}"
  "-DFETCHCONTENT_SOURCE_DIR_ASSAY=${SOURCE}" -DLINKED_COMPONENTS=json)
require_success("configuration with a folder in place of a repository")
