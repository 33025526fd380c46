#include "assay/faults/output_faults.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>

#include "faults/doubling.hpp"

using namespace assay;
using testing::Doubling;

TEST_CASE(
    "faults of outputs have names of their own, fit every operation, and change something but where data lack what "
    "they spoil") {
  const std::set<std::string> harmless{"swallowed_nan", "swallowed_infinity", "invented_nan",       "nan_for_zero",
                                       "negative_zero", "flushed_output",     "row_edge_of_16",     "row_overrun",
                                       "overrun",       "underrun",           "one_block_too_many", "extra_element"};
  std::set<std::string> names;
  for (const OutputFault& entry : output_faults()) {
    INFO(entry.fault.name);
    CHECK(names.insert(entry.fault.name).second);
    CHECK((entry.fault.fits("anything") && !entry.fault.effect.empty()));
    const Doubling doubling(entry.fault.name);
    CHECK((doubling.wrong() > 0) == (harmless.count(entry.fault.name) == 0));
  }
}

TEST_CASE("faults of outputs do what they say") {
  CHECK(Doubling("column_edge_of_8").unwritten() == 10 * 6);
  CHECK(Doubling("row_edge_of_4").unwritten() == 2 * 70);
  CHECK(Doubling("row_edge_of_16").wrong() + Doubling("zero_output").unwritten() == 0);  // fewer rows than a tile
  CHECK(Doubling("second_half_not_awaited").unwritten() == 350);
  CHECK(Doubling("one_block_too_few").unwritten() == 60);
  CHECK(Doubling("grid_and_block_exchanged").unwritten() == 10 * 60);
  CHECK(Doubling("row_overrun").outside() == 9 * 2);
  CHECK(Doubling("overrun").outside() == 1);
  CHECK(Doubling("underrun").outside() == 1);
  CHECK(Doubling("extra_element").outside() == 1);
  CHECK(Doubling("one_block_too_many").outside() == 1);
  CHECK(Doubling("ignored_strides").outside() > 0);
  CHECK(Doubling("flipped_bit").wrong() == 1);
  CHECK(Doubling("flipped_bits_of_warps").wrong() == 22);
  CHECK(Doubling("burst").wrong() == 8);
  CHECK(Doubling("wrong_warp").wrong() == 3 * 32);
  const Doubling shifted("index_plus_one"), wrapped("counter_wraps"), transposed("tiles_transposed");
  CHECK((shifted.at(0) == -7 && shifted.at(5) == shifted.right(4)));
  CHECK((wrapped.at(0) == wrapped.right(512) && wrapped.at(600) == -7 && wrapped.at(400) == wrapped.right(400)));
  CHECK((transposed.at(1) == transposed.right(70) && transposed.at(69) == transposed.right(69)));
}

TEST_CASE("special values are spoilt where they are") {
  for (const auto& [fault, before, after] : {std::tuple{"swallowed_nan", NAN, 0.0F},
                                             {"swallowed_infinity", -INFINITY, -3.4028235e38F},
                                             {"nan_for_zero", 0.0F, NAN},
                                             {"flushed_output", 1e-40F, 0.0F},
                                             {"invented_nan", INFINITY, NAN}}) {
    Doubling doubling;
    CommonFault own(fault);
    (void)own.launch(doubling.specs, doubling.operands, [value = before](const OperandArray& operands) -> Result<void> {
      operands[1].store(0, static_cast<double>(value));
      return {};
    });
    INFO(fault << " gave " << doubling.at(0));
    CHECK((doubling.at(0) == after || (std::isnan(doubling.at(0)) && std::isnan(after))));
  }
}
