#include "help.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

namespace {

constexpr const char* tool =
    "Examples:\n"
    "  assay doctor                                         what is here, and how to get what is missing\n"
    "  assay run --out report                               the default suite; report/report.html\n"
    "  assay run --backend onednn --dtype bf16 --isolate    bf16 on oneDNN, each case safe from the others\n"
    "  assay explain 'gemm/*/bf16.f32.bf16/m1-n1-k1-*'      how their bounds come about\n"
    "  assay gate report --policy policy.json               may it ship?\n\n"
    "Exit code: 0 all passed, 1 something failed, 2 usage, environment, or cut short.";

struct Footer {
  const char* command;
  const char* text;
};

constexpr Footer footers[] = {
    {"run",
     "Examples:\n"
     "  assay run --out report                                    the default suite; report/report.html\n"
     "  assay run --backend onednn --dtype bf16 --isolate         bf16 on oneDNN, each case safe from the others\n"
     "  assay run --op softmax --only '*/4x128x1/*' --timeout 60   cases by name, a minute each\n"
     "  assay run --a a.npy --b b.npy                             every kernel here on matrices of your own\n"
     "  assay run --opencl kernels.json --out report              kernels in OpenCL C that a file describes\n"
     "  assay run --python kernels.py --out report                functions of Python that a module names\n"
     "  assay run --opencl kernels.json --oclgrind                do they race, or leave their buffers?\n"
     "  assay run --webgpu kernels.json                           kernels in WGSL; --vulkan: in SPIR-V\n"
     "  assay run --backend clblast                               CLBlast on a device of OpenCL\n\n"
     "Exit code: 0 all passed, 1 something failed or erred, 2 usage, environment, cut short, or nothing decided."},
    {"check",
     "Examples:\n"
     "  assay check --op softmax x.npy y.npy                 is y the softmax of x along its last axis?\n"
     "  assay check --op softmax --set axis=0 --set temperature=0.5 x.npy y.npy\n"
     "  assay check --op linear --set transpose_b=true x.npy weights.npy y.npy\n\n"
     "Exit code: 0 passed, 1 failed, 2 usage, arrays that do not fit the problem, or nothing decided."},
    {"list",
     "Examples:\n"
     "  assay list ops                                       operations that something here computes\n"
     "  assay list cases --op gemm --fill near_tie           what assay run would run with the same options\n"
     "  assay list formats e4m3fn bf16                       number formats in figures; without names, all\n"
     "  assay list coverage --op attention                   lengths that plugins meet: 0, odd, near tiles\n\n"
     "Exit code: 0, or 2 for usage and environment."},
    {"explain",
     "Examples:\n"
     "  assay explain 'gemm/host/f32.f32.f32/m1-n1-k1-*'              how the bounds of these cases come about\n"
     "  assay explain 'softmax/host/*/normal' --tolerance ulps=2      what a fixed rule would accept instead\n\n"
     "Exit code: 0, or 2 for usage and environment, and where no case has that name."},
    {"minimize",
     "Examples:\n"
     "  assay minimize gemm/onednn/f32.f32.f32/m64-n64-k64-nn-row/uniform --out case.json\n"
     "  assay minimize ID --out case.json --runs 500 --timeout 20      ID as a report tells it\n"
     "  assay run --case case.json                                     the case again, anywhere\n\n"
     "Exit code: 0 the smallest was kept, 2 usage, environment, or the case does not fail."},
    {"envelope",
     "Examples:\n"
     "  assay envelope learn seed*/report.json --out envelope.json                499 runs of right kernels, each of "
     "its own seed\n"
     "  assay envelope learn seed*/report.json --out envelope.json --rate 0.05    99 are enough\n"
     "  assay run --envelope envelope.json                                        what lies outside is told\n\n"
     "Exit code: 0 the file was written, 2 usage, environment, or too little to learn from."},
    {"report",
     "Examples:\n"
     "  assay report report/report.json --out page                            the page of a saved run\n"
     "  assay report report/report.json --format junit,sarif --out scan       for a build server\n"
     "  assay report --history perf.jsonl --gate gate/report.json --out dashboard.html      a release on one page\n\n"
     "Exit code: 0 it was written, 2 usage and environment. The run's own verdict does not matter here."},
    {"merge",
     "Examples:\n"
     "  assay merge part1/report.json part2/report.json --out whole\n"
     "  assay merge part1/report.json part2/report.json --out whole --format junit --require-conclusive\n\n"
     "Exit code: as of run: 0 all passed, 1 something failed, or a part is missing, 2 usage, environment, or nothing "
     "decided."},
    {"quantize-report",
     "Examples:\n"
     "  assay quantize-report model.safetensors --out quality.html            every format, with charts\n"
     "  assay quantize-report model.safetensors --tensor '*.mlp.*' --format 'nvfp4,mxfp4,int4*'\n\n"
     "Exit code: 0 measured, 2 usage and environment."},
    {"profile",
     "Examples:\n"
     "  assay profile --backend onednn --dtype bf16 --json before.json        what arithmetic its products do\n"
     "  assay profile --backend onednn --dtype bf16 --compare before.json     what an upgrade changed\n"
     "  assay profile --backend onednn --op exp,rsqrt                         worst errors of functions, in ulps\n\n"
     "Exit code: 0 done, 1 with --compare: something changed, 2 usage, environment, or a kernel that could not be "
     "profiled."},
    {"faults",
     "Examples:\n"
     "  assay faults list --op softmax                       kernels with known faults, and right ones\n"
     "  assay faults run --op softmax --cases 20             which of them the default suite catches\n"
     "  assay faults coverage --op gemm --fault dropped_term      which patterns of data show a fault\n\n"
     "Exit code: 0 every fault that can be seen is caught and no right kernel accused, 1 otherwise, 2 usage and "
     "environment."},
    {"gate",
     "Examples:\n"
     "  assay gate --print-default-policy                    the policy to start from\n"
     "  assay gate results --policy policy.json --out gate   results: files report.json, or folders of them\n"
     "  assay gate results --policy policy.json --waivers waivers.json --today 2026-03-01\n\n"
     "Exit code: 0 approved, 1 blocked, 2 cannot tell, usage and environment."},
    {"certify",
     "Examples:\n"
     "  assay certify --plan smoke --out smoke               five minutes; smoke/report/report.html\n"
     "  assay certify --plan driver-release --print-checklist      rows, and what answers them\n"
     "  assay certify --plan release.json --out v2.1 --by 'Ada L.' --attest notes      again: goes on where it "
     "stopped\n"
     "  assay certify --plan driver-release --shard 2/4 --out part-2      a part of it, on one machine of four\n"
     "  assay certify --join part-1 part-2 part-3 part-4 --out v2.1 --by 'Ada L.'\n"
     "  assay certify --verify v2.1                          nothing was changed since, and it still holds\n\n"
     "Exit code: 0 approved, 1 blocked (of --verify: void), 2 cannot tell, usage and environment; of --shard: 0 all "
     "its stages ended,\n1 one did not, 2 one was left out."},
    {"frameworks",
     "Examples:\n"
     "  assay frameworks onnx --cases onnx-cases             which the Python package onnx writes, where there are "
     "none yet\n"
     "  assay frameworks onnx --provider OpenVINO --option device_type=CPU --only 'test_softmax*'\n"
     "  assay frameworks onnx --provider openvino.accurate   OpenVINO itself; by default it computes float32 in "
     "bfloat16\n"
     "  assay frameworks onnx --known-failures known.txt --table cases.tsv\n"
     "  assay frameworks onnx --critical default --report onnx.json          the operators that must pass; for assay "
     "gate\n"
     "  assay frameworks critical                            prints the list of them, to edit\n"
     "  assay frameworks fusions --level 99                  what a compiler fuses, against node by node\n"
     "  assay frameworks opsets --only 'test_softmax*'       the same bits in every version of an operator?\n"
     "  assay frameworks calibration --model int8.onnx --activations batch.npz --method percentile --percentile 99.9\n"
     "  assay frameworks torch --op 'linalg.*,softmax' --dtype f32,bf16      PyTorch's operators, by ASSAY_PYTHON or "
     "python3\n"
     "  assay run --backend xla,xla.no-excess --op softmax   XLA, by a plugin of PJRT\n"
     "  assay run --backend ort.cpu.level0,ort.cpu.level99 --op softmax      operations of Assay's own, judged by its "
     "bounds\n\n"
     "Exit code: 0 all that was judged passed or is a known failure, 1 otherwise, 2 nothing passed, usage and "
     "environment."},
    {"matrix",
     "Examples:\n"
     "  assay matrix expand matrix.json                      the combinations, less what cannot be\n"
     "  assay matrix shard matrix.json --out results --shard 1/4      a folder for each that is left to do\n"
     "  assay matrix status matrix.json results              done, failed, missing\n"
     "  assay matrix report matrix.json results --out compatibility\n\n"
     "Exit code of status: 0 all have results, 2 some have none. Of report and merge: 0 all that was promised passed, "
     "1 something failed;\n"
     "of report 2 something is missing. Usage and environment: 2."},
    {"telemetry",
     "Examples:\n"
     "  assay telemetry list                                 what is told here, and what is not\n"
     "  assay telemetry record load.jsonl --seconds 180      while a load runs\n"
     "  assay telemetry show load.jsonl --out load.html      tables, and the courses as pictures\n"
     "  assay telemetry replay load.jsonl --specification 700        sustained power and heat, judged\n\n"
     "Exit code of replay: 0 all that was judged passed, 1 something failed, 2 something is undecided. Of list and "
     "record: "
     "0 a sensor told\n"
     "something, 2 none did. Usage and environment: 2."},
    {"help",
     "Examples:\n"
     "  assay help                                           the topics\n"
     "  assay help tolerances                                how an error is judged\n"
     "  assay help run                                       as assay run --help\n\n"
     "Exit code: 0, or 2 for usage and a topic that there is not."},
    {"doctor",
     "Examples:\n"
     "  assay doctor                                         libraries, devices, settings in force\n"
     "  assay doctor --config team.toml                      whether this settings file can be understood\n\n"
     "Exit code: 0, or 2 where a settings file is wrong."},
};

}  // namespace

void add_footers(CLI::App& app) {
  app.footer(tool);
  for (const Footer& footer : footers) {
    CLI::App& command = *app.get_subcommand(footer.command);
    if (command.get_footer().empty() || command.get_footer() == app.get_footer()) command.footer(footer.text);
  }
}

}  // namespace assay_program
