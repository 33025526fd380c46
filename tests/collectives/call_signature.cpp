#include "assay/collectives/call_signature.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::vector<std::optional<CollectiveCall>> calls_of(const std::vector<std::string>& signatures) {
  std::vector<std::optional<CollectiveCall>> calls;
  for (const std::string& signature : signatures) {
    if (signature.empty())
      calls.emplace_back();
    else
      calls.emplace_back(call_of_signature(signature).value());
  }
  return calls;
}

std::string messages_of(const std::vector<std::string>& signatures) {
  std::string all;
  for (const CallMismatch& mismatch : call_mismatches(calls_of(signatures))) all += mismatch.message + "\n";
  return all;
}

}  // namespace

TEST_CASE("the signature of a call says what its operation has, and is read back") {
  const std::string text =
      GENERATE("all_reduce f32 1024 sum", "reduce_scatter bf16 0 premultiplied_sum", "all_gather uint8 7",
               "broadcast f64 3 root 2", "reduce e5m2 1 maximum root 0", "all_to_all int16 9223372036854775807",
               "all_to_all_v f32 sent 1,0,2 received 4,0,0", "gather f16 5 root 1", "scatter int64 5 root 1",
               "send_receive f32 16 to 3 from none", "send_receive f32 16 to none from 0", "barrier");
  const auto call = call_of_signature(text);
  REQUIRE(call);
  CHECK(signature_of(call.value()) == text);
}

TEST_CASE("what is no signature is malformed") {
  const std::string text =
      GENERATE("", "all_reduce", "all_reduce f32", "all_reduce f32 x sum", "all_reduce f32 1", "all_reduce f33 1 sum",
               "broadcast f32 1", "broadcast f32 1 root", "broadcast f32 1 rote 2", "send_receive f32 1 to x from 1",
               "all_to_all_v f32 sent 1,x received 1", "all_to_all_v f32 sent 1", "reduces f32 1 sum root 0");
  const auto call = call_of_signature(text);
  REQUIRE(!call);
  CHECK(call.error().kind == ErrorKind::malformed);
}

TEST_CASE("calls that are one operation have no mismatch") {
  CHECK(messages_of({}).empty());
  CHECK(messages_of({"barrier", "barrier"}).empty());
  CHECK(messages_of({"", "all_reduce f32 4 sum", "all_reduce f32 4 sum"}).empty());
  CHECK(messages_of({"send_receive f32 4 to 1 from none", "send_receive f32 4 to none from 0",
                     "send_receive f32 9 to none from none"})
            .empty());
  CHECK(messages_of({"all_to_all_v f32 sent 0,5 received 0,2", "all_to_all_v f32 sent 2,1 received 5,1"}).empty());
}

TEST_CASE("mismatches name the rank and the field") {
  const std::string most = "broadcast f32 4 root 0";
  CHECK(messages_of({most, most, most, "broadcast f32 4 root 1"}) == "root: rank 3 gives 1, ranks 0 to 2 give 0\n");
  CHECK(messages_of({most, "broadcast f32 5 root 1", most, ""}) ==
        "count: rank 1 gives 5, ranks 0, 2 give 4\nroot: rank 1 gives 1, ranks 0, 2 give 0\n");
  CHECK(messages_of({"barrier", most, most}) == "operation: rank 0 gives barrier, ranks 1, 2 give broadcast\n");
  CHECK(messages_of({"all_reduce f32 4 sum", "all_reduce f16 4 sum", "all_reduce f32 4 sum"}) ==
        "type: rank 1 gives f16, ranks 0, 2 give f32\n");
  CHECK(messages_of({"reduce f32 4 sum root 0", "reduce f32 4 sum root 0", "reduce f32 4 average root 0"}) ==
        "reduction: rank 2 gives average, ranks 0, 1 give sum\n");
  const auto even = call_mismatches(calls_of({"all_gather f32 4", "all_gather f32 5"}));
  REQUIRE(even.size() == 1);
  CHECK(even[0].ranks == std::vector<int>{0, 1});
}

TEST_CASE("messages that nobody expects, or expects from another, are found") {
  CHECK(messages_of({"send_receive f32 4 to 1 from none", "send_receive f32 4 to none from none"}) ==
        "destination: rank 0 sends to rank 1, which receives from nobody\n");
  CHECK(messages_of({"send_receive f32 4 to none from 1", "send_receive f32 4 to none from none"}) ==
        "source: rank 0 receives from rank 1, which sends to nobody\n");
  CHECK(messages_of({"send_receive f32 4 to 1 from 1", "send_receive f32 5 to 0 from 0"}) ==
        "count: rank 0 sends 4 elements to rank 1, which expects 5\ncount: rank 1 sends 5 elements to rank 0, which "
        "expects 4\n");
  CHECK(messages_of({"all_to_all_v f32 sent 0,5 received 0,2", "all_to_all_v f32 sent 2,1 received 4,1"}) ==
        "sent: rank 0 sends 5 elements to rank 1, which expects 4\n");
}
