#pragma once

#include <cstdint>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "assay/statistics/samples.hpp"

/// Distributions, by Boost.Math (component boost_math). Misuse: probabilities outside (0, 1) where a quantile is asked
/// for, a number of degrees of freedom that is not positive, NaN..
namespace assay::inline v0 {

/// P(Z ≤ z), Z standard normal. ±∞ are taken.
[[nodiscard]] inline double normal_cdf(double z) {
  expect(z == z, [] { return "normal_cdf() was given NaN"; });
  return boost::math::cdf(boost::math::normal_distribution<double>(), z);
}

/// z with P(Z ≤ z) = probability.
[[nodiscard]] inline double normal_quantile(double probability) {
  detail::expect_share(probability, "the probability given to normal_quantile()");
  return boost::math::quantile(boost::math::normal_distribution<double>(), probability);
}

/// P(T ≤ t), T of Student's distribution. ±∞ are taken.
[[nodiscard]] inline double student_t_cdf(double t, double degrees_of_freedom) {
  expect(t == t, [] { return "student_t_cdf() was given NaN"; });
  detail::expect_positive(degrees_of_freedom, "the degrees of freedom given to student_t_cdf()");
  return boost::math::cdf(boost::math::students_t_distribution<double>(degrees_of_freedom), t);
}

/// t with P(T ≤ t) = probability.
[[nodiscard]] inline double student_t_quantile(double probability, double degrees_of_freedom) {
  detail::expect_share(probability, "the probability given to student_t_quantile()");
  detail::expect_positive(degrees_of_freedom, "the degrees of freedom given to student_t_quantile()");
  return boost::math::quantile(boost::math::students_t_distribution<double>(degrees_of_freedom), probability);
}

/// P(at most `successes` of `trials`) where each succeeds with `probability`. Misuse: more successes than trials.
[[nodiscard]] inline double binomial_cdf(std::uint64_t successes, std::uint64_t trials, double probability) {
  detail::expect_share(probability, "the probability given to binomial_cdf()");
  expect(successes <= trials, [] { return "binomial_cdf() was given more successes than trials"; });
  return boost::math::cdf(boost::math::binomial_distribution<double>(static_cast<double>(trials), probability),
                          static_cast<double>(successes));
}

/// The interval of the success probability that `successes` of `trials` leave, after Clopper and Pearson: exact, never
/// shorter than `confidence` promises. Misuse: no trials, more successes than trials.
struct ProportionInterval {
  double lower = 0;  ///< of the interval
  double upper = 1;  ///< of the interval
};
/// `confidence` is in (0, 1).
[[nodiscard]] inline ProportionInterval proportion_interval(std::uint64_t successes, std::uint64_t trials,
                                                            double confidence) {
  detail::expect_share(confidence, "the confidence given to proportion_interval()");
  expect(trials > 0 && successes <= trials,
         [] { return "proportion_interval() needs a trial at least, and no more successes than trials"; });
  using Binomial = boost::math::binomial_distribution<double>;
  const auto n = static_cast<double>(trials), k = static_cast<double>(successes);
  const double tail = (1 - confidence) / 2;
  return {successes == 0 ? 0 : Binomial::find_lower_bound_on_p(n, k, tail),
          successes == trials ? 1 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

}  // namespace assay::inline v0
