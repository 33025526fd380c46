#pragma once

#include <string>
#include <string_view>

namespace assay_program {

/// A text of at most 40 lines of 80 columns, in ASCII.
struct HelpTopic {
  std::string_view name;
  std::string_view gist;  ///< in a line
  std::string_view text;
};

inline constexpr HelpTopic help_topics[] = {
    {"tolerances", "how an error is judged, and why no number is tuned",
     "Every output element has an interval of its own that each correct kernel must\n"
     "hit: out in [RN(r - E), RN(r + E)]. r is a reference in float64 on the operands\n"
     "as they are stored, E the largest error that the operation, its formats, these\n"
     "very data and what the kernel promises allow, RN the rounding of the output.\n"
     "So another order of summation passes, and one dropped product does not.\n\n"
     "  assay explain 'softmax/host/f32.f32/4x128x1/normal'     each step, in numbers\n\n"
     "A fixed rule is there for comparison, and reports say that it was used:\n\n"
     "  assay run --op softmax --tolerance atol=1e-3,rtol=1e-2\n"
     "  assay run --op softmax --tolerance ulps=4\n\n"
     "error/allowed is the share of E that the worst element provably used: above 1\n"
     "a kernel cannot be right. Where a bound says nothing the case is inconclusive."},
    {"promises", "what hardware is documented to do, declared once",
     "Some units treat special numbers in a way of their own: bf16 dot products of\n"
     "AVX512_BF16 and AMX read and write subnormal numbers as 0. A promise says so,\n"
     "once for a unit, and what it explains passes, with one line in the report.\n"
     "Normal numbers that are wrong fail as ever.\n\n"
     "  assay run --backend onednn --promise flush_products=bf16\n"
     "  assay run --promise flush_subnormals,default_nan\n"
     "  assay run --promise keep_subnormals        whatever a library declares\n\n"
     "A profile, measured from launches of the kernel alone, is a promise, too:\n\n"
     "  assay profile --backend onednn --dtype bf16 --json unit.json\n"
     "  assay run --backend onednn --dtype bf16 --promise unit.json\n\n"
     "Accumulators are declared in the formats: bf16.bf16.bf16 keeps sums in bf16,\n"
     "and is judged by that."},
    {"ids", "how cases are named, and chosen",
     "A case is operation/backend/formats/shape/data, everywhere and for years:\n\n"
     "  gemm/onednn/bf16.f32.bf16/m64-n64-k64-nn-row/normal\n\n"
     "Formats are inputs, accumulator, output. Options restrict each other, entries\n"
     "of one option add up, and * and ? are wildcards:\n\n"
     "  assay list cases --op softmax --dtype f32 --fill normal\n"
     "  assay run --only 'softmax/*/f32.f32/*' --exclude '*/special'\n"
     "  assay run --op gemm --shape m777-n13-k50-nn-row     numbers of your own\n\n"
     "Other areas name theirs in the same way: hardware/..., baseline/...,\n"
     "regression/..., collectives/..., serving/..., gate/..., notebooks/...\n"
     "The seed of a case follows from that of the run and from its id, whatever\n"
     "else runs; shards are made by id, too."},
    {"verdicts", "pass, fail, and what is neither; exit codes",
     "pass          computed, and every element lies in its interval\n"
     "fail          computed, and refuted; a diagnosis says by what\n"
     "error         it crashed, hung, or could not be run\n"
     "skipped       not run, with the reason\n"
     "unsupported   the kernel, library or machine does not offer it\n"
     "inconclusive  computed, neither refuted nor confirmed\n"
     "new_baseline  nothing to compare with yet\n\n"
     "Nothing but pass is a pass in any report. What is absent is told as absent.\n\n"
     "Exit codes: 0 something was decided and nothing is wrong; 1 something failed or\n"
     "erred; 2 usage, environment, cut short, or nothing was decided.\n\n"
     "  assay run --op softmax --require-conclusive   1 where a case decided nothing"},
    {"backends", "whose kernels are tested",
     "  assay doctor                 what is here, what is missing, how to get it\n"
     "  assay list backends\n\n"
     "host and kokkos are kernels of Assay's own, openblas, onednn, eigen, cublas,\n"
     "cublaslt and cudnn those of libraries, compiled in where they were found.\n"
     "openblas@haswell or onednn@sse41 takes the kernels of other processors.\n"
     "ort.cpu.level99 is ONNX Runtime with a provider and its options; it runs in a\n"
     "process of its own, and only where it is named.\n\n"
     "  assay run --backend onednn --dtype bf16 --isolate\n"
     "  assay run --plugin ./libmine.so            kernels of yours: help plugins"},
    {"plugins", "kernels of your own, behind one C function",
     "A shared library that exports one C function is validated like what is built\n"
     "in, in processes of its own with a deadline. examples/plugin_c has one to copy,\n"
     "and ten steps to your own; plugin_rust does without C.\n\n"
     "  assay run --plugin ./libmine.so --out report\n"
     "  assay run --python kernels.py --out report     functions that a module names\n"
     "  assay list coverage --plugin ./libmine.so      which lengths it meets\n"
     "  assay minimize ID --plugin ./libmine.so --out case.json\n\n"
     "What a plugin does not offer is unsupported, and never computed in its stead.\n"
     "Outputs that you have already need no kernel:\n\n"
     "  assay check --op softmax x.npy y.npy"},
    {"formats", "number formats, from float64 to 2 bits",
     "  assay list formats                  all, in figures\n"
     "  assay list formats e4m3fn bf16      bits, range, special values\n"
     "  assay quantize-report model.safetensors --out quality.html\n\n"
     "float64 to 4-bit floats, integers of 64 to 2 bits, NF4, lookup tables; block\n"
     "scaling as of OCP MX (mxfp8, mxfp6, mxfp4), NVFP4 and blocks of FP8. The names\n"
     "are those that users type: f32, bf16, f16, e4m3fn, e5m2, i8."},
    {"faults", "the proof that the suite sees what it should",
     "Kernels with known faults must be caught, and right ones left in peace, by the\n"
     "default suite and without being told:\n\n"
     "  assay faults list --op softmax           which there are\n"
     "  assay faults run --op softmax --cases 9    which are caught, by which data\n"
     "  assay faults coverage --op gemm --fault dropped_term\n\n"
     "bench/README.md has the figures, for Assay and for the rules of other tools.\n"
     "A failure of a kernel of yours can be made small, to keep and to send:\n\n"
     "  assay minimize ID --out case.json\n"
     "  assay run --case case.json"},
    {"gates", "may it ship? a file of yours, and three answers",
     "A policy names gates; each selects outcomes by id or label, requires something\n"
     "of them, and is hard (blocks) or soft (warns).\n\n"
     "  assay gate --print-default-policy        to start from\n"
     "  assay gate results --policy policy.json --out gate\n"
     "  assay gate results --previous last-release   what is absent now is undecided\n\n"
     "Results are files report.json of any command, JUnit XML, or folders of them.\n"
     "Exit code: 0 approved, 1 blocked, 2 cannot tell. A gate that saw nothing is not\n"
     "green. A waiver has an owner, a reason and a last day, and is told wherever it\n"
     "was used:\n\n"
     "  assay gate results --policy policy.json --waivers waivers.json\n\n"
     "See help certify for a whole checklist in one command."},
    {"baselines", "golden outputs, kept for years",
     "  assay baseline record --store golden --backend onednn --by ada\n"
     "  assay baseline compare --store golden --backend onednn --out report\n\n"
     "Outputs of cases that passed are kept in a folder, sqlite:FILE or\n"
     "postgresql:CONNECTION. compare holds new ones against them: identical bits, or\n"
     "within the tolerance of each element. A golden output is replaced by approve\n"
     "only, with a name and a note; until then the new one is a candidate:\n\n"
     "  assay baseline diff 3fa9c2d81e --store golden\n"
     "  assay baseline approve 3fa9c2d81e --store golden --by ada --note why\n\n"
     "Exit code of compare: 0 all agree, 1 something does not, 2 some have none."},
    {"histories", "what became slower, since when",
     "A history keeps results of benchmarks with labels, in JSON lines or SQLite.\n"
     "Files of fifteen tools are told by their content: Google Benchmark, nvbench,\n"
     "pytest-benchmark, hyperfine, JMH, go test, nccl-tests, CSV and others.\n\n"
     "  assay history import gb.json --into perf.jsonl --label version=1.2\n"
     "  assay history show perf.jsonl 'gemm/*'\n"
     "  assay history scan perf.jsonl --baseline 1.2 --out perf\n\n"
     "scan holds the newest runs against those of a version, or against the runs\n"
     "before them (--baseline 10), and says regressed, not regressed, or run it\n"
     "again. --allow names what is tolerated. What is no longer measured, and times\n"
     "of 0, are undecided; another machine is told on the first line.\n"
     "assay gate decides from perf/report.json."},
    {"certify", "the checklist of a release, computed and signed",
     "  assay certify --plan smoke --out smoke               five minutes\n"
     "  assay certify --plan driver-release --print-checklist\n"
     "  assay certify --plan driver-release --out v2.1 --by 'Ada L.' --attest notes\n"
     "  assay certify --verify v2.1\n\n"
     "Ready plans: smoke, node-acceptance, nightly, driver-release, model-release.\n"
     "A plan of your own is data: print one, and change it.\n\n"
     "  assay certify --plan nightly --print-plan\n\n"
     "Over machines: each runs a part, and one command makes one certificate of all.\n\n"
     "  assay certify --plan nightly --shard from-env --out part-1\n"
     "  assay certify --join part-1 part-2 --out whole --by 'Ada L.'\n\n"
     "Every stage runs in a process of its own and leaves its evidence in the folder,\n"
     "up to --jobs side by side, but for those that measure, which run alone;\n"
     "after kill -9 the same command goes on where it stopped. What the time leaves\n"
     "out is not seen, and a row that nobody answered is never green. An approval\n"
     "with --by makes a certificate: hashes of all files, checked offline by --verify.\n"
     "Exit code: 0 approved, 1 blocked (of --verify: void), 2 cannot tell.\n"
     "examples/ci has recipes for build servers."},
    {"matrices", "drivers times toolkits times devices: who certified what",
     "  assay matrix expand matrix.json           combinations, less what cannot be\n"
     "  assay matrix pairwise matrix.json         few that hold all pairs\n"
     "  assay matrix shard matrix.json --out results --shard 1/4\n"
     "  assay matrix report matrix.json results --out compatibility\n\n"
     "shard makes a folder a combination; runs that lie beside its combination.json\n"
     "are its results, from any machine. A folder without one is work to be done, and\n"
     "a hole in the report is never a pass."},
    {"shards", "many processes, many machines, one run",
     "  assay run --jobs 4 --isolate                   processes of this machine\n"
     "  assay run --shard 2/8 --out part2              a part of eight\n"
     "  assay merge part1/report.json part2/report.json --out whole\n\n"
     "--shard from-env asks Slurm, Kubernetes, GitLab or mpirun which part this is;\n"
     "under mpirun, --distribute mpi deals cases out as workers become free. A missing\n"
     "part is an error of merge. --isolate lets what crashes or hangs cost one case,\n"
     "--timeout and --memory limit it, --retries measures how often it fails.\n"
     "assay certify has --shard and --join for plans: help certify."},
    {"reports", "pages, build servers, code scanning",
     "--out DIR writes report.json (assay-run/1, read by every other command) and\n"
     "report.html, one file that loads nothing. More with --format:\n\n"
     "  assay run --out report --format junit,sarif,markdown,ocp\n"
     "  assay report report/report.json --format sarif --out scan\n"
     "  assay report --history perf.jsonl --gate gate/report.json --out page.html\n\n"
     "The last is a dashboard: gate, matrix, trends, failures and every outcome."},
    {"hardware", "is this machine well?",
     "  assay hardware check --level 1 --report run.json --html page.html\n"
     "  assay hardware memory --bytes 1G --test march_c-\n"
     "  assay hardware bandwidth\n"
     "  assay hardware soak --seconds 28800 --journal night.jsonl\n\n"
     "Levels 1 to 4 take a minute, ten, an hour, a night. Sensors are recorded beside\n"
     "the load and judged in the same report; a machine that tells nothing is\n"
     "unsupported, with what was looked for. Sensors alone:\n\n"
     "  assay telemetry list\n"
     "  assay telemetry record load.jsonl --seconds 180\n"
     "  assay telemetry replay load.jsonl --specification 700"},
    {"fleet", "nodes, chips, capacity, cost",
     "  assay node manifest                        what is here, to be read first\n"
     "  assay node check --manifest node.json --scheme slurm     one verdict\n"
     "  assay node export --manifest node.json     metrics for Prometheus\n"
     "  assay fleet view results.csv               node,unit,class,metric,value\n"
     "  assay fleet rates failures.csv             subject,failures,attempts\n"
     "  assay chips compare h100-sxm mi300x        by data sheets, with sources\n"
     "  assay capacity config.json --chip mi300x --tokens 32768\n"
     "  assay roofline 'gemm m=4096 n=4096 k=4096'\n"
     "  assay cost tokens --rent 2.35 --tokens-per-second 2500\n"
     "  assay cluster goodput --devices 16384 --checkpoint 5000 --storage 200\n\n"
     "Figures say what they assume, and take intervals as low:high. A node is accused\n"
     "only where it differs from its peers by more than chance allows. Recipes for\n"
     "Slurm, Kubernetes, systemd and Prometheus are in examples/fleet."},
    {"serving", "how a server of language models answers",
     "  assay serve-bench http://127.0.0.1:8000 --users 1,4,16 --out load\n"
     "  assay serve-bench URL --rate 5 --level ttft=500ms,tpot=50ms\n"
     "  assay serve-bench URL --find users --level ttft=1s,tpot=40ms\n"
     "  assay serve-check URL --users 32\n\n"
     "ttft is the time to the first token, tpot that per token after it. --level is\n"
     "what a request must keep to count as goodput; --find looks for the highest load\n"
     "that keeps it (the SLO), --scenario judges by MLPerf's rules. A run in which the\n"
     "client itself was late is void. --events keeps every timed event, and --replay\n"
     "computes the same numbers again.\n\n"
     "serve-check asks whether load, batching, caches, streams and sampling change\n"
     "what is answered: cut off, swapped between users, another user's secret."},
    {"frameworks", "ONNX Runtime, PyTorch and others",
     "  assay run --backend ort.cpu.level0,ort.cpu.level99 --op softmax\n"
     "  assay frameworks onnx --table cases.tsv\n"
     "  assay frameworks onnx --provider OpenVINO --option device_type=CPU\n"
     "  assay run --backend openvino.accurate,openvino --op gemm\n"
     "  assay run --backend torch.cpu,tensorflow.cpu --op softmax\n\n"
     "The runtime is loaded in a process of its own: from an active Python\n"
     "environment, or by the variable ASSAY_ONNXRUNTIME. What another provider\n"
     "computed is no pass. Known failures have an owner and a last day.\n\n"
     "In Python, tensors of NumPy, PyTorch, JAX and TensorFlow are judged where they\n"
     "lie, and assay.torch holds compile, export and autocast against the bound:\n\n"
     "  pip install examples/python\n"
     "  assay frameworks torch --op softmax     every operator without --op\n"
     "  assay.check(\"softmax\", y, [x], dim=-1)"},
    {"collectives", "did the ranks compute the same, and how fast?",
     "  assay collectives verify --ranks 8 --algorithm ring\n"
     "  assay collectives sweep --ranks 8 -b 8 -e 64M -f 4\n"
     "  assay collectives links --ranks 8 --html links.html\n"
     "  assay collectives predict --topology h100 --ranks 8,256\n\n"
     "Ranks are threads, or processes over MPI, Gloo, NCCL or RCCL (--runtime; under\n"
     "mpirun the first rank prints). verify names the guilty rank and chunk; sweep has\n"
     "the columns of nccl-tests, and verifies every timed call; --preflight answers in\n"
     "one line whether a job may start."},
    {"accuracy", "what a model's answers are worth",
     "  assay accuracy wer --predictions p.jsonl --references r.jsonl\n"
     "  assay accuracy perplexity --predictions now.jsonl --against before.jsonl\n"
     "  assay accuracy top1 --predictions l.npy --references y.npy --stated 0.761\n"
     "  assay accuracy pareto --predictions formats.jsonl\n\n"
     "With --within it is a claim: within, beyond, or too few samples to tell, and how\n"
     "many it would take. Metrics: wer cer mer wil bleu chrf ter rouge1 rouge2 rougeL\n"
     "exact_match token_f1 top1 top5 accuracy miou map perplexity kl pass_at_k.\n\n"
     "  assay pipeline run --reference cpu --candidate npu --fed npu-fed\n\n"
     "names the stage of an application at which two implementations part."},
    {"settings", "defaults of a team, in assay.toml",
     "The nearest assay.toml in the working directory or above it, or the file that\n"
     "ASSAY_CONFIG or --config names. Sections are commands, keys long options:\n\n"
     "  [run]\n"
     "  backend = [\"onednn\", \"openblas\"]\n"
     "  timeout = 120\n\n"
     "The command line comes before the file. An unknown key is an error that names\n"
     "the nearest one. run says what it took from the file; the command that a report\n"
     "gives to run a case again spells it out.\n\n"
     "  assay doctor --config team.toml            can it be understood?\n"
     "  assay run --no-config                      as if there were none"},
    {"notebooks", "labs, and notebooks of your own",
     "examples/labs has eight notebooks to work through, each of which runs here\n"
     "without an accelerator and ends in a picture: hardware, kernels, model\n"
     "performance, regressions, distributed training, frameworks, GPGPU, serving.\n\n"
     "  assay notebooks check examples/labs\n"
     "  assay notebooks check mine.ipynb --report notebooks.json\n\n"
     "check holds notebooks to nbformat 4 and their code to Python's parser; nothing\n"
     "is executed. Magics (%) and commands of the shell (!) are let stand."},
};

/// Prints a topic, the help of a command of that name, or, without a name, what topics there are. Returns the program's
/// exit code.
[[nodiscard]] int help_topic(const std::string& name);

}  // namespace assay_program
