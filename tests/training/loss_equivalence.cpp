#include "assay/training/loss_equivalence.hpp"

#include <cmath>

#include "assay/tensor/random_values.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("the paired test is Schuirmann's") {
  // d = 0.01, 0.03, -0.02, 0.02, 0.01: mean 0.01, deviation 0.0187083, standard error 0.00836660; t(0.95, 4) = 2.131847
  const std::vector<double> reference{1, 2, 3, 4, 5}, subject{1.01, 2.03, 2.98, 4.02, 5.01};
  const PairedEquivalence test = paired_equivalence(reference, subject, 0.03);
  CHECK(test.pairs == 5);
  CHECK(test.mean_difference == testing::Approx(0.01));
  CHECK(test.lower == testing::Approx(0.01 - 2.131847 * 0.00836660).epsilon(1e-5));
  CHECK(test.upper == testing::Approx(0.01 + 2.131847 * 0.00836660).epsilon(1e-5));
  CHECK(test.probability == testing::Approx(student_t_cdf(-(0.03 - 0.01) / 0.00836660, 4)).epsilon(1e-5));
  CHECK(test.equivalent());
  CHECK(test.equivalent() == (test.probability < 0.05));
  CHECK_FALSE(paired_equivalence(reference, subject, 0.02).equivalent());
  CHECK(paired_equivalence(reference, subject, 0.02).probability > 0.05);
  CHECK_FALSE(paired_equivalence(reference, subject, 0.02).different());
}

TEST_CASE("differences beyond the margin are different, alike ones are judged as they are, and too few prove nothing") {
  const std::vector<double> reference{1, 2, 3, 4}, same = reference, more{1.1, 2.1, 3.1, 4.1001};
  CHECK(paired_equivalence(reference, more, 0.05).different());
  CHECK_FALSE(paired_equivalence(reference, more, 0.05).equivalent());
  CHECK(paired_equivalence(reference, same, 1e-6).equivalent());
  CHECK(paired_equivalence(reference, same, 1e-6).probability == 0);
  for (std::size_t pairs : {0u, 1u}) {
    const PairedEquivalence few =
        paired_equivalence(std::span(reference).first(pairs), std::span(same).first(pairs), 1);
    CHECK_FALSE(few.equivalent());
    CHECK_FALSE(few.different());
    CHECK(few.probability == 1);
  }
  CHECK_THROWS_AS(paired_equivalence(reference, std::vector<double>{1}, 1), Misuse);
  CHECK_THROWS_AS(paired_equivalence(reference, same, 0), Misuse);
  CHECK_THROWS_AS(paired_equivalence(reference, std::vector<double>{1, 2, 3, std::nan("")}, 1), Misuse);
}

TEST_CASE("at the margin itself, trainers are called equivalent in no more than the significance of the tests") {
  int accepted = 0;
  const int runs = 4000;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> reference(6, 0.0), subject;
    for (std::uint64_t i = 0; i < 6; ++i)
      subject.push_back(0.1 + 0.02 * standard_normal(random_bits(1, static_cast<std::uint64_t>(run), i)));
    accepted += paired_equivalence(reference, subject, 0.1).equivalent() ? 1 : 0;
  }
  CHECK(accepted > runs * 0.035);
  CHECK(accepted < runs * 0.065);
}

TEST_CASE("Megatron's rule and the reference convergence points are what they are said to be, and loose") {
  std::vector<double> reference, slower;
  for (int i = 0; i < 200; ++i) {
    reference.push_back(1 + 2 * std::exp(-i / 40.0));
    slower.push_back(1 + 2 * std::exp(-i / 44.0));
  }
  const MegatronVerdict verdict = megatron_rule(reference, slower);
  CHECK(verdict.allowed == 2);
  CHECK(verdict.accepted());
  CHECK(verdict.failing_steps == 0);
  std::vector<double> spoilt = reference;
  spoilt[5] = spoilt[90] = std::nan("");
  CHECK(megatron_rule(reference, spoilt).failing_steps == 2);
  CHECK(megatron_rule(reference, spoilt).accepted());
  spoilt[6] *= 1.06;
  CHECK_FALSE(megatron_rule(reference, spoilt).accepted());
  CHECK_THROWS_AS(megatron_rule(reference, std::vector<double>{1}), Misuse);

  CHECK(steps_to_target(std::vector<double>{3, 2, 1, 1, 1, 1, 1}, 1) == 7);
  CHECK(steps_to_target(std::vector<double>{3, 2}, 1) == 0);
  CHECK(steps_to_target({}, 1) == 0);
  const std::vector<std::vector<double>> right{reference, reference, slower}, late{slower, slower, slower},
      early{std::vector<double>(200, 1.0), std::vector<double>(200, 1.0), std::vector<double>(200, 1.0)};
  CHECK(reference_convergence_rule(right, late, 1.5).accepted());
  CHECK_FALSE(reference_convergence_rule(right, early, 1.5).accepted());
  CHECK_FALSE(reference_convergence_rule(right, late, 0.5).accepted());
  CHECK_FALSE(reference_convergence_rule(right, late, 0.5).reached);
}
