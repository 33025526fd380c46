# Writes include/assay/<area>.hpp and include/assay/assay.hpp from the headers that are there:
#   cmake -P cmake/umbrellas.cmake
# Leaves and detail/ are left out. The structural tests fail while an umbrella is out of date.

include("${CMAKE_CURRENT_LIST_DIR}/components.cmake")
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
set(include_directory "${root}/include/assay")

file(GLOB_RECURSE headers RELATIVE "${include_directory}" "${include_directory}/*.hpp")
list(SORT headers)
set(areas "")
foreach(header IN LISTS headers)
  assay_component_of(${header} component)
  if(component OR header MATCHES "/detail/" OR NOT header MATCHES "^([a-z]+)/")
    continue()
  endif()
  list(APPEND areas ${CMAKE_MATCH_1})
  string(APPEND text_${CMAKE_MATCH_1} "#include \"assay/${header}\"\n")
endforeach()
list(REMOVE_DUPLICATES areas)

set(all "")
foreach(area IN LISTS areas)
  string(APPEND all "#include \"assay/${area}.hpp\"\n")
  file(WRITE "${include_directory}/${area}.hpp"
    "#pragma once\n\n/// Everything of assay/${area}/ that needs no optional library.\n\n${text_${area}}")
endforeach()
file(WRITE "${include_directory}/assay.hpp" "#pragma once\n\n/// Everything of Assay that needs no optional library.\n\n${all}")
