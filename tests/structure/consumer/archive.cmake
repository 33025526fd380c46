# The release archive: the same bytes whenever it is made, and a consumer is built from it where there is no git.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(name assay-${version})

foreach(time IN ITEMS first second)
  run("${BASH}" "${SOURCE}/cmake/archive.sh" "${WORK}/${time}")
  require_success("cmake/archive.sh")
endforeach()
set(archive "${WORK}/first/${name}.tar.gz")
file(SHA256 "${archive}" hash)

# From here on, whoever calls git fails, and leaves a trace.
file(WRITE "${WORK}/no_git/git" "#!/bin/sh\necho \"git $*\" >>'${WORK}/no_git/calls'\nexit 1\n")
file(CHMOD "${WORK}/no_git/git" PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{PATH} "${WORK}/no_git:$ENV{PATH}")
consume("-DASSAY_FETCH=URL,${archive},URL_HASH,SHA256=${hash}" -DLINKED_COMPONENTS=json)
require_that("building from the archive should not ask git" NOT EXISTS "${WORK}/no_git/calls")

# The archive of the unpacked archive is the archive, whatever times and modes a checkout gives its files.
file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${WORK}/unpacked")
file(TOUCH "${WORK}/unpacked/${name}/README.md")
file(CHMOD "${WORK}/unpacked/${name}/LICENSE" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ GROUP_WRITE)
run("${BASH}" "${WORK}/unpacked/${name}/cmake/archive.sh" "${WORK}/third")
require_success("cmake/archive.sh in the unpacked archive")
foreach(time IN ITEMS second third)
  file(SHA256 "${WORK}/${time}/${name}.tar.gz" other)
  require_that("the ${time} archive should be equal to the first" hash STREQUAL other)
endforeach()
