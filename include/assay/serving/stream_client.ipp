#pragma once

#include "assay/serving/stream_client.hpp"

#include <charconv>

#include "assay/report/text.hpp"
#include "assay/serving/detail/stream_loop.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#endif

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<ServerAddress> parse_server_url(std::string_view url) {
  const auto refused = [&](const std::string& what) {
    return failure(ErrorKind::invalid, "'" + visible(url) + "' is no address of a server: " + what +
                                           "; give one such as http://127.0.0.1:8000/v1");
  };
  ServerAddress server;
  server.secure = url.substr(0, 8) == "https://";
  if (!server.secure && url.substr(0, 7) != "http://") return refused("it does not begin with http:// or https://");
  url.remove_prefix(server.secure ? 8 : 7);
  if (server.secure) server.port = 443;
  const std::size_t slash = url.find('/');
  std::string_view authority = url.substr(0, slash), path = slash == std::string_view::npos ? "" : url.substr(slash);
  if (path.find_first_of(" \r\n\t?#") != std::string_view::npos) return refused("its path has blanks, '?' or '#'");
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  server.base = path.empty() ? "/v1" : std::string(path);
  const std::size_t bracket = authority.find(']'), colon = authority.rfind(':');
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    const std::string_view port = authority.substr(colon + 1);
    const auto [end, code] = std::from_chars(port.data(), port.data() + port.size(), server.port);
    if (code != std::errc() || end != port.data() + port.size() || server.port == 0)
      return refused("its port is no number from 1 to 65535");
    authority = authority.substr(0, colon);
  }
  if (authority.size() > 1 && authority.front() == '[' && authority.back() == ']')
    authority = authority.substr(1, authority.size() - 2);
  if (authority.empty() || authority.find_first_of(" \r\n\t@") != std::string_view::npos)
    return refused("it names no host");
  server.host = authority;
  return server;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<RequestRecord>> run_requests(const ServerAddress& server,
                                                                           std::vector<PlannedRequest> requests,
                                                                           const StreamClientOptions& options) {
#if defined(__linux__)
  if (!(options.deadline > 0)) return failure(ErrorKind::invalid, "the deadline of a request must be above 0 s");
  for (const char c : options.key)
    if (static_cast<unsigned char>(c) < 0x21 || c == 0x7f)
      return failure(ErrorKind::invalid, "the key has blanks or control characters, which a header cannot hold");
  detail::StreamLoop loop(server, options);
  if (auto opened = loop.open(); !opened) return opened.propagate();
  return loop.run(std::move(requests));
#else
  static_cast<void>(server), static_cast<void>(requests), static_cast<void>(options);
  return failure(ErrorKind::unsupported, "requests are made on Linux only: elsewhere nothing stamps what arrives");
#endif
}

ASSAY_DETAIL_HEADER_INLINE std::size_t raise_open_file_limit() {
#if defined(__linux__)
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  return static_cast<std::size_t>(limit.rlim_cur);
#else
  return 0;
#endif
}

}  // namespace assay::inline v0
