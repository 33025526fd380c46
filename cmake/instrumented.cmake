# Programs under sanitizers, which slow them, and a compiler's optimizer, down.

# assay_time_limit(RESULT SECONDS): the seconds that a test may take.
function(assay_time_limit result seconds)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND seconds LESS 7200)
    set(seconds 7200)
  endif()
  set(${result} ${seconds} PARENT_SCOPE)
endfunction()

# assay_optimize_units(LIST UNIT…): where programs are built without optimization, those units of the list named LIST that compute for minutes then are
# optimized, and come first: of a function that several units have, linkers take the first unit's. Paths as in LIST.
function(assay_optimize_units list)
  if(NOT CMAKE_CXX_FLAGS_DEBUG MATCHES "-O0")
    return()
  endif()
  set(others ${${list}})
  list(REMOVE_ITEM others ${ARGN})
  set(units ${${list}})
  list(REMOVE_ITEM units ${others})
  set_source_files_properties(${units} PROPERTIES COMPILE_OPTIONS -O1)
  set(${list} ${units} ${others} PARENT_SCOPE)
endfunction()
