import Foundation
import PandaTestSupport
import Pantry
import PantryTesting
import Testing

@testable import PantryPostgres

/// A server on the loopback interface that wants TLS and a password.
@Suite(
  .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"),
    "OpenSSL's program is not installed: apt-get install openssl"))
struct PostgresSecurityTests {
  private let files = TemporaryDirectory()
  private let cluster: PostgresCluster

  init() throws {
    try FileManager.default.createDirectory(at: files.url, withIntermediateDirectories: true)
    for name in ["server", "other"] {
      let made = try Subprocess.run(
        [
          "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
          "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
          "-keyout", files.path("\(name).key"), "-out", files.path("\(name).crt"),
        ], environment: ["PATH=/usr/bin:/bin"])
      guard made.status == 0 else { throw TestFailure(made.output) }
    }
    try Data(
      """
      local all all trust
      hostssl all all 127.0.0.1/32 scram-sha-256
      """.utf8
    ).write(to: files.url.appending(path: "hba"))
    // The server is nobody where root tests, and takes a key that is its own.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: files.path("server.key"))
    if geteuid() == 0 {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o711], ofItemAtPath: files.path(""))
      try FileManager.default.setAttributes(
        [.ownerAccountID: 65_534], ofItemAtPath: files.path("server.key"))
    }
    let settings = [
      "fsync=off", "ssl=on", "ssl_cert_file=\(files.path("server.crt"))",
      "ssl_key_file=\(files.path("server.key"))", "hba_file=\(files.path("hba"))",
    ]
    cluster = try Self.start(settings)
    try cluster.sql("CREATE ROLE ada LOGIN PASSWORD 'secret'")
    try cluster.sql("CREATE DATABASE notes OWNER ada")
  }

  /// Starts a server, at another port if this one was taken.
  private static func start(_ settings: [String]) throws -> PostgresCluster {
    for _ in 1...4 {
      do {
        return try PostgresCluster(settings: settings, port: try Sockets.freePort())
      } catch let failure as TestFailure where "\(failure)".contains("Address already in use") {
        continue
      }
    }
    return try PostgresCluster(settings: settings, port: try Sockets.freePort())
  }

  private func address(root: String = "server", password: String? = "secret") throws -> String {
    let passwords = files.url.appending(path: "pgpass")
    try Data((password.map { "localhost:*:*:ada:\($0)\n" } ?? "").utf8).write(to: passwords)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: passwords.path)
    return "postgresql://ada@localhost:\(cluster.port)/notes?sslmode=verify-full"
      + "&sslrootcert=\(files.path("\(root).crt"))&passfile=\(passwords.path)"
  }

  @Test func `a password file and a verified certificate are all that is needed`() async throws {
    let engine = try PostgresStorageEngine(try address(), namespace: "notes")
    let reader = try await LiveReader(engine)
    let other = try PostgresStorageEngine(
      try address() + "&application_name=other", namespace: "notes")
    // Records of TLS are longer than what libpq reads at a time.
    let items = (0..<3_000).map {
      (CacheKey(verbatim: "\($0)"), Data(repeating: UInt8($0 % 251), count: 1_000))
    }
    try await other.write(items)
    let picture = Attachment(Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) }))
    try await other.commit([.write(Data(), key: CacheKey(verbatim: "last"), attachments: [picture])]
    )
    try await eventually("all items") {
      try await reader.catchUp()
      return reader.known.count == 3_001
    }
    #expect(reader.known.prefix(3_000).map(\.data) == items.map(\.1))
    let bytes = try await engine.attachmentData(for: picture.digest)
    #expect(try await bytes == picture.data())
    let encrypted = try cluster.sql(
      "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl "
        + "AND usename = 'ada'")
    // Each has one for its rows, and one for its pictures.
    #expect(encrypted == "4")
  }

  @Test func `a certificate of another authority, and a wrong password, are refused`()
    async throws
  {
    for address in [
      try address(root: "other"), try address(password: "wrong-secret"),
    ] {
      let engine = try PostgresStorageEngine(address, namespace: "notes")
      let error = try await #require(throws: PostgresError.self) { try await engine.keyCount() }
      #expect(!"\(error)".contains("secret"))
      #expect("\(error)".contains("certificate") || "\(error)".contains("password"), "\(error)")
    }
  }
}
