# assay::compiled: what of Assay is no template, and the instantiations that everybody needs, compiled once. Whoever links
# it has the macro ASSAY_COMPILED defined: headers then only declare what stands in implementation files (*.ipp), and checks
# of Assay's own operations on the host are calls into the library. Header-only use needs none of this.
#
# Two archives: assay_compiled_base has what GEMM, softmax and normalization need, assay_compiled the rest.

# In the project's own build, and in a consumer's: find_package(assay COMPONENTS compiled) builds it there, with her compiler
# and her flags. It has the implementation files of all components that are found.

include_guard(GLOBAL)

# Where the headers are: of a target in this build, or imported.
get_target_property(compiled_headers assay::assay INTERFACE_INCLUDE_DIRECTORIES)
string(REGEX REPLACE "\\$<BUILD_INTERFACE:([^>]*)>|\\$<INSTALL_INTERFACE:[^>]*>" "\\1" compiled_headers "${compiled_headers}")
list(FILTER compiled_headers EXCLUDE REGEX "^$")
list(GET compiled_headers 0 compiled_headers)
if(NOT EXISTS "${compiled_headers}/assay/kernels/all_operations.hpp")  # Conan's targets name them by configuration
  set(compiled_headers "${CMAKE_CURRENT_LIST_DIR}/../include")
endif()
set(compiled_folder "${CMAKE_CURRENT_BINARY_DIR}/assay-compiled")
set(base_units "")
set(other_units "")

# assay_compiled_unit(<base|other> NAME LINE…) writes a unit, unless it is there as it should be. Lines that include end
# as they are, others with a semicolon.
function(assay_compiled_unit archive name)
  list(TRANSFORM ARGN REPLACE "^([^#].*)$" "\\1\\\\;")
  list(JOIN ARGN "\n" text)
  file(CONFIGURE OUTPUT "${compiled_folder}/${name}.cpp" CONTENT "${text}\n" @ONLY)
  set(${archive}_units ${${archive}_units} "${compiled_folder}/${name}.cpp" PARENT_SCOPE)
endfunction()

# --- implementation files: a unit an area ----------------------------------------------------------------------------

set(base_areas core formats backends statistics suite report tensor tolerance compare kernels validators diagnosis)
file(GLOB_RECURSE implementations CONFIGURE_DEPENDS RELATIVE "${compiled_headers}" "${compiled_headers}/assay/*.ipp")
list(SORT implementations)
set(areas "")
set(compiled_components "")
foreach(implementation IN LISTS implementations)
  string(REGEX REPLACE "^assay/(.*)\\.ipp$" "\\1.hpp" header "${implementation}")
  assay_components_of(${header} components)
  set(complete TRUE)
  foreach(component IN LISTS components)
    if(NOT TARGET assay::${component})
      set(complete FALSE)
    endif()
  endforeach()
  if(NOT complete)
    continue()  # whoever links the library cannot have these headers, either
  endif()
  list(APPEND compiled_components ${components})
  string(REGEX MATCH "^assay/([a-z]+)/" matched "${implementation}")
  set(area ${CMAKE_MATCH_1})
  if(components)
    string(APPEND area "_leaves")
  endif()
  list(APPEND areas ${area})
  list(APPEND text_${area} "#include \"${implementation}\"")
endforeach()
list(REMOVE_DUPLICATES areas)
list(REMOVE_DUPLICATES compiled_components)
foreach(area IN LISTS areas)
  if(area IN_LIST base_areas)
    assay_compiled_unit(base area_${area} ${text_${area}})
  else()
    assay_compiled_unit(other area_${area} ${text_${area}})
  endif()
endforeach()

# --- operations: three a unit, since they share much ------------------------------------------------------------------

# assay_operation_folder(OPERATION RESULT): of its headers, "softmax_backward" of SoftmaxBackward.
function(assay_operation_folder operation result)
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" folder "${operation}")
  string(TOLOWER "${folder}" folder)
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

function(assay_compiled_operations archive name)
  set(includes "")
  set(instances "")
  foreach(operation IN LISTS ARGN)
    assay_operation_folder(${operation} folder)
    list(APPEND includes "#include \"assay/kernels/${folder}/${folder}.hpp\"")
    foreach(instance IN ITEMS OperationOnHost ObservedOnHost)
      list(APPEND instances "template struct assay::detail::${instance}<assay::${operation}>")
    endforeach()
  endforeach()
  assay_compiled_unit(${archive} ${name} ${includes} "#include \"assay/validators/detail/operation_on_host_definition.hpp\""
    "#include \"assay/faults/detail/observed_on_host_definition.hpp\"" ${instances})
  set(${archive}_units ${${archive}_units} PARENT_SCOPE)
