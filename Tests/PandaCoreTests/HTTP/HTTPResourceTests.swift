import FoundationEssentials
import Glibc
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite("Many HTTP clients")
struct HTTPResourceTests {
  /// Runs in a separate process, since it counts threads and descriptors of the whole process.
  @Test("leave no threads and no descriptors behind")
  func leaveNothing() async throws {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      server.serve("/", LoopbackResponse(body: "wah"))
      let request = HTTPRequest(
        url: server.url("/"), byteLimit: 10, namedSource: server.url("/"))
      // The first one creates long-lived resources of the process, and warms up the task pool.
      _ = try await HTTPClient(userAgent: "warm", environment: [:]).get(request)
      try await eventually("the thread and its connections end") {
        entries("task", named: "panda-http") == 0 && server.counts.open == 0
      }
      try await eventually("the connections close") { server.counts.open == 0 }
      let before = sockets()

      for _ in 0..<100 {
        let client = HTTPClient(userAgent: "panda/test", environment: [:])
        for _ in 0..<3 { _ = try await client.get(request) }
      }
      let closed = HTTPClient(userAgent: "panda/test", environment: [:])
      _ = try await closed.get(request)
      await closed.close()

      try await eventually("the threads end") { entries("task", named: "panda-http") == 0 }
      try await server.wait { $0.open == 0 }
      try await eventually("the descriptors are closed") { sockets() <= before }
      server.stop()
    }
  }
}

/// Counts the open sockets and pipes: libcurl's.
///
/// Others, such as timers that Dispatch creates on first use, come and go by themselves.
private func sockets() -> Int {
  (0..<1_024).count { descriptor in
    let link = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(descriptor)")  // failing means that it is not open
    return link?.hasPrefix("socket:") == true || link?.hasPrefix("pipe:") == true
  }
}

/// Counts the entries of a folder of /proc/self; of threads only those with a name.
private func entries(_ folder: String, named name: String? = nil) -> Int {
  guard let directory = opendir("/proc/self/\(folder)") else { return -1 }
  defer { closedir(directory) }
  var count = 0
  while let entry = readdir(directory) {
    let id = withUnsafeBytes(of: entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if id.hasPrefix(".") { continue }
    guard let name else {
      count += 1
      continue
    }
    // A thread may end between the two calls: then it is rightly not counted.
    let comm = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)
    if comm?.hasPrefix(name) == true { count += 1 }
  }
  return count
}
