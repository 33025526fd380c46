#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry_sources.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay capacity` is asked for.
struct CapacityOptions {
  std::string config;              ///< config.json, or its folder
  std::string as;                  ///< the family to read it by; empty: its own
  std::string index;               ///< weights to hold the count against; empty: those beside it, if any
  std::vector<std::string> chips;  ///< names; none: all whose memory is known
  std::vector<std::string> chip_files;
  std::string weights;  ///< a storage format; empty: as the configuration says
  std::string cache = "bf16";
  std::int64_t tensor = 1, pipeline = 1, experts = 0, tokens = 8192, block = 16;
  double memory_share = 0.9, overhead_gb = 2;
  bool plain_cache = false;
  std::string training;  ///< a sharding, or all; empty: serving
  std::int64_t data_parallel = 1, sequence = 4096, micro_batch = 1, micro_batches = 1;
  std::string recompute = "selective";
  std::string html, report;
};

/// What `assay cost` is asked for; figures are "value" or "low:high".
struct CostOptions {
  std::string action;
  std::string rent, tokens_per_second, utilization, capex, life_years, kilowatts, pue, dollars_per_kwh, staff, spot,
      interruptions, checkpoint_minutes, restart_minutes, reserved, carbon, embodied, active_parameters, peak,
      efficiency, html;
};

/// What `assay roofline` is asked for.
struct RooflineOptions {
  std::vector<std::string> problems;  ///< "gemm m=4096 n=4096 k=4096", with "@0.001" behind it a measured time
  std::vector<std::string> chips;
  std::vector<std::string> chip_files;
  std::string format = "bf16";
  std::string cache_bandwidth;  ///< "NAME=GB/s[,…]": ceilings above memory
  double byte_width = 0;        ///< of an element; 0: by the format
  double minimum_share = 0;     ///< of the ceiling, that a measured time must reach; 0: none
  bool list = false;
  std::string html, report;
};

/// What `assay node` is asked for.
struct NodeOptions {
  std::string action;
  std::vector<std::string> results;   ///< runs as JSON
  std::vector<std::string> readings;  ///< CSV
  std::string manifest, scheme = "npd", state, json, prometheus, root = "/", name;
  double time_limit = 0;  ///< seconds; 0: by the scheme, or by the level
  int level = 0;          ///< of the hardware check that counts, too; 0: none
  double watch = 1;       ///< seconds of telemetry where there is no level
  std::vector<std::string> loaded;
  TelemetryOrigin telemetry;  ///< sources; "all": those that are here; none named: not read, unless a level asks for it
  std::string listen = "127.0.0.1:9461";
  double every = 30;  ///< seconds from check to check
};

/// What `assay fleet` is asked for.
struct FleetViewOptions {
  std::string action;
  std::vector<std::string> files;
  double false_accusations = 0.01, minimum_effect = 0.03;
  double good_rate = 0, bad_rate = 0, alpha = 0.05, beta = 0.05;
  std::string json;
};

/// What `assay cluster` is asked for.
struct ClusterOptions {
  std::string action;
  std::int64_t devices = 0;
  double device_mtbf_hours = 50'000, checkpoint_gb = 0, storage_gbps = 0, restart_seconds = 300, gradient_gb = 0,
         straggler_sigma = 0, interval_seconds = 0;
};

struct FleetOptions {
  CapacityOptions capacity;
  CostOptions cost;
  RooflineOptions roofline;
  NodeOptions node;
  FleetViewOptions fleet;
  ClusterOptions cluster;
};

/// Each returns its command, which wants the options of settings.
CLI::App& add_capacity_command(CLI::App& app, CapacityOptions& options);
CLI::App& add_cost_command(CLI::App& app, CostOptions& options);
CLI::App& add_roofline_command(CLI::App& app, RooflineOptions& options);
CLI::App& add_node_command(CLI::App& app, NodeOptions& options);
CLI::App& add_fleet_command(CLI::App& app, FleetViewOptions& options);
CLI::App& add_cluster_command(CLI::App& app, ClusterOptions& options);

/// Each prints its answer, and returns the program's exit code. `command` is the command line, for reports.
[[nodiscard]] int capacity(const CapacityOptions& options, const std::string& command);
[[nodiscard]] int cost(const CostOptions& options);
[[nodiscard]] int roofline(const RooflineOptions& options, const std::string& command);
[[nodiscard]] int node(const NodeOptions& options, const std::string& command);
[[nodiscard]] int fleet_view(const FleetViewOptions& options, const std::string& command);
[[nodiscard]] int cluster(const ClusterOptions& options);

}  // namespace assay_program
