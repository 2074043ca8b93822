import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PantryPostgres

/// Addresses, and how a connection to them is protected.
@Suite(.enabled(if: (try? PostgresLibrary.shared()) != nil, "libpq is not installed"))
struct PostgresAddressTests {
  private static let none = "passfile=/nonexistent"

  private func address(_ text: String) throws -> PostgresAddress {
    try PostgresAddress(text, library: PostgresLibrary.shared())
  }

  @Test(arguments: [
    ("host=db.example password=p", "require"),
    ("postgresql://ada:p@db.example/pandas", "require"),
    ("host=db.example,localhost password=p", "require"),
    // The address says it.
    ("host=db.example password=p sslmode=disable", nil),
    ("host=db.example password=p sslmode=verify-full", nil),
    // On this machine, nobody is on the way.
    ("host=localhost password=p", nil), ("host=127.0.0.1 password=p", nil),
    ("host=/run/postgresql password=p", nil),
    // There is no password that could be sent.
    ("host=db.example \(none)", nil),
  ])
  func
    `fault 96: a password is not sent unencrypted to another machine, unless the address says so`(
      _ text: String, _ mode: String?
    ) throws
  {
    let address = try address(text)
    let parameters = address.parameters(for: address.attempts[0])
    // What the address says comes later, and counts.
    let place = parameters.firstIndex { $0.name == "sslmode" }
    #expect(place.map { parameters[$0].value } == mode)
    if let place { #expect(place < parameters.firstIndex { $0.name == "dbname" } ?? 0) }
  }

  @Test(arguments: [
    ("host=db.example", true), ("host=db.example sslmode=require", true),
    ("host=db.example sslmode=verify-ca", true), ("host=db.example sslmode=verify-full", false),
    ("host=localhost", false), ("host=/run/postgresql", false),
    ("host=localhost,db.example", true), ("hostaddr=192.0.2.1 host=localhost", true),
  ])
  func `a server on another machine is verified with verify-full alone`(
    _ text: String, _ isUnverified: Bool
  ) throws {
    let engine = try PostgresStorageEngine(text, namespace: "notes")
    #expect(engine.isUnverified == isUnverified)
  }
}
