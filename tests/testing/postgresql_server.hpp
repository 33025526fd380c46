#pragma once

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "testing/temporary_folder.hpp"

namespace assay::testing {

/// A PostgreSQL server of its own: new data, a unix socket in a temporary folder, no network. Ends with this object.
class PostgresqlServer {
 public:
  /// Why there is none, if there is none.
  std::string reason;

  PostgresqlServer() {
    if (bin_.empty()) {
      reason = "there is no PostgreSQL server (initdb, pg_ctl); on Debian and Ubuntu: apt-get install postgresql";
      return;
    }
    if (::geteuid() == 0) {
      const ::passwd* user = ::getpwnam("postgres");
      if (user == nullptr) {
        reason = "PostgreSQL does not run as root, and there is no user 'postgres'";
        return;
      }
      static_cast<void>(::chown(folder_.path.c_str(), user->pw_uid, user->pw_gid));
      prefix_ = "runuser -u postgres -- ";
    }
    if (!command("initdb -D " + data() + " -U assay -A trust -E UTF8 --locale=C --no-sync"))
      reason = "initdb failed; see its output above";
    else if (!start())
      reason = "the server did not start; see its output above";
  }
  ~PostgresqlServer() {
    if (running_) stop();
  }
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  bool start() {
    running_ =
        command("pg_ctl -D " + data() + " -w -t 60 -l " + folder_.at("log") +
                " -o \"-c listen_addresses='' -c unix_socket_directories='" + folder_.path.string() + "'\" start");
    return running_;
  }
  /// As if the machine lost its power, but for what the operating system has in memory.
  bool stop() {
    running_ = false;
    return command("pg_ctl -D " + data() + " -w -m immediate stop");
  }

  [[nodiscard]] std::string connection(const std::string& database = "postgres") const {
    return "host=" + folder_.path.string() + " user=assay dbname=" + database;
  }

 private:
  [[nodiscard]] std::string data() const { return folder_.at("data"); }
  [[nodiscard]] bool command(const std::string& text) const {
    const std::string quiet =
        "cd / && " + prefix_ + bin_ + "/" + text + " >" + folder_.at("output") + " 2>&1 </dev/null";
    if (std::system(quiet.c_str()) == 0) return true;
    static_cast<void>(std::system(("cat " + folder_.at("output")).c_str()));
    return false;
  }
  /// The newest version's folder of programs.
  static std::string find_programs() {
    std::vector<std::filesystem::path> places{"/usr/local/pgsql", "/usr/local", "/usr"};
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", code))
      places.insert(places.begin(), entry.path());
    for (const auto& place : places)
      if (std::filesystem::exists(place / "bin" / "initdb", code) &&
          std::filesystem::exists(place / "bin" / "pg_ctl", code))
        return (place / "bin").string();
    return {};
  }

  const std::string bin_ = find_programs();
  const TemporaryFolder folder_;
  std::string prefix_;
  bool running_ = false;
};

}  // namespace assay::testing
