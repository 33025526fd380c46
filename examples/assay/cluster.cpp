#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/model/prediction.hpp"
#include "assay/fleet/cluster/cluster_topology.hpp"
#include "assay/fleet/cluster/goodput.hpp"
#include "assay/report/text.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

int goodput_of(const ClusterOptions& options) {
  assay::ResilientJob job{options.devices, options.device_mtbf_hours * 3600, 0, options.restart_seconds};
  if (!(options.checkpoint_gb > 0) || !(options.storage_gbps > 0))
    return fault("goodput asks for --checkpoint GB and --storage GB/s, both above 0");
  job.checkpoint = options.checkpoint_gb / options.storage_gbps;
  if (const auto sound = assay::check(job); !sound) return fault(sound.error().message);
  if (!(options.interval_seconds >= 0)) return fault("--interval is above 0 s");
  const double best = assay::daly_interval(job),
               interval = options.interval_seconds > 0 ? options.interval_seconds : best;
  assay::Table table{"Goodput", {"what", "value"}, {}};
  table.rows = {{"mean time between failures of the job", assay::duration_text(job.mtbf())},
                {"a checkpoint takes", assay::duration_text(job.checkpoint)},
                {"best interval (Daly 2006)", assay::duration_text(best)},
                {"interval", assay::duration_text(interval)},
                {"goodput", assay::number_text(100 * assay::goodput(job, interval), 4) + " %"}};
  if (options.straggler_sigma > 0) {
    const double factor = assay::straggler_factor(options.devices, options.straggler_sigma);
    table.rows.push_back({"steps longer by the slowest rank", assay::number_text(100 * (factor - 1), 3) + " %"});
    table.rows.push_back(
        {"goodput with stragglers", assay::number_text(100 * assay::goodput(job, interval) / factor, 4) + " %"});
  }
  for (const double goal : {0.9, 0.95, 0.98}) {
    const double bandwidth = assay::storage_bandwidth_for(job, options.checkpoint_gb * 1e9, goal);
    table.rows.push_back({"storage for " + assay::number_text(100 * goal) + " %",
                          std::isinf(bandwidth) ? "none is enough: failures and restarts cost more"
                                                : assay::number_text(bandwidth / 1e9, 4) + " GB/s"});
  }
  print_table(table);
  std::printf(
      "assumed: independent failures, exponential, of %s h a device; %s until work goes on; %s GB a "
      "checkpoint at %s GB/s, while nothing is computed\n",
      assay::number_text(options.device_mtbf_hours).c_str(), assay::duration_text(options.restart_seconds).c_str(),
      assay::number_text(options.checkpoint_gb).c_str(), assay::number_text(options.storage_gbps).c_str());
  return 0;
}

int collectives_of(const ClusterOptions& options) {
  if (options.devices < 2 || options.devices > 10'000'000) return fault("--devices is from 2 to 10,000,000");
  if (!(options.gradient_gb > 0 && options.gradient_gb < 1e9)) return fault("--bytes is above 0 GB");
  const double bytes = options.gradient_gb * 1e9;
  assay::Table table{"Collectives", {"topology", "devices", "all-reduce", "all-to-all"}, {}};
  const auto add = [&](const assay::Topology& topology) {
    const auto seconds = [&](assay::CollectiveOperation operation, double size) {
      return assay::duration_text(assay::expected_collective(operation, size, topology).seconds);
    };
    table.rows.push_back({topology.name, std::to_string(topology.ranks()),
                          seconds(assay::CollectiveOperation::all_reduce, bytes),
                          seconds(assay::CollectiveOperation::all_to_all, bytes)});
  };
  const assay::Index nodes = (options.devices + 7) / 8, islands = (options.devices + 71) / 72;
  add(assay::fat_tree(nodes));
  assay::Topology tapered = assay::fat_tree(nodes, 4);
  tapered.name = "fat tree 4:1";
  add(tapered);
  add(assay::rail_optimized(nodes));
  add(assay::nvswitch_islands(islands, 72));
  const auto side = static_cast<assay::Index>(std::llround(std::ceil(std::cbrt(static_cast<double>(options.devices)))));
  const assay::Torus torus{{side, side, side}, 45e9, 1e-6};
  table.rows.push_back({"torus of " + std::to_string(side) + "^3, 45 GB/s a link", std::to_string(torus.chips()),
                        assay::duration_text(assay::torus_all_reduce_seconds(torus, bytes)),
                        assay::duration_text(assay::torus_all_to_all_seconds(torus, bytes))});
  print_table(table);
  std::printf(
      "assumed: H100 nodes of eight with NDR adapters by data sheets and NCCL's latencies; islands of 72; "
      "the fastest algorithm; %s GB a rank\n",
      assay::number_text(options.gradient_gb).c_str());
  return 0;
}

}  // namespace

int cluster(const ClusterOptions& options) {
  return options.action == "goodput" ? goodput_of(options) : collectives_of(options);
}

}  // namespace assay_program
