#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "assay/core/enum_name.hpp"

namespace assay::inline v0 {

/// How the in-process ranks pass messages. p ranks; every one is the textbook's algorithm, on point-to-point messages.
///
/// | operation | ring | recursive_halving_doubling | tree | hierarchical |
/// |---|---|---|---|---|
/// | all_reduce | reduce-scatter, all-gather | halving, doubling; a fold where p is no power of two | binary tree up and down, pipelined | ring in the node, ring across nodes, ring in the node |
/// | reduce_scatter, all_gather | ring | halving; doubling | tree to rank 0 and binomial tree back; the reverse | two rings |
/// | broadcast, reduce | pipelined chain | scatter and all-gather; reduce-scatter and gather | binary tree, pipelined | tree across nodes and in the node |
/// | gather, scatter | straight to and from the root | binomial tree | binomial tree | binomial tree |
/// | all_to_all, all_to_all_v, send_receive, barrier | pairwise shifts, direct, dissemination: the same for all | | | |
///
/// Hierarchical reduce_scatter and all_gather take the flat ring where p is no multiple of the ranks a node; all_reduce
/// then goes through one leader a node.
///
/// Sources: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", 2005;
/// Patarasuk, Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009.
enum class CollectiveAlgorithm { ring, recursive_halving_doubling, tree, hierarchical };

/// In the order of `CollectiveAlgorithm`.
inline constexpr std::array<CollectiveAlgorithm, 4> all_collective_algorithms{
    CollectiveAlgorithm::ring, CollectiveAlgorithm::recursive_halving_doubling, CollectiveAlgorithm::tree,
    CollectiveAlgorithm::hierarchical};

/// The name on the command line and in reports.
[[nodiscard]] constexpr std::string_view name_of(CollectiveAlgorithm algorithm) noexcept {
  return enum_name(algorithm);
}

/// The algorithm of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<CollectiveAlgorithm> collective_algorithm_named(std::string_view name) noexcept {
  return enum_named<CollectiveAlgorithm>(name);
}

}  // namespace assay::inline v0
