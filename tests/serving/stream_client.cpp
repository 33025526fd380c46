#include "assay/serving/stream_client.hpp"

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "assay/serving/request_metrics.hpp"
#include "serving/stub_server.hpp"
#include "testing/catch.hpp"

using namespace assay::testing;
using assay::RequestEnd;
using assay::RequestRecord;
using Kind = assay::AnswerEventKind;

namespace {

assay::PlannedRequest planned(double at = 0, std::string prompt = "p") {
  assay::PlannedRequest request;
  request.at = at;
  request.prompt = prompt;
  request.path = "/chat/completions";
  request.body = R"({"prompt":")" + prompt + "\"}";
  return request;
}

assay::ServerAddress address_of(const StubServer& server) {
  return assay::parse_server_url(server.url()).value();
}

std::vector<RequestRecord> ask(const StubServer& server, std::vector<assay::PlannedRequest> requests,
                               const assay::StreamClientOptions& options = {}) {
  return assay::run_requests(address_of(server), std::move(requests), options).value();
}

RequestRecord ask_once(StubScript script, const assay::StreamClientOptions& options = {}) {
  StubServer server([&](const std::string&, const std::string&) { return script; });
  return ask(server, {planned()}, options).at(0);
}

std::vector<Kind> kinds_of(const RequestRecord& record) {
  std::vector<Kind> kinds;
  for (const auto& event : record.events) kinds.push_back(event.kind);
  return kinds;
}

const std::string finish = sse(delta("", "\"stop\"")), done = sse("[DONE]");

}  // namespace

TEST_CASE("addresses are read, and what is none is told", "[serving]") {
  const auto server = assay::parse_server_url("http://[::1]:8000/api/v2/").value();
  CHECK(server.host == "::1");
  CHECK(server.port == 8000);
  CHECK(server.base == "/api/v2");
  CHECK(assay::parse_server_url("http://host").value().base == "/v1");
  CHECK_FALSE(assay::parse_server_url("http://host").value().secure);
  const auto secure = assay::parse_server_url("https://host").value();
  CHECK(secure.secure);
  CHECK(secure.verified);
  CHECK(secure.port == 443);
  CHECK(assay::parse_server_url("https://host:8443/x").value().port == 8443);
  for (const char* bad :
       {"host:80", "http://", "http://h:0", "http://h:70000", "http://h:x", "http://h/a b", "http://u@h"})
    CHECK(assay::parse_server_url(bad).error().kind == assay::ErrorKind::invalid);
}

TEST_CASE("a stream with role, comment and text at known times", "[serving]") {
  StubScript script{{0, http_head() + chunk(sse(delta(R"("role":"assistant","content":"")")))},
                    {20, chunk(": alive\n\n")}};
  for (int i = 0; i < 4; ++i) script.push_back({40.0 + 20 * i, chunk(sse(content("ab")))});
  script.push_back({120, chunk(finish)});
  script.push_back({125, chunk(sse(R"({"choices":[],"usage":{"completion_tokens":8}})"))});
  script.push_back({130, chunk(done) + last_chunk()});
  const auto record = ask_once(script);
  CHECK(record.end == RequestEnd::complete);
  CHECK(record.answer() == "abababab");
  CHECK(record.kernel_times);
  CHECK(kinds_of(record) == std::vector<Kind>{Kind::headers, Kind::role, Kind::comment, Kind::text, Kind::text,
                                              Kind::text, Kind::text, Kind::finish, Kind::usage, Kind::done});
  const auto metrics = assay::request_metrics(record);
  CHECK(*metrics.first_token >= 0.040);  // never before the server sent it; how late, a busy machine decides
  CHECK(*metrics.end_to_end >= 0.100);
  CHECK(metrics.tokens.total == 8);
  for (std::size_t i = 1; i < record.events.size(); ++i)
    CHECK(record.events[i].time_ns >= record.events[i - 1].time_ns);
}

TEST_CASE("bytes may come one by one, within characters and chunk sizes", "[serving]") {
  const std::string bytes =
      http_head() + chunk(sse(content("a\\u00e4€😀"))) + chunk(finish) + chunk(done) + last_chunk();
  StubScript script;
  for (std::size_t i = 0; i < bytes.size(); ++i) script.push_back({static_cast<double>(i) * 0.05, bytes.substr(i, 1)});
  const auto record = ask_once(script);
  CHECK(record.end == RequestEnd::complete);
  CHECK(record.answer() == "aä€😀");
}

TEST_CASE("events that came in one read are flagged, but for the last", "[serving]") {
  const auto record = ask_once(stream_of({sse(content("a")), sse(content("b")), finish, done}));
  REQUIRE(record.end == RequestEnd::complete);
  CHECK(record.events[1].shared_read);
  CHECK_FALSE(record.events.back().shared_read);
  CHECK(assay::request_metrics(record).first_is_bound);
}

