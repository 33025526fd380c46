#include "assay/training/training_subject.hpp"

#include <algorithm>

#include "testing/catch.hpp"
#include "training/in_process.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE(
    "one process that adds up in a ring's order has the bits of a ring; any number of ranks has nearly the same "
    "losses") {
  TrainingOptions options = testing::small_training();
  options.bucket_elements = 101;
  const auto whole = serial_training().train(options);
  REQUIRE(whole);
  CHECK(whole.value()[0].audited.size() == 4);
  for (const int ranks : {2, 3, 5, 16}) {
    const auto ring = serial_training(ranks, GradientOrder::ring).train(options),
               ascending = serial_training(ranks).train(options);
    REQUIRE((ring && ascending));
    const auto real = testing::trained_in_process(ranks).train(options);
    REQUIRE(real);
    CHECK(ring.value()[0].losses == real.value()[0].losses);
    CHECK(ring.value()[0].checksums == real.value()[0].checksums);
    CHECK(ring.value()[0].last.weights == real.value()[0].last.weights);
    CHECK((ascending.value()[0].losses != whole.value()[0].losses) ==
          (ranks < 13));  // with a sample a rank at most, the order is the whole one
    for (std::size_t i = 0; i < 10; ++i)
      CHECK(ascending.value()[0].losses[i] == testing::Approx(whole.value()[0].losses[i]).epsilon(1e-4));
  }
  CHECK_THROWS_AS(serial_training(0), Misuse);
}

TEST_CASE("training teaches: the loss falls well below that of guessing") {
  TrainingOptions options = testing::small_training();
  options.steps = 120;
  options.optimizer.learning_rate = 1e-2;
  const auto trained = serial_training().train(options);
  REQUIRE(trained);
  CHECK(final_loss(trained.value()[0].losses) < 0.75 * std::log(13.0));
}

TEST_CASE("ranks of a collective exchange what they recorded, and their errors") {
  const TrainingOptions options = testing::small_training();
  const auto expected = testing::trained_in_process(3).train(options);
  testing::on_ranks(3, [&](AnyCollective& collective, Coordinator& coordinator) {
    const TrainingSubject subject = collective_training(collective, coordinator);
    const auto traces = subject.train(options);
    const bool right = traces && traces.value().size() == 3 &&
                       detail::to_bytes(traces.value()[1]) == detail::to_bytes(expected.value()[1]);
    if (!right) throw std::runtime_error("the traces are not those of the ranks");
  });
  testing::on_ranks(2, [&](AnyCollective& collective, Coordinator& coordinator) {
    collective.abort("no more");
    const auto traces = collective_training(collective, coordinator).train(options);
    if (traces || traces.error().kind != ErrorKind::aborted) throw std::runtime_error("an aborted collective trained");
  });
}
