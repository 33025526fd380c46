# Runs the assay command-line tool and looks at its exit codes and messages:
#   cmake -DASSAY=<program> -DFOLDER=<scratch folder> -P assay_cli.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")

# expect(<exit code> <regular expression for standard output and error> <arguments>...)
function(expect exit_code pattern)
  list(JOIN ARGN " " typed)
  execute_process(COMMAND "${ASSAY}" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors WORKING_DIRECTORY "${FOLDER}")
  if(NOT result STREQUAL "${exit_code}")
    message(SEND_ERROR "assay ${typed}\n exited with ${result}, not ${exit_code}:\n${output}${errors}")
  elseif(NOT "${output}${errors}" MATCHES "${pattern}")
    message(SEND_ERROR "assay ${typed}\n said nothing like '${pattern}':\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_file name)
  if(NOT EXISTS "${FOLDER}/${name}")
    message(SEND_ERROR "${name} was not written")
  endif()
endfunction()

set(small --op gemm --backend host --shape m1-n1-k1-nn-row)
set(one --only gemm/host/f32.f32.f32/m1-n1-k1-nn-row/normal)

# help and doctor
expect(0 "doctor.*list.*run" --help)
expect(0 "--tolerance.*--out" run --help)
expect(0 "^[0-9]+\\.[0-9]+\\.[0-9]+" --version)
expect(0 "processor.*openblas" doctor)

# list
expect(0 "^gemm\n$" list ops)
expect(0 "host" list backends)
expect(0 "bf16\\.f32\\.bf16" list formats)
expect(0 "near_tie" list fills)
expect(0 "m33-n17-k1-nn-row" list shapes)
expect(0 "^gemm/host/f32.f32.f32/m1-n1-k1-nn-row/normal\n$" list cases ${one})
expect(0 "^gemm/host/f64" list cases ${small} --dtype f64,f32)
if(output MATCHES "bf16" OR NOT output MATCHES "/f32" OR output MATCHES "kokkos")
  message(SEND_ERROR "--dtype f64,f32 selected\n${output}")
endif()
expect(0 "" list cases ${small})
set(whole "${output}")
expect(0 "" list cases ${small} --shard 1/2)
set(first "${output}")
expect(0 "" list cases ${small} --shard 2/2)
string(REGEX MATCHALL "\n" lines_of_whole "${whole}")
string(REGEX MATCHALL "\n" lines_of_parts "${first}${output}")
list(LENGTH lines_of_whole cases_of_whole)
list(LENGTH lines_of_parts cases_of_parts)
if(NOT cases_of_whole EQUAL cases_of_parts OR first STREQUAL output)
  message(SEND_ERROR "two shards hold ${cases_of_parts} cases, the whole has ${cases_of_whole}")
endif()

# run
expect(0 "1 passed" run ${one} --out report)
expect_file(report/report.json)
expect_file(report/report.html)
file(READ "${FOLDER}/report/report.json" json)
foreach(part "assay run --only" "--seed 1" "gemm/host/f32.f32.f32/m1-n1-k1-nn-row/normal")
  string(FIND "${json}" "${part}" position)
  if(position EQUAL -1)
    message(SEND_ERROR "report.json has no '${part}'")
  endif()
endforeach()
expect(0 "1 passed" run ${one} --quiet --tolerance normal --seed 18446744073709551615 --repeat 3 --require-determinism --jobs 2)
expect(0 "pass gemm/host/f32" run ${one} --verbose --tolerance atol=1e-3,rtol=0)
expect(1 "fail gemm/host/bf16.*again: assay run --tolerance atol=0 --only" run --only "gemm/host/bf16.f32.bf16/m113-n127-k131-nn-row/normal" --tolerance atol=0)

# what is typed wrong
expect(2 "" )
expect(2 "unknown command 'rnu'; nearest: run" rnu)
expect(2 "unknown option '--bakend'; nearest: --backend" run --bakend host)
expect(2 "'host' was not expected" run host)
expect(2 "unknown list 'opps'; nearest: ops" list opps)
expect(2 "unknown backend 'hots'; nearest: host; known: .*host" run --backend hots)
expect(2 "unknown operation 'gem'; nearest: gemm" run --op gem)
expect(2 "unknown format 'bf61'; nearest: bf16" run --dtype bf61)
expect(2 "unknown data 'norml'; nearest: normal" run --fill norml)
expect(2 "unknown case 'gemm/host/f32.f32.f32/m1-n1-k1-nn-row/norml'; nearest: gemm/host/f32.f32.f32/m1-n1-k1-nn-row/normal" run
  --only gemm/host/f32.f32.f32/m1-n1-k1-nn-row/norml)
expect(2 "no case matches 'conv/\\*'" run --exclude conv/*)
expect(2 "unknown suite 'lagre'; nearest: large" run --suite lagre)
expect(2 "unknown tolerance 'stirct'; nearest: strict" run --tolerance stirct)
expect(2 "has no number of 0 or more" run --tolerance atol=-1)
expect(2 "shard 3/2 does not exist; give i/n" run --shard 3/2)
expect(2 "shard 'x' cannot be read" run --shard x)
expect(2 "--seed is '-1'; give a whole number from 0 to 18446744073709551615" run --seed -1)
expect(2 "--jobs is '0'; give a whole number from 1" run --jobs 0)
expect(2 "--repeat is 'many'" run --repeat many)
expect(2 "give --repeat 2 or more" run --require-determinism)
expect(2 "excludes --" run --quiet --verbose)
expect(2 "nothing is selected: exclude \\* leaves none" run --exclude "*")
expect(2 "there are more shards than cases" run ${one} --shard 2/2)
expect(2 "ask for large cases" run --only "*m16-n4096-k4096*")

# matrices of one's own: bytes made with printf, since CMake cannot write them
file(WRITE "${FOLDER}/matrices.sh" [=[
# npy <file> <rows> <columns> <octal bytes of float32 elements>
npy() {
  header=$(printf "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" "$2" "$3")
  { printf '\223NUMPY\001\000\166\000'; printf '%-117s\n' "$header"; printf "$4"; } > "$1"
}
npy a.npy 2 3 '\000\000\200\077\000\000\000\100\000\000\100\100\000\000\200\100\000\000\240\100\000\000\300\100'
npy b.npy 3 1 '\000\000\200\077\000\000\000\100\000\000\100\100'
]=])
execute_process(COMMAND sh matrices.sh WORKING_DIRECTORY "${FOLDER}" COMMAND_ERROR_IS_FATAL ANY)
expect(0 "4 passed" run --a a.npy --b b.npy --backend host --dtype f32,f64,f16 --out own)
file(READ "${FOLDER}/own/report.json" json)
foreach(part "assay run --a a.npy --b b.npy --only" "gemm/host/f32.f32.f32/m2-n1-k3-nn-row/given")
  string(FIND "${json}" "${part}" position)
  if(position EQUAL -1)
    message(SEND_ERROR "own/report.json has no '${part}'")
  endif()
endforeach()
expect(2 "--a requires --b" run --a a.npy)
expect(2 "absent.npy: no such file" run --a a.npy --b absent.npy)
expect(2 "A's columns must be as many as B's rows" run --a a.npy --b a.npy)
expect(2 "not an npy file" run --a a.npy --b matrices.sh)

# a place that cannot be written is told before anything runs
file(WRITE "${FOLDER}/taken" "")
expect(2 "--out 'taken' cannot be" run ${one} --out taken)
if(output MATCHES "passed")
  message(SEND_ERROR "a run with nowhere to write ran:\n${output}")
endif()
file(MAKE_DIRECTORY "${FOLDER}/odd/report.html")
expect(2 "has a folder where report.html is to be" run ${one} --out odd)

# an interrupted run ends its running cases, keeps what ran, and is no success
file(WRITE "${FOLDER}/interrupt.sh" [=[
"$1" run --backend host --verbose --out interrupted > console.txt 2>&1 &
until grep -q "^pass" console.txt || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
kill -TERM $!
wait $!
code=$?
cat console.txt | tail -n 5
exit $code
]=])
execute_process(COMMAND sh interrupt.sh "${ASSAY}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output WORKING_DIRECTORY "${FOLDER}")
if(NOT result EQUAL 2)
  message(SEND_ERROR "an interrupted run exited with ${result}, not 2:\n${output}")
endif()
expect_file(interrupted/report.json)
expect_file(interrupted/report.html)
