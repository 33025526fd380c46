# Tests of the command-line tool, and of what uses it.

find_program(ASSAY_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)  # the one that other tests take, too
find_program(ASSAY_PYTHON python3)
if(NOT ASSAY_PYTHON OR NOT UNIX)
  message(STATUS "assay: the tests of the command-line tool are left out: they need python3 and pseudo-terminals")
  return()
endif()

# assay_add_tool_test(NAME SOURCE ARGUMENT…): SOURCE is a file beside this one, without .py.
function(assay_add_tool_test name source)
  add_test(NAME ${name} COMMAND "${ASSAY_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/examples/${source}.py" ${ARGN})
  assay_time_limit(timeout 1800)
  set_tests_properties(${name} PROPERTIES LABELS examples TIMEOUT ${timeout})
endfunction()

# One for each class, since all of them together take minutes.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/assay_cli.py" classes REGEX "^class [A-Za-z]+\\(CommandLine\\):$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/assay_cli.py")
foreach(class IN LISTS classes)
  string(REGEX REPLACE "^class ([A-Za-z]+).*" "\\1" class "${class}")
  string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" name "${class}")
  string(TOLOWER "${name}" name)
  assay_add_tool_test(assay_cli_${name} assay_cli $<TARGET_FILE:assay> ${class})
endforeach()

foreach(command IN ITEMS help options notebooks certify gate matrix baseline collectives dashboard hardware serve)
  assay_add_tool_test(assay_${command} ${command} $<TARGET_FILE:assay>)
endforeach()
set(image_pipeline "")
if(TARGET image_pipeline)
  set(image_pipeline $<TARGET_FILE:image_pipeline>)
