#include "fleet_options.hpp"

#include <CLI/CLI.hpp>

#include "chips_options.hpp"

namespace assay_program {

CLI::App& add_capacity_command(CLI::App& app, CapacityOptions& options) {
  CLI::App& capacity =
      *app.add_subcommand("capacity", "what of a model fits where: weights, caches, activations, optimizer's states");
  capacity.add_option("config", options.config, "config.json of the model, or the folder that holds it")
      ->required()
      ->type_name("CONFIG.json|DIR");
  capacity.add_option("--as", options.as, "the family to read it by, where its model_type is not known")
      ->type_name("TYPE");
  capacity.add_option("--index", options.index, "weights that the count is held against (those beside the config)")
      ->type_name("FILE");
  capacity.add_option("--chip", options.chips, "chips (all whose memory is known)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("CHIP[,CHIP…]");
  add_chip_files(capacity, options.chip_files);
  capacity.option_defaults()->group("Serving");
  capacity.add_option("--weights", options.weights, "how weights are stored (as the config says)")->type_name("FORMAT");
  capacity.add_option("--cache", options.cache, "how keys and values are (bf16)")->type_name("FORMAT");
  capacity.add_option("--tokens", options.tokens, "of a sequence (8192)")->type_name("N");
  capacity.add_option("--page", options.block, "tokens of a page of the cache (16)")->type_name("N");
  capacity.add_flag("--plain-cache", options.plain_cache, "sliding layers keep all tokens");
  capacity.add_option("--memory-share", options.memory_share, "of the memory that may be used (0.9)")->type_name("X");
  capacity.add_option("--overhead", options.overhead_gb, "of a device, beside weights and cache (2)")->type_name("GB");
  capacity.add_option("--experts", options.experts, "ranks among which experts are spread (those of --tensor)")
      ->type_name("N");
  capacity.option_defaults()->group("Both");
  capacity.add_option("--tensor", options.tensor, "ranks that share each layer (1)")->type_name("N");
  capacity.add_option("--pipeline", options.pipeline, "stages of layers (1)")->type_name("N");
  capacity.option_defaults()->group("Training");
  capacity.add_option("--training", options.training, "who keeps what: zero1, zero2, zero3, fsdp, megatron, …, or all")
      ->type_name("SHARDING|all");
  capacity.add_option("--data-parallel", options.data_parallel, "ranks (1)")->type_name("N");
  capacity.add_option("--sequence", options.sequence, "tokens (4096)")->type_name("N");
  capacity.add_option("--micro-batch", options.micro_batch, "sequences (1)")->type_name("N");
  capacity.add_option("--micro-batches", options.micro_batches, "a step (1)")->type_name("N");
  capacity.add_option("--recompute", options.recompute, "in the backward pass (selective)")
      ->type_name("none|selective|full");
  capacity.option_defaults()->group("Options");
  capacity.add_option("--html", options.html, "a page with a picture of what takes the memory")->type_name("FILE.html");
  capacity.add_option("--report", options.report, "whether the files' weights agree, for assay report and gate")
      ->type_name("FILE.json");
  capacity.footer(
      "Examples:\n"
      "  assay capacity Llama-3-70B/ --chip h100-sxm,mi300x --tensor 2 --tokens 32768\n"
      "  assay capacity config.json --weights mxfp4 --cache fp8\n"
      "  assay capacity config.json --training all --data-parallel 8 --tensor 8 --pipeline 4\n\n"
      "Exit code: 0 it fits, or was counted, 1 it fits nowhere or the weights are another model's, 2 usage, "
      "environment, or --index or --report was given and did not decide.");
  return capacity;
}

CLI::App& add_cost_command(CLI::App& app, CostOptions& options) {
  CLI::App& cost = *app.add_subcommand("cost", "what tokens, hours and watts cost; every figure says what it assumes");
  cost.add_option("action", options.action,
                  "tokens: of a rented machine; own: of an owned one; compare: rent or own; prices: published ones")
      ->required()
      ->type_name("tokens|own|compare|prices");
  const auto figure = [&](const char* name, std::string& value, const char* help, const char* unit) {
    cost.add_option(name, value, help)->type_name(unit);
  };
  cost.option_defaults()->group("Figures: a number, or low:high");
  figure("--rent", options.rent, "on demand", "$/h");
  figure("--tokens-per-second", options.tokens_per_second, "of the machine", "TOK/S");
  figure("--utilization", options.utilization, "share of hours that are used (1)", "SHARE");
  figure("--active-parameters", options.active_parameters, "of tokens, without a rate: those that a token passes", "N");
  figure("--peak", options.peak, "the same: of the machine", "FLOP/S");
  figure("--efficiency", options.efficiency, "the same: share of the peak", "SHARE");
  figure("--capex", options.capex, "to buy it, with network and installation", "$");
  figure("--life", options.life_years, "until it is written off (5)", "YEARS");
  figure("--kilowatts", options.kilowatts, "that it draws", "KW");
  figure("--pue", options.pue, "the building's power over it (1.58)", "PUE");
  figure("--electricity", options.dollars_per_kwh, "price", "$/KWH");
  figure("--staff", options.staff, "with repair and space (0)", "$/H");
  figure("--reserved", options.reserved, "paid in all hours", "$/H");
  figure("--spot", options.spot, "while it is not taken away", "$/H");
  figure("--interruptions", options.interruptions, "of spot capacity", "1/H");
  figure("--checkpoint", options.checkpoint_minutes, "interval", "MIN");
  figure("--restart", options.restart_minutes, "until work goes on", "MIN");
  figure("--carbon", options.carbon, "of the grid", "G/KWH");
  figure("--embodied", options.embodied, "of making it", "KG");
  cost.option_defaults()->group("Options");
  cost.add_option("--html", options.html, "a page with a picture of what an hour costs, and all figures")
      ->type_name("FILE.html");
  cost.footer(
      "Examples:\n"
      "  assay cost tokens --rent 2 --tokens-per-second 900:1100 --kilowatts 1.0\n"
      "  assay cost own --capex 30000 --kilowatts 1 --electricity 0.08:0.12 --utilization 0.6:0.9\n"
      "  assay cost compare --rent 2.35 --capex 30000 --kilowatts 1.2 --electricity 0.1 --spot 1.2 --interruptions "
      "0.05 --checkpoint 30 --restart 10\n\n"
      "Exit code: 0, or 2 for usage.");
  return cost;
}

CLI::App& add_roofline_command(CLI::App& app, RooflineOptions& options) {
  CLI::App& roofline = *app.add_subcommand(
      "roofline", "what bounds an operation on a chip, arithmetic or bandwidth, and how near a measured time comes");
  roofline.add_option("problem", options.problems, "operation and extents; @SECONDS behind them: measured")
      ->type_name("'gemm m=4096 n=4096 k=4096[@SECONDS]'…");
  roofline.add_option("--chip", options.chips, "chips (H100 SXM, MI300X, Gaudi3)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("CHIP[,CHIP…]");
  add_chip_files(roofline, options.chip_files);
  roofline.add_option("--dtype", options.format, "whose peak (bf16)")
      ->type_name("fp64|tf32|bf16|fp16|fp8|fp6|fp4|int8");
  roofline.add_option("--element-bytes", options.byte_width, "of what is moved (that of --dtype)")->type_name("BYTES");
  roofline.add_option("--ceiling", options.cache_bandwidth, "further ceilings, such as caches")
      ->type_name("NAME=GB/s[,NAME=GB/s…]");
  roofline.add_option("--minimum-share", options.minimum_share, "of the ceiling, which a measured time must reach")
      ->type_name("X");
  roofline.add_flag("--formulas", options.list, "list operations, extents and formulas");
  roofline.add_option("--html", options.html, "a page with the picture")->type_name("FILE.html");
  roofline.add_option("--report", options.report, "outcomes of measured times, for assay report and gate")
      ->type_name("FILE.json");
  roofline.footer(
      "Examples:\n"
      "  assay roofline 'gemm m=4096 n=4096 k=4096' --chip h100-sxm,mi300x,gaudi3 --html roofline.html\n"
      "  assay roofline 'gemm m=8192 n=8192 k=8192@0.0017' --chip h100-sxm --minimum-share 0.6\n"
      "  assay roofline --formulas\n\n"
      "Exit code: 0 right, 1 a measured time is too slow, or quicker than the chip can be, 2 usage, environment, "
      "or no measured time was decided.");
  return roofline;
}

CLI::App& add_node_command(CLI::App& app, NodeOptions& options) {
  CLI::App& node = *app.add_subcommand("node", "is this node fit for work? one verdict, for whoever schedules it");
  node.add_option("action", options.action,
                  "check; export: serve its metrics to Prometheus; manifest: print one of what is here; show: devices "
                  "and readings, without a verdict")
      ->required()
      ->type_name("check|export|manifest|show");
  node.add_option("--manifest", options.manifest, "what the node must have; without it absent devices cannot be told")
      ->type_name("FILE.json");
  node.add_option("--scheme", options.scheme, "whose exit codes (npd)")->type_name("npd|nagios|slurm|nvidia");
  node.add_option("--results", options.results, "runs on this node that count, too")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE.json[,FILE.json…]");
  node.add_option("--readings", options.readings, "readings of other sources: device,reading,value,state")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE.csv[,FILE.csv…]");
  node.add_option("--level", options.level, "of assay hardware check, whose outcomes count, too (none)")
      ->type_name("1|2|3|4");
  node.add_option("--telemetry", options.telemetry.sources,
                  "sources of sensors that count, too: all, sysfs, nvml, amd_smi, rocm_smi, kernel_log (none, or all "
                  "with --level)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[,NAME…]");
  node.add_option("--watch", options.watch, "how long sensors are watched where there is no --level (1)")
      ->type_name("SECONDS");
  node.add_option("--loaded", options.loaded, "with --level: devices that a load of your own keeps busy: gpu/*")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID[,ID…]");
  node.add_option("--telemetry-library", options.telemetry.library,
                  "the file of the one vendor's library that --telemetry names")
      ->type_name("FILE");
  node.add_option("--kernel-log", options.telemetry.kernel_log, "where the kernel's messages are (/dev/kmsg)")
      ->type_name("FILE");
  node.add_option("--listen", options.listen, "of export: address and port (127.0.0.1:9461)")->type_name("HOST:PORT");
  node.add_option("--every", options.every, "of export: seconds from check to check (30)")->type_name("SECONDS");
  node.add_option("--state", options.state, "what is kept from check to check: counters, and how it went")
      ->type_name("FILE");
  node.add_option("--time-limit", options.time_limit, "of the whole check (npd 4.5, others 60; more with --level)")
      ->type_name("SECONDS");
  node.add_option("--json", options.json, "the findings as a run, for assay report and gate")->type_name("FILE.json");
  node.add_option("--prometheus", options.prometheus, "for node_exporter's textfile collector")->type_name("FILE.prom");
  node.add_option("--name", options.name, "of the node (its host name)")->type_name("NAME");
  node.add_option("--root", options.root, "before every path that is read, such as /host in a container (/)")
      ->type_name("DIR");
  node.footer(
      "Examples:\n"
      "  assay node manifest                                  what is here, to be read before it is trusted\n"
      "  assay node check --manifest node.json --scheme slurm --state /var/lib/assay/node.state\n"
      "  assay node check --manifest node.json --scheme npd --prometheus /var/lib/node_exporter/assay.prom\n"
      "  assay node check --manifest node.json --level 1         a minute of hardware checks and sensors, one verdict\n"
      "  assay node export --manifest node.json --telemetry all  metrics at http://127.0.0.1:9461/metrics\n\n"
      "Exit code by scheme: npd 0 1 2, nagios 0 1 2 3, slurm and nvidia 0 1; examples/fleet has recipes.");
  return node;
}

CLI::App& add_fleet_command(CLI::App& app, FleetViewOptions& options) {
  CLI::App& fleet = *app.add_subcommand("fleet", "many nodes: who differs from peers, fails sometimes, is accepted");
  fleet
      .add_option("action", options.action,
                  "view: outliers among peers; rates: intermittent failures; burn-in: accept, reject, or go on")
      ->required()
      ->type_name("view|rates|burn-in");
  fleet.add_option("files", options.files, "results as CSV")->type_name("FILE.csv…");
  fleet.add_option("--false-accusations", options.false_accusations, "of view: expected in each group (0.01)")
      ->type_name("N");
  fleet.add_option("--minimum-effect", options.minimum_effect, "of view: what matters, relative (0.03)")
      ->type_name("X");
  fleet.add_option("--good-rate", options.good_rate, "of burn-in: failures an hour that are good enough")
      ->type_name("RATE");
  fleet.add_option("--bad-rate", options.bad_rate, "of burn-in: that are too many")->type_name("RATE");
  fleet.add_option("--alpha", options.alpha, "of burn-in: good units rejected (0.05)")->type_name("P");
  fleet.add_option("--beta", options.beta, "of burn-in: bad ones accepted (0.05)")->type_name("P");
  fleet.add_option("--json", options.json, "outcomes, for assay report and gate")->type_name("FILE.json");
  fleet.footer(
      "Examples:\n"
      "  assay fleet view results/*.csv                        node,unit,class,metric,value\n"
      "  assay fleet rates failures.csv                        subject,failures,attempts\n"
      "  assay fleet burn-in --good-rate 0.0005 --bad-rate 0.005 hours.csv       subject,hours,failures\n\n"
      "Exit code: 0 nobody is accused, 1 somebody is, 2 usage, environment, or nothing was decided.");
  return fleet;
}

CLI::App& add_cluster_command(CLI::App& app, ClusterOptions& options) {
  CLI::App& cluster = *app.add_subcommand("cluster", "what to expect of many devices: goodput under failures, wires");
  cluster.add_option("action", options.action, "goodput: checkpoints and failures; collectives: by topology")
      ->required()
      ->type_name("goodput|collectives");
  cluster.add_option("--devices", options.devices, "that work together")->required()->type_name("N");
  cluster.add_option("--mtbf", options.device_mtbf_hours, "of one device with its share of host and network (50000)")
      ->type_name("HOURS");
  cluster.add_option("--checkpoint", options.checkpoint_gb, "its size")->type_name("GB");
  cluster.add_option("--storage", options.storage_gbps, "that takes it")->type_name("GB/S");
  cluster.add_option("--restart", options.restart_seconds, "from a failure until work goes on (300)")
      ->type_name("SECONDS");
  cluster.add_option("--interval", options.interval_seconds, "between checkpoints (the best)")->type_name("SECONDS");
  cluster.add_option("--stragglers", options.straggler_sigma, "relative standard deviation of ranks' step times")
      ->type_name("SIGMA");
  cluster.add_option("--bytes", options.gradient_gb, "of collectives: of each rank")->type_name("GB");
  cluster.footer(
      "Examples:\n"
      "  assay cluster goodput --devices 16384 --checkpoint 5000 --storage 200 --restart 600\n"
      "  assay cluster collectives --devices 512 --bytes 1\n\n"
      "Exit code: 0, or 2 for usage.");
  return cluster;
}

}  // namespace assay_program
