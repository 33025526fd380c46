#include "assay/serving/http_response_reader.hpp"

#include <utility>

#include "testing/catch.hpp"

using namespace assay::testing;

namespace {

struct Answer {
  assay::HttpResponseReader reader;
  std::string body;
  bool well = true;
};

Answer read_in_pieces(const std::string& text, std::size_t size) {
  Answer answer;
  for (std::size_t i = 0; i < text.size() && answer.well; i += size)
    answer.well = answer.reader.read(std::string_view(text).substr(i, size), answer.body);
  return answer;
}

void check_answer(const std::string& text, const std::string& body, bool done = true) {
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const Answer answer = read_in_pieces(text, size);
    INFO(text << " in pieces of " << size << ": " << answer.reader.error());
    CHECK(answer.well);
    CHECK(answer.reader.done() == done);
    CHECK(answer.body == body);
    CHECK(answer.reader.status() == 200);
  }
}

void check_refused(const std::string& text, const std::string& error) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, text.size()}) {
    const Answer answer = read_in_pieces(text, size);
    CHECK_FALSE(answer.well);
    CHECK_THAT(answer.reader.error(), contains(error));
  }
}

}  // namespace

TEST_CASE("bodies are chunked, of a length, or last until the connection ends", "[serving]") {
  check_answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello");
  check_answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "");
  check_answer("HTTP/1.1 200\r\ntransfer-encoding: CHUNKED\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: x\r\n\r\n",
               "hello");
  check_answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok");
  check_answer("HTTP/1.0 200 OK\n\nhello", "hello", false);
  Answer answer = read_in_pieces("HTTP/1.0 200 OK\r\n\r\nhello", 4);
  CHECK(answer.reader.end_of_connection());
  CHECK_FALSE(answer.reader.keeps_connection());
}

TEST_CASE("broken answers are refused and never whole", "[serving]") {
  check_refused("SSH-2.0-OpenSSH\r\n", "does not speak HTTP/1.1");
  check_refused("HTTP/2 200\r\n", "does not speak HTTP/1.1");
  check_refused("HTTP/1.1 2x0 OK\r\n", "does not speak HTTP/1.1");
  check_refused("HTTP/1.1 200 OK\r\nno header\r\n", "is none");
  check_refused("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "two lengths");
  check_refused("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n", "no number");
  check_refused("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "gzip");
  check_refused("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "hexadecimal");
  check_refused("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n", "longer than it said");
  check_refused("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", "follow the end");
  check_refused("HTTP/1.1 200 OK\r\nx: " + std::string(300'000, 'y'), "headers are longer");
}

TEST_CASE("an end that comes too early says what is missing", "[serving]") {
  for (const auto& [text, missing] :
       {std::pair{"", "before any answer"}, std::pair{"HTTP/1.1 200 OK\r\nx", "within the headers"},
        std::pair{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", "2 bytes are missing"},
        std::pair{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "last chunk"}}) {
    Answer answer = read_in_pieces(text, 100);
    CHECK_FALSE(answer.reader.end_of_connection());
    CHECK_THAT(answer.reader.error(), contains(missing));
  }
}

TEST_CASE("a connection is kept unless one of both says otherwise", "[serving]") {
  const auto kept = [](const std::string& headers) {
    return read_in_pieces("HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 0\r\n\r\n", 1000)
        .reader.keeps_connection();
  };
  CHECK(kept(""));
  CHECK_FALSE(kept("Connection: Close\r\n"));
  CHECK_FALSE(read_in_pieces("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", 1000).reader.keeps_connection());
}