endfunction()

# The list of all operations is the header's.
file(STRINGS "${compiled_headers}/assay/kernels/all_operations.hpp" operations REGEX "^struct [A-Za-z0-9]+;$")
list(TRANSFORM operations REPLACE "^struct ([A-Za-z0-9]+);$" "\\1")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${compiled_headers}/assay/kernels/all_operations.hpp")
set_property(GLOBAL PROPERTY ASSAY_OPERATIONS ${operations})
set(base_operations Normalization Softmax)
list(REMOVE_ITEM operations ${base_operations})
assay_compiled_operations(base operations_base ${base_operations})
set(part 0)
while(operations)
  math(EXPR part "${part} + 1")
  list(SUBLIST operations 0 3 three)
  list(REMOVE_ITEM operations ${three})
  assay_compiled_operations(other operations_${part} ${three})
endwhile()

# --- products, by formats, and what all operations share ---------------------------------------------------------------

function(assay_compiled_products archive name)
  set(instances "")
  foreach(instance IN ITEMS GemmOnHost ObservedGemmOnHost)
    list(TRANSFORM ARGN REPLACE "(.+)" "template struct assay::detail::${instance}<\\1>" OUTPUT_VARIABLE own)
    list(APPEND instances ${own})
  endforeach()
  assay_compiled_unit(${archive} ${name} "#include \"assay/validators/detail/gemm_on_host_definition.hpp\""
    "#include \"assay/faults/detail/observed_gemm_on_host_definition.hpp\"" "using namespace assay" ${instances})
  set(${archive}_units ${${archive}_units} PARENT_SCOPE)
endfunction()

# The list of products is the header's, too.
set(common_formats "${compiled_headers}/assay/kernels/gemm/common_formats.hpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${common_formats}")
file(READ "${common_formats}" products)
string(REGEX MATCHALL "Gemm<[a-z0-9_]+, [a-z0-9_]+, [a-z0-9_]+, [a-z0-9_]+>" products "${products}")
set(base_f32 "Gemm<float32, float32, float32, float32>")
set(base_bf16 "Gemm<bfloat16, bfloat16, float32, bfloat16>")
list(REMOVE_ITEM products "${base_f32}" "${base_bf16}")
assay_compiled_products(base products_f32 "${base_f32}")
assay_compiled_products(base products_bf16 "${base_bf16}")
set(part 0)
while(products)
  math(EXPR part "${part} + 1")
  list(SUBLIST products 0 2 two)
  list(REMOVE_ITEM products ${two})
  assay_compiled_products(other products_${part} ${two})
endwhile()
assay_compiled_unit(base host "#include \"assay/validators/check_operation.hpp\"" "using namespace assay" "template class assay::OperandTensor<Host>"
  "template class assay::detail::OperationMemory<Host>" "template struct assay::OperandComparison<Host>")

# --- the library -------------------------------------------------------------------------------------------------------

find_package(Threads REQUIRED)
add_library(assay_compiled_base STATIC EXCLUDE_FROM_ALL ${base_units})
add_library(assay_compiled STATIC EXCLUDE_FROM_ALL ${other_units})
add_library(assay::compiled_base ALIAS assay_compiled_base)
add_library(assay::compiled ALIAS assay_compiled)
list(TRANSFORM compiled_components PREPEND assay:: OUTPUT_VARIABLE compiled_libraries)
target_compile_definitions(assay_compiled_base PUBLIC ASSAY_COMPILED)
target_link_libraries(assay_compiled_base PUBLIC assay::assay)
target_link_libraries(assay_compiled PUBLIC assay_compiled_base ${compiled_libraries})
set_target_properties(assay_compiled_base assay_compiled PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON)

# For our own programs: what computes is optimized, the rest compiles quicker.
if(PROJECT_IS_TOP_LEVEL AND PROJECT_NAME STREQUAL "assay")
  set(computing ${base_units} ${other_units})
  list(FILTER computing EXCLUDE REGEX "/area_")
  set(others ${base_units} ${other_units})
  list(REMOVE_ITEM others ${computing})
  # Whose loops are to load the machine in every build.
  set_source_files_properties("${compiled_folder}/area_hardware.cpp" PROPERTIES COMPILE_OPTIONS -O2)
  list(FILTER others EXCLUDE REGEX "/area_hardware\\.cpp$")
  set_source_files_properties(${others} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  set_source_files_properties(${computing} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Debug>:-O1>)
endif()
