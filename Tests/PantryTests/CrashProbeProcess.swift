import CDescriptors
import Foundation
import Glibc
import PandaTestSupport

/// A run of a probe that is killed.
final class CrashProbeProcess {
  private let identifier: pid_t
  private let output: Int32
  private var text = Data()
  private let home = TemporaryDirectory()

  /// Why the probe could not be started.
  struct CannotStart: Error {
    let path: String
    let code: Int32
  }

  /// Starts `PantryCrashProbe`.
  convenience init(directory: String, generation: Int, prefix: String = "") throws {
    try self.init("PantryCrashProbe", [directory, "\(generation)", prefix])
  }

  /// Starts a program that the build puts beside the tests.
  init(_ program: String, _ list: [String]) throws {
    let probe = try BuildProducts.path(of: program)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannotStart(path: probe, code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    panda_close_rest(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([probe] + list).map { strdup($0) } + [nil]
    var environment = ProgramEnvironment.inherited(home: home).map {
      strdup("\($0.key)=\($0.value)")
    }
    environment.append(nil)
    defer { for pointer in arguments + environment { free(pointer) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, probe, &actions, nil, &arguments, &environment)
    close(ends[1])
    output = ends[0]
    identifier = child
    guard code == 0 else { throw CannotStart(path: probe, code: code) }
  }

  deinit { close(output) }

  /// The complete lines that the probe has written so far.
  var lines: [String] {
    String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// Reads until the probe has written `count` lines; false if it ended before.
  func read(lines count: Int) -> Bool {
    while lines.count < count {
      guard readOnce() else { return false }
    }
    return true
  }

  /// Kills the probe and reads its output.
  func kill() {
    _ = Glibc.kill(identifier, SIGKILL)
    wait()
    // Not to the end: another child that was just being started may hold the pipe open.
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    while readOnce() {}
  }

  /// Returns when the probe has ended.
  func wait() {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) == -1 && errno == EINTR {}
  }

  private func readOnce() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(output, &buffer, buffer.count)
    guard count > 0 else { return count == -1 && errno == EINTR }
    text.append(contentsOf: buffer[..<count])
    return true
  }
}
