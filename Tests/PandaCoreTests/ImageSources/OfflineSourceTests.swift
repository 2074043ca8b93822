import CTestResolver
import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaCore

/// What a missing network costs: nothing of what services allow.
@MainActor
@Suite(.serialized) struct OfflineSourceTests {
  /// A service whose name can be looked up only after a number of failures.
  private func description(_ server: ServiceServer, listsPerHour: Int) throws -> SourceDescription {
    server.server.serve("/list") { request in
      server.response(ServiceAnswers.openverse(["a", "b"]).replacing("BASE", with: ""))
    }
    var description = try server.description("openverse").at([
      URL(string: "http://api.failing.test:\(server.server.port)/list")!
    ])
    description.allowsRelativeAddresses = true
    description.limits.listsPerHour = listsPerHour
    return description
  }

  @Test func `fault 101: failed lookups use up no budget, and the next fetch works`() async throws {
    try await withServer { server in
      let description = try description(server, listsPerHour: 3)
      let bench = SourceBench()
      let source = bench.source(description, server)
      // More than are needed: a source that waits on a busy machine may look a name up again.
      panda_test_fail_lookups(1_000)
      for _ in 0..<14 {
        let error = await #expect(throws: HTTPError.self) { try await source.fetchImage { _ in } }
        #expect(error?.isOffline == true)
      }
      panda_test_fail_lookups(0)
      // Nor after a relaunch.
      for source in [source, bench.source(description, server)] {
        #expect(try await source.fetchImage { _ in }.credit == "Grace")
      }
      #expect(server.paths.count { $0 == "/list" } == 1)
    }
  }

  @Test func `fault 101: without a network each of several sources is offline`() async throws {
    try await withServer { server in
      let names = ["one", "two", "three"]
      let services = try names.map { name in
        var description = try description(server, listsPerHour: 2)
        description.name = name
        return description
      }
      let ring = SourceRing(
        services: services, library: SourceBench().library, client: server.client)
      panda_test_fail_lookups(1_000)
      for _ in 0..<14 {
        let error = await #expect(throws: ImageSourceError.self) {
          try await ring.fetchImage { _ in }
        }
        #expect(error?.kind == .unreachable && error?.detail.contains("failing.test") == true)
      }
      panda_test_fail_lookups(0)
      #expect(try await ring.fetchImage { _ in }.credit == "Grace")
      #expect(ring.statuses.allSatisfy { $0.rest == nil })
    }
  }

  @Test func `a refused connection is not counted, but backs off`() async throws {
    try await withServer { server in
      let closed = try LoopbackServer()
      let port = closed.port
      closed.stop()
      var description = try description(server, listsPerHour: 2)
      description.addresses = [URL(string: "http://127.0.0.1:\(port)/list")!]
      let library = SourceBench().library
      let ring = SourceRing(services: [description], library: library, client: server.client)
      for _ in 0..<3 {
        let error = await #expect(throws: HTTPError.self) { try await ring.fetchImage { _ in } }
        #expect(error?.kind == .connectionRefused)
      }
      let rest = try #require(ring.statuses[0].rest)
      #expect(rest.reason == .failures && rest.wait > .zero && rest.wait <= .seconds(30))
      // Nothing is left behind of a first request that came to nothing.
      try await library.sources.listings.itemsHaveLoaded()
      #expect(library.sources.listings.items.isEmpty)
    }
  }
}
