#pragma once

#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

/// A number beside how far a correct kernel's may lie from it, with the operators of C++: a formula written with them is
/// reference and bound at once. Every operator and function rounds once, as the arithmetic promises; see
/// `BoundedArithmetic`, which does the work.
///
/// Numbers that meet in an expression are of one arithmetic, which must outlive them.
class BoundedNumber {
 public:
  /// A number without an error, such as an input as it is stored.
  ASSAY_FUNCTION BoundedNumber(double value, const BoundedArithmetic& arithmetic)
      : number_(arithmetic.exact(value)), arithmetic_(&arithmetic) {}
  /// One with an error, such as a sum by `BoundedArithmetic::sum`.
  ASSAY_FUNCTION BoundedNumber(Bounded number, const BoundedArithmetic& arithmetic)
      : number_(number), arithmetic_(&arithmetic) {}

  /// The exact result, in double.
  [[nodiscard]] ASSAY_FUNCTION double value() const { return number_.value; }
  /// E: the largest distance of a correct result from it.
  [[nodiscard]] ASSAY_FUNCTION double error() const { return number_.error; }
  /// What a comparison expects of an element with this value and error.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement expected() const { return number_.expected(); }

  /// As `BoundedArithmetic::subtract` and `negate` have it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator-(const BoundedNumber& a) {
    return {a.arithmetic_->negate(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator+(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.arithmetic_->add(a.number_, b.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic::subtract` and `negate` have it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator-(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.arithmetic_->subtract(a.number_, b.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator*(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.arithmetic_->multiply(a.number_, b.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator/(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.arithmetic_->divide(a.number_, b.number_), *a.arithmetic_};
  }
  /// With a constant that the kernel holds exactly.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator+(const BoundedNumber& a, double b) {
    return a + BoundedNumber(b, *a.arithmetic_);
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator+(double a, const BoundedNumber& b) { return b + a; }
  /// As `BoundedArithmetic::subtract` and `negate` have it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator-(const BoundedNumber& a, double b) { return a + -b; }
  /// As `BoundedArithmetic::subtract` and `negate` have it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator-(double a, const BoundedNumber& b) { return -b + a; }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator*(const BoundedNumber& a, double b) {
    return a * BoundedNumber(b, *a.arithmetic_);
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator*(double a, const BoundedNumber& b) { return b * a; }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator/(const BoundedNumber& a, double b) {
    return a / BoundedNumber(b, *a.arithmetic_);
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber operator/(double a, const BoundedNumber& b) {
    return BoundedNumber(a, *b.arithmetic_) / b;
  }

  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber sqrt(const BoundedNumber& a) {
    return {a.arithmetic_->sqrt(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber rsqrt(const BoundedNumber& a) {
    return {a.arithmetic_->rsqrt(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber exp(const BoundedNumber& a) {
    return {a.arithmetic_->exp(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber log(const BoundedNumber& a) {
    return {a.arithmetic_->log(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber tanh(const BoundedNumber& a) {
    return {a.arithmetic_->tanh(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber erf(const BoundedNumber& a) {
    return {a.arithmetic_->erf(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber sin(const BoundedNumber& a) {
    return {a.arithmetic_->sin(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber cos(const BoundedNumber& a) {
    return {a.arithmetic_->cos(a.number_), *a.arithmetic_};
  }
  /// As `BoundedArithmetic` has it.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber maximum(const BoundedNumber& a, const BoundedNumber& b) {
    return {a.arithmetic_->maximum(a.number_, b.number_), *a.arithmetic_};
  }
  /// What is stored, or rounded to the accumulator's format once more.
  [[nodiscard]] ASSAY_FUNCTION friend BoundedNumber rounded(const BoundedNumber& a) {
    return {a.arithmetic_->rounded(a.number_), *a.arithmetic_};
  }

 private:
  Bounded number_;
  const BoundedArithmetic* arithmetic_;
};

}  // namespace assay::inline v0
