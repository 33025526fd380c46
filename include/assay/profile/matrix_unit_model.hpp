#pragma once

#include "assay/formats/element_format.hpp"
#include "assay/profile/summation_shape.hpp"

namespace assay::inline v0 {

/// A rounding as it shows in answers: one of the modes, or one that differs from run to run.
enum class UnitRounding { nearest_even, nearest_away, toward_zero, toward_positive, toward_negative, stochastic };

/// What happens to the product of two inputs before it is added.
enum class UnitProducts {
  exact,    ///< added as it is, with all its bits
  rounded,  ///< first rounded to the accumulator's format
  fused     ///< fused multiply-add: exact, but for the product that a chain of additions begins with
};

/// What becomes of a result beyond the largest finite value.
enum class UnitOverflow { infinity, saturates };
/// What becomes of subnormal numbers.
enum class UnitSubnormals { kept, flushed };

/// The arithmetic of a unit that multiplies and adds matrices: all that decides the bits of Σ a·b. Operands of an
/// addition are aligned to the largest exponent among them, cut there, added exactly, and the sum is rounded once to
/// the accumulator's format. Models of tensor cores: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA
/// tensor cores", PeerJ CS 7 (2021); Li et al., "FTTN: Feature-Targeted Testing for Numerical properties of
/// accelerators" (2024); Xie et al., "MMA-Sim" (2025).
struct MatrixUnitModel {
  /// Of the factors, and of what is added and stored.
  ElementFormat a = element_format<float32>(), b = a, c = a;
  int input_precision = 0;  ///< significand bits that are read of an input; 0: all
  UnitRounding input_rounding =
      UnitRounding::nearest_even;  ///< from the stored format to the unit's, where they differ
  UnitProducts products = UnitProducts::exact;
  UnitRounding product_rounding = UnitRounding::nearest_even;  ///< of products that are rounded
  FloatLayout accumulator = FormatTraits<float32>::layout;     ///< of sums between additions
  UnitRounding sum_rounding = UnitRounding::nearest_even;      ///< of additions in which products take part
  UnitRounding combining_rounding =
      UnitRounding::nearest_even;  ///< of additions of partial sums alone, which cut nothing before
  /// fraction bits, counted from the largest exponent in an addition, to which its operands are cut; −1: none is
  /// cut
  int aligned_bits = -1;
  UnitRounding alignment = UnitRounding::toward_zero;  ///< how they are cut
  bool aligned_by_factors =
      false;  ///< a product counts there with the sum of its factors' exponents, which may be one less than its own
  SummationShape order;  ///< in which order and in how many steps terms are added
  SummationTree tree;    ///< the order of sums of tree.terms terms, where that is not 0
  UnitRounding output_rounding = UnitRounding::nearest_even;  ///< from the accumulator to the stored format
  UnitSubnormals input_subnormals = UnitSubnormals::kept;     ///< of the factors
  UnitSubnormals sum_subnormals = UnitSubnormals::kept;       ///< of the accumulator
  UnitSubnormals output_subnormals = UnitSubnormals::kept;    ///< of what is stored
  UnitOverflow sum_overflow = UnitOverflow::infinity;         ///< of the accumulator
  UnitOverflow output_overflow = UnitOverflow::infinity;      ///< of what is stored
  bool starts_from_zero = true;  ///< sums begin with +0, so that negative zeros alone make +0

  /// Operands of an addition with `operands` of them, in the order of `tree`, for this many terms.
  [[nodiscard]] SummationTree order_of(Index terms) const { return terms == tree.terms ? tree : tree_of(order, terms); }
};

}  // namespace assay::inline v0
