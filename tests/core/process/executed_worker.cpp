#include "assay/core/process/executed_worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "assay/core/monotonic_time.hpp"
#include "assay/core/process/run_program.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

namespace {

using assay::ErrorKind;
using assay::Result;
using assay::detail::deadline_in;
using assay::detail::Ending;
using assay::detail::ExecutedWorker;
using assay::detail::last_words;
using assay::detail::no_deadline;
using assay::detail::WorkerCommand;

/// Longer than anything here takes, on any machine.
constexpr double patience = 60;
constexpr std::uint64_t longest = 1 << 20;

/// A message of five bytes, as printf of a shell writes it.
constexpr const char* five_bytes = R"(printf '\005\000\000\000\000\000\000\000hello' >&3; )";

WorkerCommand shell(const std::string& script) {
  return {{"sh", "-c", script}};
}

ExecutedWorker started(const WorkerCommand& command) {
  auto worker = ExecutedWorker::start(command);
  REQUIRE(worker);
  return std::move(worker).value();
}
ExecutedWorker started(const std::string& script) {
  return started(shell(script));
}

/// Whether a process is there and runs: not one that waits to be asked for its status.
bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  return !text.empty() && text[text.rfind(')') + 2] != 'Z';
}

/// Whether it is gone after a while.
bool goes(pid_t process) {
  for (const std::int64_t end = deadline_in(patience); assay::detail::monotonic_nanoseconds() < end;) {
    if (!runs(process)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

pid_t number_told(ExecutedWorker& worker) {
  const auto line = worker.receive_line(deadline_in(patience), longest);
  REQUIRE(line);
  return static_cast<pid_t>(std::stol(line.value()));
}

bool no_child_is_left() {
  return ::waitpid(-1, nullptr, WNOHANG) == -1;
}

}  // namespace

TEST_CASE("a worker answers messages of any length, and lines") {
  // What it is asked comes back: head and all.
  ExecutedWorker echo = started("exec cat <&3 >&3");
  for (const std::size_t size : {0, 1, 7, 100'000, 1 << 20}) {
    INFO(size);
    std::string message(size, 'x');
    for (std::size_t i = 0; i < size; ++i) message[i] = static_cast<char>(i * 7 % 251);
    const auto answer = echo.ask(message, deadline_in(patience), longest);
    REQUIRE(answer);
    CHECK(answer.value() == message);
  }
  REQUIRE(echo.send("one\ntwo\n\nthr", deadline_in(patience)));
  for (const char* line : {"one", "two", ""}) CHECK(echo.receive_line(deadline_in(patience), longest).value() == line);
  REQUIRE(echo.send("ee\n", no_deadline));
  CHECK(echo.receive_line(no_deadline, longest).value() == "three");
  CHECK(!echo.ended(no_deadline));
  CHECK(echo.end().kind == Ending::Kind::timeout);
  CHECK(echo.end().kind == Ending::Kind::timeout);
  CHECK(no_child_is_left());
}

TEST_CASE("a worker that ends is named by its own ending, with its last words") {
  struct Fault {
    const char* script;
    Ending::Kind kind;
    int number;
    const char* words;
  };
  for (const Fault& fault : {Fault{"exit 3", Ending::Kind::exit, 3, ""}, Fault{"exit 0", Ending::Kind::exit, 0, ""},
                             Fault{"echo I am >&2; echo lost; exit 1", Ending::Kind::exit, 1, "I am lost"},
                             Fault{"kill -SEGV $$", Ending::Kind::signal, SIGSEGV, ""},
                             Fault{"kill -KILL $$", Ending::Kind::signal, SIGKILL, ""},
                             Fault{"printf '\\100\\000' >&3; exit 4", Ending::Kind::exit, 4, ""},
                             Fault{R"(printf '\100\000\000\000\000\000\000\000half' >&3; kill -ABRT $$)",
                                   Ending::Kind::signal, SIGABRT, ""}}) {
    INFO(fault.script);
    ExecutedWorker worker = started(fault.script);
    const auto answer = worker.ask("", deadline_in(patience), longest);
    REQUIRE(!answer);
    CHECK(answer.error().kind == ErrorKind::aborted);
    const Ending ending = worker.end();
    CHECK(ending.kind == fault.kind);
    CHECK(ending.number == fault.number);
    CHECK(last_words(worker.output()) == fault.words);
    CHECK(no_child_is_left());
  }
}

TEST_CASE("what a worker said before it ended is not lost") {
  ExecutedWorker worker = started(std::string(five_bytes) + "echo line >&3; exit 5");
  CHECK(worker.wait(deadline_in(patience)).number == 5);
  CHECK(worker.receive_message(deadline_in(patience), longest).value() == "hello");
  CHECK(worker.receive_line(deadline_in(patience), longest).value() == "line");
  CHECK(worker.receive_line(deadline_in(patience), longest).error().kind == ErrorKind::aborted);
  CHECK(!worker.send(std::string(1 << 22, 'x'), deadline_in(patience)));  // and no SIGPIPE
  CHECK(worker.end().number == 5);
}

TEST_CASE("a worker that hangs is killed at the deadline, whatever it ignores") {
  for (const char* script :
       {"exec sleep 1000", "trap '' TERM INT HUP; sleep 1000; sleep 1000", "kill -STOP $$; sleep 1000"}) {
    INFO(script);
    ExecutedWorker worker = started(script);
    const auto answer = worker.receive_message(deadline_in(0.05), longest);
    REQUIRE(!answer);
    CHECK(answer.error().kind == ErrorKind::timed_out);
    CHECK(worker.end().kind == Ending::Kind::timeout);
    CHECK(no_child_is_left());
    ExecutedWorker other = started(script);
    CHECK(!other.ended(no_deadline));
    CHECK(other.wait(deadline_in(0.05)).kind == Ending::Kind::timeout);
    CHECK(no_child_is_left());
  }
  // One that does not listen: a message that no buffer holds.
  ExecutedWorker deaf = started("exec sleep 1000");
  CHECK(deaf.ask(std::string(1 << 24, 'x'), deadline_in(0.1), longest).error().kind == ErrorKind::timed_out);
}

TEST_CASE("a worker that floods costs neither memory nor the deadline") {
  ExecutedWorker printing = started("yes hello and hello and hello and hello");
  CHECK(printing.receive_message(deadline_in(1), longest).error().kind == ErrorKind::timed_out);
  CHECK(printing.end().kind == Ending::Kind::timeout);
  CHECK(last_words(printing.output(), 100).find("hello and hello") != std::string::npos);
  CHECK(last_words(printing.output(), 100).size() <= 100);

  ExecutedWorker sending = started("exec yes >&3");
  CHECK(sending.receive_message(deadline_in(patience), longest).error().kind == ErrorKind::malformed);
  ExecutedWorker endless = started("exec cat /dev/zero >&3");
  CHECK(endless.receive_line(deadline_in(patience), longest).error().kind == ErrorKind::malformed);
  // Lines without an end are each taken, until the deadline.
  ExecutedWorker lines = started("exec yes >&3");
  const std::int64_t deadline = deadline_in(0.2);
  Result<std::string> line = lines.receive_line(deadline, longest);
  while (line) line = lines.receive_line(deadline, longest);
  CHECK(line.error().kind == ErrorKind::timed_out);
}

TEST_CASE("a worker that closes its channel and lives on is told from one that ended") {
  ExecutedWorker worker = started("exec 3>&-; echo I live; exec sleep 1000");
  const auto answer = worker.ask("", deadline_in(patience), longest);
  REQUIRE(!answer);
  CHECK(answer.error().kind == ErrorKind::aborted);
  CHECK(worker.end().kind == Ending::Kind::channel);
  CHECK(last_words(worker.output()) == "I live");
  CHECK(no_child_is_left());
}

TEST_CASE("the end of a worker is seen where a process of its own keeps the channel open, and that one is killed") {
  ExecutedWorker worker = started("sleep 1000 & echo $! >&3; exit 6");
  const pid_t left = number_told(worker);
  const auto answer = worker.receive_message(deadline_in(patience), longest);
  REQUIRE(!answer);
  CHECK(answer.error().kind == ErrorKind::aborted);
  CHECK(worker.end().number == 6);
  CHECK(goes(left));

  // Of another group: the end is seen, and the rest is whose group it is.
  WorkerCommand command = shell("sleep 1000 & echo $! >&3; exit 7");
  command.own_group = false;
  ExecutedWorker other = started(command);
  const pid_t stays = number_told(other);
  CHECK(other.receive_message(deadline_in(patience), longest).error().kind == ErrorKind::aborted);
  CHECK(other.end().number == 7);
  CHECK(runs(stays));
  ::kill(stays, SIGKILL);
  CHECK(goes(stays));
}

TEST_CASE("a worker dies with its object, and with all that it started") {
  pid_t leader = -1, child = -1;
  {
    ExecutedWorker worker = started("echo $$ >&3; sleep 1000 & echo $! >&3; wait");
    leader = number_told(worker);
    child = number_told(worker);
    ExecutedWorker moved = std::move(worker);
    CHECK(runs(leader));
    CHECK(runs(child));
    ExecutedWorker other = started("exec sleep 1000");
    other = std::move(moved);
    CHECK(runs(leader));
  }
  CHECK(goes(leader));
  CHECK(goes(child));
  CHECK(no_child_is_left());
}

TEST_CASE("what cannot be executed is told with the system's reason") {
  assay::testing::TemporaryFolder folder;
  std::ofstream(folder.at("text")) << "no program\n";
  for (const bool ends_with_thread : {false, true})
    for (const auto& [program, reason] : {std::pair<std::string, std::string>{"/absent/program", std::strerror(ENOENT)},
                                          {"no-such-program-anywhere", std::strerror(ENOENT)},
                                          {folder.at("text"), std::strerror(EACCES)},
                                          {folder.path.string(), std::strerror(EACCES)}}) {
      INFO(program << ends_with_thread);
      WorkerCommand command{{program}};
      command.ends_with_thread = ends_with_thread;
      const auto worker = ExecutedWorker::start(command);
      REQUIRE(!worker);
      CHECK(worker.error().kind == ErrorKind::io);
      CHECK(worker.error().message == "cannot execute '" + program + "': " + reason);
      CHECK(no_child_is_left());
    }
  WorkerCommand command = shell("true");
  command.log = "/absent/folder/log";
  CHECK(ExecutedWorker::start(command).error().kind == ErrorKind::io);
}

TEST_CASE("a worker has the descriptors that it is given and no others, and signals as usual") {
  const int kept_open = ::fcntl(STDERR_FILENO, F_DUPFD, 30);  // as a library may that forgets what is executed
  REQUIRE(kept_open >= 30);
  const auto given = assay::detail::open_nameless_file();
  REQUIRE(given);
  const auto before = ::signal(SIGUSR1, SIG_IGN);
  const auto hung_up = ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked, mask;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &mask);
  for (const bool ends_with_thread : {false, true}) {
    INFO(ends_with_thread);
    WorkerCommand command{{"cat", "/proc/self/status"}};
    command.ends_with_thread = ends_with_thread;
    ExecutedWorker status = started(command);
    CHECK(status.wait(deadline_in(patience)).number == 0);
    const std::string text = status.output().last(1 << 16);
    CHECK(text.find("SigBlk:\t0000000000000000") != std::string::npos);
    // Without the signals of the C library's own, which it ignores there.
    const std::size_t ignored = text.find("SigIgn:\t");
    REQUIRE(ignored != std::string::npos);
    CHECK((std::stoull(text.substr(ignored + 8), nullptr, 16) & 0x7fffffff) == 0);
    // The shell's own are among them: of `ls`, one for the folder.
    command = shell("ls /proc/$$/fd; echo of the worker >&4; read nothing || echo no input");
    command.shared = {given.value().number()};
    command.ends_with_thread = ends_with_thread;
    ExecutedWorker listing = started(command);
    CHECK(listing.wait(deadline_in(patience)).number == 0);
    const std::string listed = listing.output().last(1 << 16);
    INFO(listed);
    CHECK(listed.find("\n3\n4\n") != std::string::npos);
    CHECK(listed.find("\n" + std::to_string(kept_open) + "\n") == std::string::npos);
    CHECK(listed.find("no input") != std::string::npos);
  }
  char text[] = "of the worker\nof the worker\n";
  char read[64] = {};
  CHECK(::pread(given.value().number(), read, sizeof read, 0) == static_cast<ssize_t>(std::strlen(text)));
  CHECK(std::string(read) == text);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  ::signal(SIGUSR1, before);
  ::signal(SIGPIPE, hung_up);
  ::close(kept_open);
}

TEST_CASE("what a worker prints can be a file, and a program can have another name") {
  assay::testing::TemporaryFolder folder;
  const std::string log = folder.at("log.txt");
  std::ofstream(log) << std::string(1000, '.');
  WorkerCommand command{{"named", "-c", "echo $0; echo mistaken >&2"}};
  command.program = "sh";
  command.log = log;
  command.channel = false;
  ExecutedWorker worker = started(command);
  CHECK(worker.wait(deadline_in(patience)).number == 0);
  std::ifstream file(log);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  CHECK(text.find("mistaken\n") != std::string::npos);
  CHECK(text.find('.') == std::string::npos);
  CHECK(last_words(worker.output()) == "named mistaken");
}

TEST_CASE("a group ends with the thread that started it, even if that is killed") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t starter = ::fork();
  REQUIRE(starter >= 0);
  if (starter == 0) {
    WorkerCommand command = shell("sleep 1000 & echo $! $$ >&3; wait");
    command.ends_with_thread = true;
    auto worker = ExecutedWorker::start(command);
    if (!worker) ::_exit(1);
    const auto line = worker.value().receive_line(deadline_in(patience), longest);
    const std::string text = line ? line.value() + "\n" : "\n";
    static_cast<void>(!::write(ends[1], text.data(), text.size()));
    for (;;) ::pause();
  }
  ::close(ends[1]);
  char text[64] = {};
  REQUIRE(::read(ends[0], text, sizeof text - 1) > 2);
  ::close(ends[0]);
  char* rest = nullptr;
  const auto child = static_cast<pid_t>(std::strtol(text, &rest, 10));
  const auto leader = static_cast<pid_t>(std::strtol(rest, nullptr, 10));
  CHECK(runs(child));
  CHECK(runs(leader));
  ::kill(starter, SIGKILL);
  REQUIRE(::waitpid(starter, nullptr, 0) == starter);
  CHECK(goes(child));
  CHECK(goes(leader));
}

TEST_CASE("a program that is run to its end tells how, and what it printed") {
  const auto run = assay::detail::run_program({"sh", "-c", "echo first; echo second >&2"}, patience);
  REQUIRE(run);
  CHECK(run.value().succeeded());
  CHECK(run.value().output == "first\nsecond\n");
  const auto failed = assay::detail::run_program({"sh", "-c", "exit 77"}, patience);
  CHECK(!failed.value().succeeded());
  CHECK(failed.value().ending.number == 77);
  const auto crashed = assay::detail::run_program({"sh", "-c", "kill -SEGV $$"}, patience);
  CHECK(crashed.value().ending.kind == Ending::Kind::signal);
  CHECK(crashed.value().ending.number == SIGSEGV);
  const auto hung = assay::detail::run_program({"sleep", "1000"}, 0.05);
  CHECK(hung.value().ending.kind == Ending::Kind::timeout);
  CHECK(assay::detail::run_program({"/absent/program"}, patience).error().kind == ErrorKind::io);
  const auto flooding = assay::detail::run_program({"sh", "-c", "head -c 100000000 /dev/zero; echo end"}, patience);
  REQUIRE(flooding);
  CHECK(flooding.value().output.size() < (std::size_t{64} << 20));
  CHECK(assay::detail::last_line(flooding.value().output).ends_with("end"));
  CHECK(no_child_is_left());
}

TEST_CASE("a worker that hangs leaves when the other end of its channel is closed") {
  auto ends = assay::detail::open_channel();
  REQUIRE(ends);
  auto& [ours, theirs] = ends.value();
  const pid_t worker = ::fork();
  REQUIRE(worker >= 0);
  if (worker == 0) {
    { const assay::detail::FileDescriptor closed = std::move(ours); }
    assay::detail::leave_with_channel(theirs.number());
    for (;;) ::pause();
  }
  CHECK(runs(worker));
  { const assay::detail::FileDescriptor closed = std::move(ours); }
  int status = -1;
  REQUIRE(::waitpid(worker, &status, 0) == worker);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
