// Runs test cases of testing/plain_catch.hpp:
//   program [--list] [--json FILE] [--seconds N] [--require-all] [part of a name or tag]…
// --seconds: a test case that would begin later is skipped. --require-all: what is skipped is a failure.
// Exit code: 0 passed, 1 something failed, 2 wrong usage.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "testing/plain_catch.hpp"

namespace {

using namespace assay::testing::plain;

struct Settings {
  bool list = false;
  bool require_all = false;
  double seconds = 1e9;
  const char* json = nullptr;
  std::vector<std::string> wanted;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_wanted(const TestCase& entry, const Settings& settings) {
  for (const std::string& part : settings.wanted)
    if (std::strstr(entry.name, part.c_str()) != nullptr || std::strstr(entry.tags, part.c_str()) != nullptr)
      return true;
  return settings.wanted.empty();
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text)
    if (letter == '"' || letter == '\\')
      result += {'\\', letter};
    else
      result += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
  return result;
}

/// "passed", "failed" or "skipped", with the reason.
struct Result {
  const char* verdict;
  std::string reason;
};

Result run_once(const TestCase& entry) {
  Session& own = session();
  const auto failed = [&](const std::string& reason) {
    ++own.failures;
    std::printf("%s: %s\n", entry.name, reason.c_str());
    for (const std::string& note : own.notes) std::printf("  where: %s\n", note.c_str());
    return Result{"failed", reason};
  };
  try {
    entry.body();
  } catch (const RequirementFailed&) {
  } catch (const Skipped& skipped) {
    return {own.failures > 0 ? "failed" : "skipped", skipped.reason};
  } catch (const std::exception& error) {
    return failed(std::string("threw: ") + error.what());
  } catch (...) {
    return failed("threw what is no std::exception");
  }
  if (own.failures > 0)
    return {"failed", std::to_string(own.failures) + " of " + std::to_string(own.checks) + " checks"};
  return {"passed", ""};
}

/// All leaf sections, one after another.
Result run(const TestCase& entry) {
  Session& own = session();
  own.finished.clear();
  own.checks = own.failures = 0;
  Result result{"passed", ""};
  do {
    own.path.clear();
    own.entered.assign(1, false);
    own.more = false;
    const Result part = run_once(entry);
    if (std::strcmp(part.verdict, "passed") != 0) result = part;
  } while (own.more);
  if (own.failures > 0)
    result.verdict = "failed";
  else if (own.checks == 0 && std::strcmp(result.verdict, "passed") == 0)
    result = {"failed", "nothing was checked"};
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const bool valued = i + 1 < argc;
    if (option == "--list")
      settings.list = true;
    else if (option == "--require-all")
      settings.require_all = true;
    else if (option == "--json" && valued)
      settings.json = argv[++i];
    else if (option == "--seconds" && valued)
      settings.seconds = std::atof(argv[++i]);
    else if (option.rfind("--", 0) != 0)
      settings.wanted.push_back(option);
    else
      return std::fprintf(stderr, "%s: unknown option %s; there are --list, --json FILE, --seconds N, --require-all\n",
                          argv[0], argv[i]),
             2;
  }
  std::FILE* const json = settings.json != nullptr ? std::fopen(settings.json, "a") : nullptr;
  if (settings.json != nullptr && json == nullptr)
    return std::fprintf(stderr, "%s: cannot write %s\n", argv[0], settings.json), 2;
  const double begin = now();
  unsigned counts[3] = {};
  for (const TestCase& entry : session().cases) {
    if (!is_wanted(entry, settings)) continue;
    if (settings.list) {
      std::printf("%s\n", entry.name);
      continue;
    }
    const double start = now();
    const Result result = start - begin > settings.seconds ? Result{"skipped", "the time is up"} : run(entry);
    const double seconds = now() - start;
    ++counts[result.verdict[0] == 'p' ? 0 : result.verdict[0] == 'f' ? 1 : 2];
    std::printf("%-7s %7.2f s  %s%s%s\n", result.verdict, seconds, entry.name, result.reason.empty() ? "" : ": ",
                result.reason.c_str());
    std::fflush(stdout);
    if (json != nullptr) {
      std::fprintf(json, "{\"test\": \"%s\", \"verdict\": \"%s\", \"seconds\": %.3f, \"reason\": \"%s\"}\n",
                   escaped(entry.name).c_str(), result.verdict, seconds, escaped(result.reason).c_str());
      std::fflush(json);
    }
  }
  if (json != nullptr) std::fclose(json);
  if (settings.list) return 0;
  std::printf("%u passed, %u failed, %u skipped\n", counts[0], counts[1], counts[2]);
  if (counts[0] + counts[1] + counts[2] == 0)
    return std::fprintf(stderr, "%s: no test case is called so\n", argv[0]), 1;
  return counts[1] > 0 || (settings.require_all && counts[2] > 0) ? 1 : 0;
}
