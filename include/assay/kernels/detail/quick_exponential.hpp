#pragma once

#include "assay/formats/float_layout.hpp"

namespace assay::inline v0::detail {

/// e^x of one number, −708 ≤ x ≤ 709: what `VectorExponential` has in each lane, by the same steps where no register
/// holds a table. On devices 19 instructions on doubles, where those of the libraries take about twice as many. The
/// relative error is below 10⁻¹⁵.
[[nodiscard]] ASSAY_FUNCTION inline double quick_exponential(double x) {
  constexpr double integers = 0x1.8p52;  // numbers beside it are spaced by 1
  const double shifted = x * 0x1.71547652b82fep+0 + integers, k = shifted - integers;
  double r = x - k * 0x1.62e42feep-1;  // exact for these k
  r = r - k * 0x1.a39ef35793c76p-33;
  const double square = r * r, fourth = square * square;
  const double first = (1.0 + r) + square * (0x1.0000000000011p-1 + r * 0x1.555555555555ap-3);
  const double second =
      (0x1.555555554f0cep-5 + r * 0x1.111111110f225p-7) + square * (0x1.6c16c187fbea9p-10 + r * 0x1.a01a01b1437f6p-13);
  const double third = (0x1.a01991ac6b2ddp-16 + r * 0x1.71ddf5748bd71p-19) +
                       square * (0x1.28b405992d897p-22 + r * 0x1.af631d203b4edp-26);
  const double power = first + fourth * (second + fourth * third);
  return double_of(bits_of(power) + (bits_of(shifted) << 52));
}

}  // namespace assay::inline v0::detail
