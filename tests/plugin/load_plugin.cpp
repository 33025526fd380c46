#include "assay/plugin/load_plugin.hpp"

#include <dlfcn.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using testing::contains;

namespace {

/// The plugin of testing/faulty_plugin.cpp under a name that is its fault: "hangs", or of none.
class FaultyPlugin {
 public:
  explicit FaultyPlugin(const std::string& fault) : path_(folder_.path / ("lib" + fault + ".so")) {
    std::filesystem::copy_file(ASSAY_FAULTY_PLUGIN, path_);
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  testing::TemporaryFolder folder_;
  std::filesystem::path path_;
};

Error refusal(const std::string& path, const PluginLoading& loading = {}) {
  const auto loaded = load_plugin(path, loading);
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().message.rfind("plugin " + path + ": ", 0) == 0);
  CHECK(loaded.error().message.find("plugin " + path, 1) == std::string::npos);
  return loaded.error();
}

void check_refusal(const std::string& fault, ErrorKind kind, const std::string& words) {
  const FaultyPlugin plugin(fault);
  const Error error = refusal(plugin.path());
  INFO(fault << ": " << error.message);
  CHECK(error.kind == kind);
  CHECK_THAT(error.message, contains(words));
}

}  // namespace

TEST_CASE("a plugin is loaded once and again") {
  const FaultyPlugin plugin("right");
  for (const bool probe : {true, false}) {
    PluginLoading loading;
    loading.operations = {"gemm", "softmax"};
    loading.probe = probe;
    const auto loaded = load_plugin(plugin.path(), loading);
    REQUIRE(loaded);
    CHECK(loaded.value()->name() == "right");
    CHECK(loaded.value()->source() == "plugin " + plugin.path());
    CHECK(loaded.value()->has("softmax"));
  }
  CHECK(load_plugin(FaultyPlugin("later-minor").path()));
}

TEST_CASE("a plugin is described without being loaded") {
  const FaultyPlugin plugin("described-elsewhere");
  PluginLoading loading;
  loading.operations = {"gemm", "softmax"};
  const auto described = describe_plugin_file(plugin.path(), loading);
  REQUIRE(described);
  CHECK(::dlopen(plugin.path().c_str(), RTLD_NOW | RTLD_NOLOAD) == nullptr);
  const auto loaded = load_plugin(plugin.path(), loading);
  REQUIRE(loaded);
  CHECK(described.value()->name() == "described-elsewhere");
  CHECK(described.value()->version() == loaded.value()->version());
  CHECK(described.value()->source() == loaded.value()->source());
  CHECK(described.value()->operations() == loaded.value()->operations());
  const Arithmetic told = described.value()->arithmetic("softmax", false),
                   known = loaded.value()->arithmetic("softmax", false);
  CHECK(told.accumulation.format_name == std::string(known.accumulation.format_name));
  CHECK(told.accumulation.block == known.accumulation.block);
  CHECK(told.accumulation.truncating);
  CHECK(told.accumulation.unit_roundoff == known.accumulation.unit_roundoff);
  CHECK(told.function_errors == known.function_errors);
  PluginRequest request;
  request.operation = "softmax";
  const auto run = described.value()->run(request);
  REQUIRE_FALSE(run);
  CHECK(run.error().kind == ErrorKind::device);
  CHECK_THAT(run.error().message, contains("this process knows what the plugin describes, and has not loaded it"));
  CHECK_THAT(describe_plugin_file(FaultyPlugin("entry-crashes").path()).error().message,
             contains("it crashed while it was loaded"));
  CHECK(describe_plugin_file("libmissing.so").error().kind == ErrorKind::not_found);
}

TEST_CASE("what another process wrote that is no description is refused") {
  const auto refused = detail::decode_description("garbage", "plugin libmine.so", {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::malformed);
  CHECK(refused.error().message.rfind("plugin libmine.so: ", 0) == 0);
}

TEST_CASE("a process that a plugin forks while it is loaded, and that comes back, does not run on") {
  CHECK(load_plugin(FaultyPlugin("entry-forks").path()));
}

TEST_CASE("what is no plugin is refused by words that tell what it is") {
  const testing::TemporaryFolder folder;
  const std::string missing = (folder.path / "libmissing.so").string(), text = (folder.path / "libtext.so").string();
  CHECK(refusal(missing).kind == ErrorKind::not_found);
  CHECK(refusal("").kind == ErrorKind::not_found);
  CHECK_THAT(refusal(folder.path.string()).message, contains("it is a folder"));
  std::ofstream(text) << "not a library";
  const Error no_library = refusal(text);
  CHECK(no_library.kind == ErrorKind::io);
  CHECK_THAT(no_library.message, contains("cannot be loaded as a shared library"));
  const Error no_entry = refusal(ASSAY_LIBRARY_WITHOUT_ENTRY);
  CHECK(no_entry.kind == ErrorKind::malformed);
  CHECK_THAT(no_entry.message, contains("exports no assay_plugin_entry"));
}

TEST_CASE("a name without a folder is that of a file here, not of a library of the system") {
  CHECK(refusal("libm.so.6").kind == ErrorKind::not_found);
}

TEST_CASE("descriptions that are wrong are refused after they were loaded") {
  check_refusal("next-abi", ErrorKind::unsupported, "built for plugin ABI 3.0, and this is 2.0");
  check_refusal("no-description", ErrorKind::unsupported, "it gave no description");
  check_refusal("no-run", ErrorKind::malformed, "run is null");
  check_refusal("unknown-accumulator", ErrorKind::malformed, "unknown format 'f23'");
  const FaultyPlugin plugin("unknown-operation");
  PluginLoading loading;
  loading.operations = {"softmax"};
  CHECK_THAT(refusal(plugin.path(), loading).message, contains("unknown operation 'sofmax'; nearest: softmax"));
}

TEST_CASE("what ends the process while it is loaded ends another one") {
  check_refusal("crashes-in-a-constructor", ErrorKind::device, "it crashed while it was loaded, by signal 11");
  check_refusal("entry-crashes", ErrorKind::device, "it crashed while it was loaded, by signal 11");
  check_refusal("entry-exits", ErrorKind::device, "it ended the process while it was loaded, with exit code 0");
  check_refusal("entry-throws", ErrorKind::device, "its entry threw an exception");
  const FaultyPlugin throws("entry-throws");
  PluginLoading loading;
  loading.probe = false;
  CHECK_THAT(refusal(throws.path(), loading).message, contains("its entry threw an exception"));
}

TEST_CASE("a plugin that hangs while it is loaded is given up") {
  const FaultyPlugin plugin("entry-hangs");
  PluginLoading loading;
  loading.probe_seconds = 0.3;
  CHECK(refusal(plugin.path(), loading).kind == ErrorKind::timed_out);
}

TEST_CASE("a process that a plugin starts while it is loaded is not waited for") {
  const auto begin = std::chrono::steady_clock::now();
  CHECK(load_plugin(FaultyPlugin("entry-starts-a-process").path()));
  check_refusal("entry-starts-a-process-and-crashes", ErrorKind::device,
                "it crashed while it was loaded, by signal 11");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}
