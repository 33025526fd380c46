# Compiles SOURCE and holds it to its first lines:
#   // expect: <regular expression>    compilation fails, and the compiler's output matches
#   // expect: success                 compilation succeeds
#   // flags: -ffast-math              optional, more flags
# cmake -DCOMPILER=… -DSOURCE=… -DINCLUDES=<folder>:<folder> -P expect_failure.cmake

file(STRINGS "${SOURCE}" expectation REGEX "^// expect: " LIMIT_COUNT 1)
if(NOT expectation)
  message(FATAL_ERROR "${SOURCE}: the first line must be '// expect: <regular expression>' or '// expect: success'")
endif()
string(REGEX REPLACE "^// expect: " "" expectation "${expectation}")
file(STRINGS "${SOURCE}" flags REGEX "^// flags: " LIMIT_COUNT 1)
string(REGEX REPLACE "^// flags: *" "" flags "${flags}")
separate_arguments(flags)
string(REPLACE ":" ";" INCLUDES "${INCLUDES}")
list(TRANSFORM INCLUDES PREPEND "-I")

execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${INCLUDES} ${flags} "${SOURCE}"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(expectation STREQUAL "success")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} should compile:\n${output}")
  endif()
elseif(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, but should be rejected with: ${expectation}")
elseif(NOT output MATCHES "${expectation}")
  message(FATAL_ERROR "${SOURCE} is rejected, but not with: ${expectation}\n${output}")
endif()
