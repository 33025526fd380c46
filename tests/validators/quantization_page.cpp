#include "assay/validators/quantization_page.hpp"

#include "validators/quantization_example.hpp"

#include "testing/catch.hpp"

using namespace assay;
using testing::contains;

TEST_CASE("the page of quantization holds charts, tables and what was left out, and loads nothing") {
  const std::string page = quantization_page(testing::quantization_example());
  for (const char* part :
       {"<title>Quantization of model &amp; co.safetensors</title>", "3 formats on 3 tensors", "Noise against size",
        "class=\"best\"", "class=\"other\"", "b &lt;weight&gt;", "magnitudes: values by binade",
        "All values are zero or not finite.", "e2m1fn, e8m0fnu scale for each 1×32", "ids: I64 holds integers",
        "class=\"h2\">30.0", "class=\"h0\">=", "</html>"})
    CHECK_THAT(page, contains(part));
  for (const char* part : {"<weight>", "http:", "https:", "<script", " src=", "nan", "NaN<"})
    CHECK(page.find(part) == std::string::npos);
}

TEST_CASE("a page of quantization without tensors, and one that would grow too large, say so") {
  QuantizationReport report = testing::quantization_example();
  CHECK_THAT(quantization_page(report, 1000), contains("3 tensors more without details here"));
  report.tensors.clear();
  CHECK_THAT(quantization_page(report), contains("No tensor was measured."));
}

TEST_CASE("noise has steps of color") {
  CHECK(std::string(detail::noise_class(std::numeric_limits<double>::infinity())) == "h0");
  CHECK(std::string(detail::noise_class(50)) == "h0");
  CHECK(std::string(detail::noise_class(29.9)) == "h3");
  CHECK(std::string(detail::noise_class(-100)) == "h8");
  CHECK(std::string(detail::noise_class(std::numeric_limits<double>::quiet_NaN())).empty());
}
