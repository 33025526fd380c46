#include "assay/faults/input_faults.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "faults/doubling.hpp"

using namespace assay;
using testing::Doubling;

TEST_CASE("faults of inputs leave the input alone, and show in what is made of it") {
  for (const InputFault& entry : input_faults()) {
    INFO(entry.fault.name);
    const Doubling right, doubling(entry.fault.name);
    CHECK(doubling.x == right.x);
    CHECK(doubling.outside() == 0);
    const bool no_such_data = entry.fault.name == "flushed_input" || entry.fault.name == "nan_read_as_zero";
    CHECK((doubling.wrong() > 0) == !no_such_data);
  }
}

TEST_CASE("faults of inputs do what they say") {
  const Doubling strides("input_strides_ignored"), far("input_one_too_far"), first("first_input_row_for_all"),
      late("input_not_ready"), wraps("input_counter_wraps");
  CHECK(
      (strides.at(70) == 2000 && strides.at(72) == strides.right(70)));  // what lies between rows, then the second row
  CHECK((far.at(0) == far.right(1) && far.at(699) == 2000));
  CHECK(first.at(70 * 5 + 3) == first.right(3));
  CHECK((late.at(349) == late.right(349) && late.at(350) == 0));
  CHECK(wraps.at(512) == wraps.right(0));
  CHECK(Doubling("input_row_edge").at(69) == 0);
}

TEST_CASE("a kernel without floating-point inputs has none of them") {
  Doubling doubling;
  doubling.specs[0].present = false;
  CommonFault own("input_not_ready");
  (void)own.launch(doubling.specs, doubling.operands, &Doubling::kernel);
  CHECK(doubling.wrong() == 0);
}
