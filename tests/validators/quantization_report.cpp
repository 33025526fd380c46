#include "assay/validators/quantization_report.hpp"

#include "validators/quantization_example.hpp"

#include "testing/catch.hpp"

using namespace assay;
using testing::Approx;

TEST_CASE("schemes are summed up over tensors: median, worst, and who is best for its bits") {
  const QuantizationReport report = testing::quantization_example();
  const std::vector<SchemeSummary> summaries = summarize(report);
  REQUIRE(summaries.size() == 3);
  CHECK(summaries[0].median_sqnr == 40);  // of 60, 40 and one without values
  CHECK(summaries[0].worst_sqnr == 40);
  CHECK(summaries[0].worst_tensor == 1);
  CHECK(summaries[0].worst_channel_sqnr == 20);
  CHECK(summaries[0].worst_channel == 5);
  CHECK(summaries[0].tensor_of_worst_channel == 0);
  CHECK(summaries[0].bits_per_value == Approx((8.5 * 100 + 8 * 300) / 400));
  CHECK(summaries[0].all.count == 2);
  CHECK(summaries[0].best);
  CHECK_FALSE(summaries[1].best);  // more bits, more noise
  CHECK(summaries[2].best);        // noisier, in fewer bits
}

TEST_CASE("a scheme is the best for its size if none of nearly that size is better, and none of less as good") {
  QuantizationReport report = testing::quantization_example();
  report.tensors.resize(1);
  const auto best = [&](double bits, double ratio) {  // of the second scheme beside one of 8 bits and 30 dB
    report.schemes.resize(2);
    report.tensors[0].quality.schemes = {{testing::quality_of(30), testing::quality_of(30), 0, 8},
                                         {testing::quality_of(ratio), testing::quality_of(ratio), 0, bits}};
    const auto summaries = summarize(report);
    return std::pair(summaries[0].best, summaries[1].best);
  };
  CHECK(best(8.05, 31) == std::pair(false, true));
  CHECK(best(8.2, 31) == std::pair(true, true));
  CHECK(best(8.2, 30) == std::pair(true, false));
  CHECK(best(8.05, 30) == std::pair(true, true));
  CHECK(best(7.95, 29) == std::pair(true, false));
  CHECK(best(7, 29) == std::pair(true, true));
}

TEST_CASE("tables of quantization say everything that was measured") {
  const QuantizationReport report = testing::quantization_example();
  const Table schemes = quantization_table(report);
  REQUIRE(schemes.rows.size() == 3);
  CHECK(schemes.rows[0] == std::vector<std::string>{"e4m3fn *", "8.12", "40.0", "40.0", "b <weight>", "20.0", "a [5]",
                                                    "50.0 %", "0.99995"});
  CHECK(schemes.rows[1][0] == "e5m2");
  const Table tensor = quantization_table(report, report.tensors[0]);
  REQUIRE(tensor.columns.size() == tensor.rows[0].size());
  CHECK(tensor.rows[0][2] == "60.0");
  CHECK(tensor.rows[0][3] == "20.0");
  CHECK(tensor.rows[0][4] == "5");
  const Table empty = quantization_table(report, report.tensors[2]);
  CHECK(empty.rows[0][2] == "-");
  CHECK(empty.rows[0][5] == "-");
  CHECK(empty.rows[0][10] == "4 + 3 lost");
  const Table matrix = quantization_matrix(report);
  CHECK(matrix.columns == std::vector<std::string>{"tensor", "e4m3fn", "e5m2", "mxfp4"});
  CHECK(matrix.rows[1] == std::vector<std::string>{"b <weight>", "40.0", "30.0", "inf"});
}

TEST_CASE("ratios and parts as text") {
  CHECK(decibel_text(31.44) == "31.4");
  CHECK(decibel_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(decibel_text(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(decibel_text(std::numeric_limits<double>::quiet_NaN()) == "-");
  CHECK(detail::clipped_start("layers.0.weight", 15) == "layers.0.weight");
  CHECK(detail::clipped_start("layers.0.weight", 7) == "…weight");
  CHECK(detail::clipped_start("läyers.ö.w", 4) == "…ö.w");
  CHECK(detail::per_cent_text(0) == "0");
  CHECK(detail::per_cent_text(1e-9) == "<0.001 %");
  CHECK(detail::per_cent_text(0.0012) == "0.120 %");
  CHECK(detail::per_cent_text(0.25) == "25.0 %");
}