TEST_CASE("streams without an end mark, with line ends of all kinds, and of unknown length are whole", "[serving]") {
  CHECK(ask_once(stream_of({sse(content("a")), finish})).end == RequestEnd::complete);
  CHECK(ask_once({{0,
                   "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: " + content("a") +
                       "\r\rdata: " + delta("", "\"stop\"") + "\r\n\r\n",
                   StubStep::Do::close}})
            .answer() == "a");
  // The last empty line is missing.
  CHECK(ask_once(stream_of({sse(content("a")), "data: [DONE]"})).end == RequestEnd::complete);
  const auto json =
      ask_once({{0, whole(R"({"choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}]})")}});
  CHECK(json.end == RequestEnd::complete);
  CHECK(json.answer() == "x");
}

TEST_CASE("each way to break an answer has its name", "[serving]") {
  struct Case {
    StubScript script;
    RequestEnd end;
    std::string reason;
  };
  const std::string begun = http_head() + chunk(sse(content("a")));
  const std::vector<Case> cases{
      {{{0, begun, StubStep::Do::close}}, RequestEnd::truncated, "before the last chunk"},
      {{{0, begun}, {30, "", StubStep::Do::reset}}, RequestEnd::truncated, "connection broke"},
      {{{0, "", StubStep::Do::close}}, RequestEnd::truncated, "before any answer"},
      {stream_of({sse(content("a"))}), RequestEnd::truncated, "without a finish reason"},
      {stream_of({": only comments\n\n"}), RequestEnd::truncated, "without a finish reason"},
      {stream_of({sse(content("a")), sse(R"({"error":{"message":"out of memory"}})")}), RequestEnd::stream_error,
       "out of memory"},
      {stream_of({sse(content("a")), sse(R"({"error":{"message":"late"}})"), done}), RequestEnd::stream_error, "late"},
      {stream_of({sse("{broken")}), RequestEnd::malformed, "no object of JSON"},
      {stream_of({sse("{\"choices\":[{\"text\":\"\xe2\x82\"}]}")}), RequestEnd::malformed, "no object of JSON"},
      {{{0, http_head() + "5\r\nabc"}, {20, "", StubStep::Do::close}}, RequestEnd::truncated, "before the last chunk"},
      {{{0, http_head() + "2\r\nabcdef\r\n"}}, RequestEnd::malformed, "longer than it said"},
      {{{0, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{}", StubStep::Do::close}},
       RequestEnd::truncated,
       "898 bytes are missing"},
      {{{0, "SSH-2.0-x\r\n"}}, RequestEnd::malformed, "does not speak HTTP/1.1"},
      {{{0, whole("<html>gateway</html>", "200 OK", "text/html")}}, RequestEnd::malformed, "<html>gateway"},
      {{{0, whole(R"({"error":{"message":"no such model"}})", "404 Not Found")}},
       RequestEnd::http_error,
       "404: no such model"},
      {{{0, whole("<html>bad gateway</html>", "502 Bad Gateway", "text/html")}},
       RequestEnd::http_error,
       "502: '<html>"},
  };
  for (const Case& one : cases) {
    const auto record = ask_once(one.script);
    INFO(one.reason << " / " << record.reason);
    CHECK(record.end == one.end);
    CHECK_THAT(record.reason, contains(one.reason));
    CHECK_FALSE(assay::request_metrics(record).served);
  }
}

TEST_CASE("a server that is busy is told with the time for which it asks, and not asked again", "[serving]") {
  StubServer server([](const std::string&, const std::string&) {
    return StubScript{
        {0, whole(R"({"error":"slow down"})", "429 Too Many Requests", "application/json", "Retry-After: 7\r\n")}};
  });
  const auto records = ask(server, {planned()});
  CHECK(records[0].end == RequestEnd::http_error);
  CHECK(records[0].status == 429);
  CHECK(records[0].retry_after == 7.0);
  CHECK(server.requests() == 1);
}

TEST_CASE("nobody listens, and no host", "[serving]") {
  std::uint16_t port = 0;
  {
    StubServer gone([](const std::string&, const std::string&) { return StubScript{}; });
    port = gone.port();
  }
  const auto records = assay::run_requests({"127.0.0.1", port, "/v1"}, {planned()}).value();
  CHECK(records.at(0).end == RequestEnd::refused);
  CHECK_THAT(records.at(0).reason, contains("no connection"));
  CHECK(assay::run_requests({"no-such-host.invalid", 80, "/v1"}, {planned()}).error().kind ==
        assay::ErrorKind::not_found);
  assay::StreamClientOptions options;
  options.key = "a\r\nb";
  CHECK_FALSE(assay::run_requests({"127.0.0.1", port, "/v1"}, {planned()}, options));
}

TEST_CASE("a stall meets its deadline, an endless stream its limit", "[serving]") {
  assay::StreamClientOptions options;
  options.deadline = 0.15;
  const auto stalled = ask_once({{0, http_head() + chunk(sse(content("a")))}}, options);
  CHECK(stalled.end == RequestEnd::timed_out);
  CHECK(stalled.answer() == "a");
  options.deadline = 60;
  options.most_answer_bytes = 100'000;
  StubScript endless{{0, http_head()}};
  for (int i = 0; i < 200; ++i) endless.push_back({0, chunk(sse(content(std::string(1000, 'x'))))});
  CHECK(ask_once(endless, options).end == RequestEnd::malformed);
}

TEST_CASE("an end mark without an end of the body is waited for, for a second", "[serving]") {
  const auto record = ask_once({{0, http_head() + chunk(sse(content("a"))) + chunk(finish) + chunk(done)}});
  CHECK(record.end == RequestEnd::complete);
}

TEST_CASE("many streams at once keep their answers apart", "[serving]") {
  StubServer server([](const std::string&, const std::string& body) {
    const std::string name = body.substr(11, body.size() - 13);
    StubScript script{{0, http_head()}};
    for (int i = 0; i < 5; ++i) script.push_back({5.0 * i, chunk(sse(content(name + " ")))});
    script.push_back({25, chunk(finish) + chunk(done) + last_chunk()});
    return script;
  });
  std::vector<assay::PlannedRequest> requests;
  for (int i = 0; i < 200; ++i) requests.push_back(planned(0.0005 * i, "n" + std::to_string(i)));
  const auto records = ask(server, requests);
  REQUIRE(records.size() == 200);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string name = "n" + std::to_string(i) + " ";
    CHECK(records[i].id == i);
    CHECK(records[i].end == RequestEnd::complete);
    CHECK(records[i].answer() == name + name + name + name + name);
    CHECK(records[i].started_ns >= records[i].scheduled_ns);
    CHECK(records[i].scheduled_ns - records[0].scheduled_ns ==
          static_cast<std::int64_t>(0.0005 * static_cast<double>(i) * 1e9));
  }
}

TEST_CASE("a closed loop asks again when an answer ended, on the same connection", "[serving]") {
  StubServer server([](const std::string&, const std::string&) { return plain_answer("x"); });
  assay::StreamClientOptions options;
  std::set<std::uint64_t> ended;
  options.ended = [&](const RequestRecord& record) { ended.insert(record.id); };
  options.next = [&](const RequestRecord& record) -> std::optional<assay::PlannedRequest> {
    if (record.id >= 18) return std::nullopt;
    auto next = planned(0.001);
    next.user = record.user;
    return next;
  };
  std::vector<assay::PlannedRequest> users{planned(), planned()};
  users[1].user = 1;
  const auto records = ask(server, users, options);
  CHECK(records.size() >= 18);
  CHECK(ended.size() == records.size());
  CHECK(server.connections() == 2);
  for (const auto& record : records) CHECK(record.end == RequestEnd::complete);
}

TEST_CASE("a connection that was kept and closed by the server is made anew, which is told", "[serving]") {
  StubServer server([](const std::string&, const std::string&) {
    StubScript script = plain_answer("x");
    script.push_back({5, "", StubStep::Do::close});
    return script;
  });
  const auto records = ask(server, {planned(), planned(0.1)});
  CHECK(records[1].end == RequestEnd::complete);
  CHECK(server.connections() == 2);
  assay::StreamClientOptions options;
  options.keep_connections = false;
  StubServer other([](const std::string&, const std::string&) { return plain_answer("x"); });
  CHECK(ask(other, {planned(), planned(0.1)}, options)[1].end == RequestEnd::complete);
  CHECK(other.connections() == 2);
}

TEST_CASE("a run that is stopped keeps what it has", "[serving]") {
  StubServer server([](const std::string&, const std::string& body) {
    return body.find("quick") != std::string::npos ? plain_answer("x") : StubScript{{0, http_head()}};
  });
  std::atomic<bool> stop{false};
  assay::StreamClientOptions options;
  options.stop = &stop;
  options.ended = [&](const RequestRecord&) { stop = true; };
  const auto records = ask(server, {planned(0, "slow"), planned(0.02, "quick"), planned(30, "never")}, options);
  REQUIRE(records.size() == 2);
  CHECK(records[0].end == RequestEnd::canceled);
  CHECK(records[1].end == RequestEnd::complete);
}

TEST_CASE("times may be taken when bytes are read, and the record says so", "[serving]") {
  assay::StreamClientOptions options;
  options.kernel_times = false;
  options.keep_bodies = true;
  const auto record = ask_once({{0, whole(R"({"data":[{"id":"m"}]})")}}, options);
  CHECK_FALSE(record.kernel_times);
  CHECK(record.body == R"({"data":[{"id":"m"}]})");
}
