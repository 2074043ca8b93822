import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PantryPostgres

/// Addresses, and how a connection to them is protected.
@Suite(.enabled(if: (try? PostgresLibrary.shared()) != nil, "libpq is not installed"))
struct PostgresAddressTests {
  private func address(_ text: String) throws -> PostgresAddress {
    try PostgresAddress(text, library: PostgresLibrary.shared())
  }

  /// What libpq connects with, but for the address.
  private static let values = ["sslmode": "prefer", "passfile": "/nonexistent"]

  @Test(arguments: [
    ("host=h", ["host": "db.example", "password": "p"], true),
    ("host=h", ["host": "localhost,db.example", "password": "p"], true),
    ("host=h", ["host": "localhost", "hostaddr": "192.0.2.1", "password": "p"], true),
    ("service=s", ["host": "db.example", "passfile": "/dev/null"], true),
    // The address says how.
    ("host=h sslmode=prefer", ["host": "db.example", "password": "p"], false),
    ("service=s", ["host": "db.example", "sslmode": "disable", "password": "p"], false),
    ("host=h", ["host": "db.example", "sslmode": "verify-full", "password": "p"], false),
    // Nothing leaves this machine.
    ("host=h", ["host": "localhost", "password": "p"], false),
    ("host=h", ["host": "127.0.0.1", "password": "p"], false),
    ("host=h", ["host": "/run/postgresql", "password": "p"], false),
    ("host=h", ["password": "p"], false),
    // There is no password that could be sent.
    ("host=h", ["host": "db.example"], false),
  ])
  func `fault 96: no password is sent unencrypted to another machine unasked`(
    _ text: String, _ values: [String: String], _ isRequired: Bool
  ) throws {
    let all = Self.values.merging(values) { $1 }
    #expect(try address(text).requiresEncryption(all) == isRequired)
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
