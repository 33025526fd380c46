# The port, without vcpkg's client: its steps run here on stand-ins for vcpkg's functions, which do what vcpkg documents of them
# (names of arguments, folders, what is moved and removed); then a consumer takes Assay from what the port leaves.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(port "${SOURCE}/cmake/ports/assay")

# --- the manifests -----------------------------------------------------------------------------------------------------------

file(READ "${port}/vcpkg.json" manifest)
file(READ "${SOURCE}/vcpkg.json" top_manifest)

# The same, but for the helpers that the port builds with.
string(JSON helpers GET "${manifest}" dependencies)
string(JSON manifest_without_helpers REMOVE "${manifest}" dependencies)
string(JSON same EQUAL "${manifest_without_helpers}" "${top_manifest}")
require_that("vcpkg.json and cmake/ports/assay/vcpkg.json should be equal but for dependencies" same)
foreach(helper IN ITEMS vcpkg-cmake vcpkg-cmake-config)
  require_that("the port should depend on ${helper}, of the host" helpers MATCHES "\"host\" : true,[ \n]*\"name\" : \"${helper}\"")
endforeach()

foreach(entry IN ITEMS "name=assay" "version=${version}" "license=Apache-2.0 WITH LLVM-exception")
  string(REGEX MATCH "^(.*)=(.*)$" matched "${entry}")
  string(JSON value GET "${manifest}" ${CMAKE_MATCH_1})
  require_that("${CMAKE_MATCH_1} should be '${CMAKE_MATCH_2}', not '${value}'" value STREQUAL CMAKE_MATCH_2)
endforeach()

# A feature for each component; vcpkg's names have hyphens, and it has no ports of AMD's libraries.
include("${SOURCE}/cmake/components.cmake")
set(expected ${ASSAY_COMPONENTS})
list(REMOVE_ITEM expected hip rocblas miopen rccl)
list(TRANSFORM expected REPLACE "_" "-")
list(SORT expected)
set(features "")
string(JSON count LENGTH "${manifest}" features)
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON feature MEMBER "${manifest}" features ${index})
  list(APPEND features ${feature})
  require_that("'${feature}' should be of lower-case letters, digits and hyphens" feature MATCHES "^[a-z0-9]+(-[a-z0-9]+)*$")
  string(JSON description GET "${manifest}" features ${feature} description)
  string(JSON dependencies ERROR_VARIABLE none LENGTH "${manifest}" features ${feature} dependencies)
  require_that("the feature ${feature} should bring something" description AND (NOT none OR feature STREQUAL "kokkos"))
endforeach()
list(SORT features)
require_that("features should be those of components: '${expected}', not '${features}'" features STREQUAL expected)

# --- the port ----------------------------------------------------------------------------------------------------------------

set(PORT assay)
set(CURRENT_PACKAGES_DIR "${WORK}/packages/assay_x64-linux")

# Options are the caller's; what else vcpkg passes matters to libraries that are compiled. No client: no CMake cache of its own.
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  require_that("unknown arguments of vcpkg_cmake_configure: ${arg_UNPARSED_ARGUMENTS}" NOT arg_UNPARSED_ARGUMENTS)
  run("${CMAKE_COMMAND}" ${toolchain} -S "${arg_SOURCE_PATH}" -B "${WORK}/port" -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" ${arg_OPTIONS})
  require_success("configuration by the port")
endfunction()

function(vcpkg_cmake_install)
  require_that("a header-only port has no debug build" VCPKG_BUILD_TYPE STREQUAL "release")
  run("${CMAKE_COMMAND}" --build "${WORK}/port" --target install)
  require_success("installation by the port")
endfunction()

# Moves the configuration to share/<port>, the folder that is searched, and lets nothing of the build remain in it.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(GLOB files "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*")
  require_that("there should be a configuration in ${arg_CONFIG_PATH}" files)
  file(COPY ${files} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
  cmake_path(GET arg_CONFIG_PATH PARENT_PATH parent)
  require_that("the parent of the configuration should be called cmake, to be removed" parent MATCHES "/cmake$")
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/${parent}")
  file(GLOB files "${CURRENT_PACKAGES_DIR}/share/${PORT}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    # The folder of the configuration is one nearer to the prefix now.
    string(REGEX REPLACE "(get_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\)\n)+"
      "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\nget_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n" text "${text}")
    string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../../" "\${CMAKE_CURRENT_LIST_DIR}/../../" text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB_RECURSE files RELATIVE "${CURRENT_PACKAGES_DIR}" "${CURRENT_PACKAGES_DIR}/*.pc")
  require_that("a header-only port has its .pc file in share/pkgconfig, not '${files}'" files STREQUAL "share/pkgconfig/assay.pc")
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMMENT" "FILE_LIST")
  file(COPY_FILE ${arg_FILE_LIST} "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright")
endfunction()

include("${port}/portfile.cmake")

# What vcpkg checks of every package.
file(GLOB folders RELATIVE "${CURRENT_PACKAGES_DIR}" "${CURRENT_PACKAGES_DIR}/*")
list(JOIN folders " " folders)
require_that("the package should have include and share, not '${folders}'" folders STREQUAL "include share")
foreach(file IN ITEMS copyright usage assay-config.cmake assay-config-version.cmake components.cmake default_policy.json)
  require_that("the package should have share/assay/${file}" EXISTS "${CURRENT_PACKAGES_DIR}/share/assay/${file}")
endforeach()
require_that("the license should lie in share/assay/copyright alone" NOT EXISTS "${CURRENT_PACKAGES_DIR}/share/doc")
file(GLOB_RECURSE entries LIST_DIRECTORIES true "${CURRENT_PACKAGES_DIR}/*")
foreach(entry IN LISTS entries)
  if(IS_DIRECTORY "${entry}")
    file(GLOB content "${entry}/*")
    require_that("${entry} should not be empty" content)
  elseif(entry MATCHES "\\.(cmake|pc)$")
    file(STRINGS "${entry}" absolute REGEX "${WORK}|${SOURCE}")
    require_that("${entry} should not name folders of the build: ${absolute}" NOT absolute)
  endif()
endforeach()

# As installed: moved to another place, where the client would unpack it.
file(RENAME "${CURRENT_PACKAGES_DIR}" "${WORK}/installed")
consume("-DCMAKE_PREFIX_PATH=${WORK}/installed" -DLINKED_COMPONENTS=json)
require_that("the package should be the port's" configuration_output MATCHES "found: assay ${version} in ${WORK}/installed/share/assay\n")
