#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// The algorithms whose cost is known in closed form.
enum class CostModel {
  ring,       ///< in chunks around a ring of all ranks: least bytes, most messages
  recursive,  ///< halving and doubling: least bytes, few messages; folds what exceeds a power of two (Thakur, Rabenseifner, Gropp, IJHPCA
              ///< 19, 2005)
  /// a double binary tree, pipelined, a chain inside of nodes (Sanders, Speck, Träff, Parallel Computing 35, 2009;
  /// NCCL)
  tree,
  binomial,      ///< a binomial tree of whole messages, as MPI libraries have it for short ones
  hierarchical,  ///< scattered inside of nodes, reduced between nodes by the fastest way, gathered inside
  in_network     ///< reduced and multicast by switches: NVLink SHARP, SHARP
};

/// In the order of `CostModel`.
inline constexpr std::array<CostModel, 6> all_cost_models{CostModel::ring,         CostModel::recursive,
                                                          CostModel::tree,         CostModel::binomial,
                                                          CostModel::hierarchical, CostModel::in_network};

/// The name on the command line and in reports.
[[nodiscard]] constexpr std::string_view name_of(CostModel model) noexcept {
  return enum_name(model);
}

/// The model of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<CostModel> cost_model_named(std::string_view name) noexcept {
  return enum_named<CostModel>(name);
}

}  // namespace assay::inline v0
