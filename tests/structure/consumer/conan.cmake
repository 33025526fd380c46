# `conan create .` with Conan's client, a cache of its own, and no remote; then with every requirement, from recipes made up here
# that have the names of Conan Center's. ENVIRONMENT: the Python environment that has the client.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(conan "${ENVIRONMENT}/bin/conan")
if(NOT EXISTS "${conan}")
  set(reason "Conan's client is not here; cmake/test.sh installs it")
  if(EXISTS "${ENVIRONMENT}/reason")
    file(READ "${ENVIRONMENT}/reason" reason)
  endif()
  message(NOTICE "skipped: ${reason}")
  return()
endif()
set(ENV{CONAN_HOME} "${WORK}/home")
run("${conan}" profile detect)
require_success("conan profile detect")
run("${conan}" remote remove *)
require_success("conan remote remove")

macro(create)
  run("${conan}" create "${SOURCE}" -s compiler.cppstd=20 -c "tools.cmake.cmaketoolchain:generator=${GENERATOR}"
    -c "tools.cmake.cmake_layout:test_folder=${WORK}/build" ${ARGN})
endmacro()

create()
require_success("conan create")
require_that("the test package should have run" output MATCHES "\nassay ${version}\n")
require_that("components should be found on the machine" NOT output MATCHES "component eigen: 'assay has no")

run("${conan}" create "${SOURCE}" -s compiler.cppstd=17 -tf=)
require_failure("an older dialect" "cppstd.*20")

# Recipes of an index, as Conan Center is one: an empty header each, in place of the library's.
set(recipes kokkos/4.6.0=Kokkos_Core.hpp openblas/0.3.24=cblas.h eigen/3.4.0=Eigen/Core nlohmann_json/3.11.3=nlohmann/json.hpp
  openssl/3.2.0=openssl/evp.h sqlite3/3.45.0=sqlite3.h libpq/15.4=libpq-fe.h boost/1.84.0=boost/math/distributions.hpp
  openmpi/4.1.6=mpi.h catch2/3.5.0=none gtest/1.14.0=none)
foreach(recipe IN LISTS recipes)
  string(REGEX MATCH "^(.*)/(.*)=(.*)$" matched "${recipe}")
  set(folder "${WORK}/index/recipes/${CMAKE_MATCH_1}")
  file(WRITE "${folder}/config.yml" "versions:\n  \"${CMAKE_MATCH_2}\":\n    folder: all\n")
  file(WRITE "${folder}/all/conanfile.py" "
import os
from conan import ConanFile
from conan.tools.files import save

class Stub(ConanFile):
    name = '${CMAKE_MATCH_1}'
    package_type = 'header-library'
    options = {'header_only': [True, False]}
    default_options = {'header_only': name != 'boost'}

    def package(self):
        save(self, os.path.join(self.package_folder, 'include', '${CMAKE_MATCH_3}'), '')

    def package_info(self):
        for component in {'boost': ['headers'], 'gtest': ['gmock'], 'openssl': ['crypto']}.get(self.name, []):
            assert self.options.header_only
            self.cpp_info.components[component].defines = ['FROM_CONAN']
        if not self.cpp_info.components:
            self.cpp_info.defines = ['FROM_CONAN']
")
endforeach()
run("${conan}" remote add index "${WORK}/index" --type local-recipes-index)
require_success("conan remote add")
file(STRINGS "${SOURCE}/conanfile.py" requirements REGEX "^    \"[a-z0-9_]+\": \\(\"")
set(options "")
foreach(requirement IN LISTS requirements)
  string(REGEX REPLACE "^    \"([a-z0-9_]+)\".*" "\\1" component "${requirement}")
  list(APPEND options -o "&:with_${component}=True")
endforeach()
list(LENGTH recipes expected)
list(LENGTH requirements count)
require_that("there should be a recipe here for each of the ${count} requirements" count EQUAL expected)
create(${options} --build=missing -c "user.assay:linked_components=json,sqlite,boost_math" -c "tools.build:defines=['EXPECT_FROM_CONAN']")
require_success("conan create with all requirements")
foreach(component IN ITEMS json sqlite boost_math)
  require_that("${component} should be linked" output MATCHES "linked: ${component}\n")
endforeach()
require_that("the test package should have run" output MATCHES "\nassay ${version}\n")