endif()
assay_add_tool_test(assay_accuracy accuracy $<TARGET_FILE:assay> ${image_pipeline})
assay_add_tool_test(split_pipeline split_pipeline $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/split_pipeline")
# sacrebleu, jiwer, rouge_score, pycocotools: skipped, with the reason, where cmake/test.sh could not install them.
assay_add_tool_test(accuracy_oracle accuracy_oracle $<TARGET_FILE:assay> "${PROJECT_BINARY_DIR}/python")
set_tests_properties(accuracy_oracle PROPERTIES SKIP_RETURN_CODE 77)
assay_add_tool_test(assay_history history $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/tests/performance/data")
assay_add_tool_test(assay_fleet fleet $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/fleet")
# Real Slurm, in the stage of long tests; Kubernetes' schemas. Skipped, with the reason, where they are not there.
add_test(NAME assay_slurm_long COMMAND "${ASSAY_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/examples/slurm.py" $<TARGET_FILE:assay>
  "${PROJECT_SOURCE_DIR}/examples/fleet" CONFIGURATIONS long)
set_tests_properties(assay_slurm_long PROPERTIES LABELS long SKIP_RETURN_CODE 77 TIMEOUT 1200)
foreach(folder IN ITEMS fleet/kubernetes distributed)
  string(REPLACE "/" "_" name kubernetes_manifests_${folder})
  add_test(NAME ${name} COMMAND "${ASSAY_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/examples/kubernetes_manifests.py"
    "${PROJECT_SOURCE_DIR}/examples/${folder}" "${PROJECT_BINARY_DIR}/python")
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endforeach()
# Our own results of benches under our own scan.
assay_add_tool_test(bench_results bench_results $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}")
assay_add_tool_test(examples_ci ci "${PROJECT_SOURCE_DIR}" $<TARGET_FILE:assay>)
# Where check-jsonschema is, which brings the published schemas of build servers.
set_tests_properties(examples_ci PROPERTIES ENVIRONMENT_MODIFICATION "PATH=path_list_append:${PROJECT_BINARY_DIR}/python/bin")
if(TARGET scripted_nvml)
  assay_add_tool_test(assay_telemetry telemetry $<TARGET_FILE:assay> $<TARGET_FILE:scripted_nvml>)
  # Loads the machine for a minute and looks at when readings come: alone, in the stage of long tests.
  add_test(NAME assay_hardware_telemetry COMMAND "${ASSAY_PYTHON}" -B
    "${PROJECT_SOURCE_DIR}/tests/examples/hardware_telemetry.py" $<TARGET_FILE:assay> $<TARGET_FILE:scripted_nvml>
    CONFIGURATIONS long)
  set_tests_properties(assay_hardware_telemetry PROPERTIES LABELS long RUN_SERIAL ON TIMEOUT 1200)
endif()
# Kernels in OpenCL C, SPIR-V and WGSL, on the drivers that are here: skipped, with the reason, where there are none.
foreach(interface IN ITEMS opencl vulkan webgpu)
  assay_add_tool_test(examples_gpgpu_${interface} gpgpu $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/gpgpu" ${interface})
  set_tests_properties(examples_gpgpu_${interface} PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME examples_gpgpu_${interface}_long COMMAND "${ASSAY_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/examples/gpgpu.py"
    $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/gpgpu" ${interface} CONFIGURATIONS long)
  set_tests_properties(examples_gpgpu_${interface}_long PROPERTIES ENVIRONMENT ASSAY_WHOLE_SUITE=1 LABELS long SKIP_RETURN_CODE 77
    TIMEOUT 3600)
endforeach()
set_tests_properties(examples_gpgpu_webgpu PROPERTIES ENVIRONMENT "ASSAY_WEBGPU=${PROJECT_BINARY_DIR}/python")
set_tests_properties(examples_gpgpu_webgpu_long PROPERTIES ENVIRONMENT "ASSAY_WHOLE_SUITE=1;ASSAY_WEBGPU=${PROJECT_BINARY_DIR}/python")
if(TARGET scripted_onnx_runtime)
  assay_add_tool_test(assay_frameworks frameworks $<TARGET_FILE:assay> $<TARGET_FILE:scripted_onnx_runtime>)
endif()
# A scripted package of Python stands for the one with PyTorch.
assay_add_tool_test(assay_frameworks_torch frameworks_torch $<TARGET_FILE:assay>)
# A driver's whole way to a release: a repository, two certifications and a bisection.
assay_add_tool_test(example_release_driver driver_release $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/release")
if(TARGET release)
  assay_add_tool_test(example_release release $<TARGET_FILE:release> $<TARGET_FILE:assay>)
endif()
if(TARGET safetensors_weights)
  assay_add_tool_test(assay_quantize_report quantize_report $<TARGET_FILE:assay> $<TARGET_FILE:safetensors_weights>)
endif()

set(wrong_plugin "")
if(TARGET plugin_c_wrong)
  set(wrong_plugin $<TARGET_FILE:plugin_c_wrong>)
endif()
assay_add_tool_test(assay_distribution distribution $<TARGET_FILE:assay> ${wrong_plugin})
assay_add_tool_test(assay_certify_shards certify_shards $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/distributed")
assay_add_tool_test(assay_plugin plugin $<TARGET_FILE:assay> $<TARGET_FILE:assay_host> $<TARGET_FILE:faulty_plugin>)
assay_add_tool_test(assay_plugin_faulty plugin_faulty $<TARGET_FILE:assay> $<TARGET_FILE:faulty_plugin>)
assay_add_tool_test(assay_plugin_reported plugin_reported $<TARGET_FILE:assay> $<TARGET_FILE:reported_plugin>)
if(TARGET plugin_c)
  assay_add_tool_test(example_plugin_c plugin_c $<TARGET_FILE:assay> $<TARGET_FILE:plugin_c> ${wrong_plugin} "${PROJECT_SOURCE_DIR}/examples/plugin_c")
endif()
# Modules of Python in interpreters that are executed; skipped, with the reason, where NumPy is not there.
assay_add_tool_test(example_plugin_python plugin_python $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/plugin_python" "${PROJECT_BINARY_DIR}/python")
assay_add_tool_test(example_plugin_rust plugin_rust $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/plugin_rust/plugin.rs")
# Builds a wheel around the library that is there; skipped, with the reason, where nanobind or Python's headers are not there.
assay_add_tool_test(python_package python_package $<TARGET_FILE:assay_host> "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/python" "${PROJECT_BINARY_DIR}/python_package")
# Every notebook of examples/labs, executed; takes the package that the test before has built.
assay_add_tool_test(labs labs $<TARGET_FILE:assay> "${PROJECT_SOURCE_DIR}/examples/labs" "${PROJECT_BINARY_DIR}/python" "${PROJECT_BINARY_DIR}/python_package/site")
set_tests_properties(python_package PROPERTIES FIXTURES_SETUP python_package)
set_tests_properties(labs PROPERTIES FIXTURES_REQUIRED python_package PROCESSORS 2)  # one of them measures how a server answers
set_tests_properties(example_plugin_python example_plugin_rust python_package labs PROPERTIES SKIP_RETURN_CODE 77)

# What MPI keeps until a process ends is no leak of ours; a plugin that crashes is to end the process as it does without a sanitizer.
set_tests_properties(assay_collectives assay_distribution assay_certify_shards PROPERTIES ENVIRONMENT_MODIFICATION ASAN_OPTIONS=path_list_append:detect_leaks=0)
set_tests_properties(assay_plugin_faulty PROPERTIES ENVIRONMENT_MODIFICATION ASAN_OPTIONS=path_list_append:handle_segv=0)
