# Writes include/assay/<area>.hpp and include/assay/all.hpp from the headers that are there:
#   cmake -P cmake/umbrellas.cmake
# Leaves and detail/ are left out. Kernels with faults have an umbrella of their own, faults.hpp, which all.hpp does without: they are for
# those who validate validators, and cost a compiler as much as all the rest. The structural tests fail while an umbrella is out of date.
# include/assay/assay.hpp, the vocabulary, is written by hand.

include("${CMAKE_CURRENT_LIST_DIR}/components.cmake")
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
set(include_directory "${root}/include/assay")

file(GLOB_RECURSE headers RELATIVE "${include_directory}" "${include_directory}/*.hpp")
list(SORT headers)
set(areas "")
foreach(header IN LISTS headers)
  assay_components_of(${header} components)
  if(components OR header MATCHES "/detail/" OR NOT header MATCHES "^([a-z]+)/")
    continue()
  endif()
  set(area ${CMAKE_MATCH_1})
  list(APPEND areas ${area})
  string(APPEND text_${area} "#include \"assay/${header}\"\n")
endforeach()
list(REMOVE_DUPLICATES areas)

set(all "")
foreach(area IN LISTS areas)
  if(NOT area STREQUAL "faults")
    string(APPEND all "#include \"assay/${area}.hpp\"\n")
  endif()
  file(WRITE "${include_directory}/${area}.hpp"
    "#pragma once\n\n/// Everything of assay/${area}/ that needs no optional library.\n\n${text_${area}}")
endforeach()
file(WRITE "${include_directory}/all.hpp" "#pragma once\n\n/// Everything of Assay that needs no optional library, but for kernels with faults (assay/faults.hpp).\n\n${all}")
