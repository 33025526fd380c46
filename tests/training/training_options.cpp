#include "assay/training/training_options.hpp"

#include "testing/catch.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE("shares cover everything once; samples evenly, weights in equal shards but for the last") {
  for (const Index total : {0, 1, 5, 16, 17, 748})
    for (const int size : {1, 2, 3, 8, 17}) {
      Index samples = 0, weights = 0;
      for (int rank = 0; rank < size; ++rank) {
        const RankShare own = samples_of(total, rank, size), shard = weights_of(total, rank, size);
        REQUIRE(own.begin == samples);
        REQUIRE(shard.begin == weights);
        REQUIRE((own.count() == total / size || own.count() == total / size + 1));
        REQUIRE(shard.count() <= (total + size - 1) / size);
        samples = own.end, weights = shard.end;
      }
      REQUIRE(samples == total);
      REQUIRE(weights == total);
    }
}

TEST_CASE("options that cannot be are misuse, and steps are recorded as asked") {
  const auto refused = [](auto change) {
    TrainingOptions options = testing::small_training();
    change(options);
    CHECK_THROWS_AS(expect_valid(options), Misuse);
  };
  CHECK_NOTHROW(expect_valid(testing::small_training()));
  refused([](TrainingOptions& o) { o.steps = 0; });
  refused([](TrainingOptions& o) { o.global_batch = 0; });
  refused([](TrainingOptions& o) { o.bucket_elements = 0; });
  refused([](TrainingOptions& o) { o.gradient_type = ElementType::int8; });
  refused([](TrainingOptions& o) { o.model.layers = 0; });
  TrainingOptions options;
  CHECK((options.audits(1) && options.audits(3) && !options.audits(4) && options.audits(20) && !options.audits(21)));
  options.audited_period = 0;
  CHECK(!options.audits(20));
}
