# `cmake --build … --target reference` renders the reference and the guide: reference/html/index.html in the build folder.

find_program(ASSAY_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(ASSAY_PYTHON python3)
mark_as_advanced(ASSAY_PYTHON)
if(ASSAY_PYTHON)
  add_custom_target(reference
    COMMAND "${ASSAY_PYTHON}" -B "${PROJECT_SOURCE_DIR}/cmake/reference/reference.py" --html "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/reference"
    COMMENT "Rendering ${PROJECT_BINARY_DIR}/reference/html/index.html"
    USES_TERMINAL VERBATIM)
endif()
