internal import CPantryPostgreSQL
internal import FoundationEssentials
internal import Glibc
internal import Pantry

/// The address of a library: a connection string or URI that libpq understands.
///
/// Not printable: it may hold a password.
struct PostgresAddress: Hashable, Sendable {
  /// One attempt to connect: the host and port to use in place of those in the address.
  struct Attempt: Hashable, Sendable {
    /// libpq's parameters, by their names.
    let parameters: [String: String]
    /// The host, port and database, for messages.
    let place: String
  }

  private let text: String
  /// The values in the address, and those that libpq takes for others.
  private let given: [String: String]
  private let defaults: [String: String]
  /// The servers in their order; each is tried by itself, with a time limit of its own.
  let attempts: [Attempt]

  /// Parses an address.
  ///
  /// - Throws: ``PostgresError`` without any part of the text, which may be a password.
  init(_ text: String, library: PostgresLibrary) throws(PostgresError) {
    self.text = text
    let pq = library.functions
    guard let given = Self.values(pq.conninfoParse(text, nil), pq) else {
      throw PostgresError(.badAddress, "it cannot be read")
    }
    attempts = Self.attempts(given)
    self.given = given
    // Those of the environment, and of the service file that it names.
    defaults = Self.values(pq.conndefaults(), pq) ?? [:]
    for attempt in attempts {
      // An "@", ":" or "/" in a password that is not percent-encoded: a part of it looks like a
      // host, or like the database.
      let names = [attempt.parameters["host"], given["dbname"]]
      guard names.allSatisfy({ $0?.contains("@") != true }),
        attempt.parameters["port"].map({ Int($0) != nil }) ?? true
      else {
        throw PostgresError(
          .badAddress,
          "the host, the port or the database is malformed. A password in it needs percent-encoding"
        )
      }
    }
  }

  private static func attempts(_ given: [String: String]) -> [Attempt] {
    func list(_ name: String) -> [String] {
      (given[name] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    return (0..<max(hosts.count, addresses.count)).map { index in
      var parameters: [String: String] = [:]
      if given["host"] != nil, hosts.indices.contains(index) { parameters["host"] = hosts[index] }
      if given["hostaddr"] != nil, addresses.indices.contains(index) {
        parameters["hostaddr"] = addresses[index]
      }
      // One port stands for all hosts.
      let port = ports.count > 1 ? (ports.indices.contains(index) ? ports[index] : "") : ports[0]
      if !port.isEmpty { parameters["port"] = port }
      let host = parameters["host"] ?? parameters["hostaddr"] ?? "local"
      let database = given["dbname"].map { "/" + $0 } ?? ""
      return Attempt(
        parameters: parameters, place: host + (port.isEmpty ? "" : ":\(port)") + database)
    }
  }

  /// The values of libpq's options, which are freed.
  private static func values(
    _ options: UnsafeMutablePointer<pantry_pq_option>?, _ pq: pantry_pq
  ) -> [String: String]? {
    guard let options else { return nil }
    defer { pq.conninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.value {
        values[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return values
  }

  /// Whether all hosts of a connection are this machine.
  private static func isLocal(_ values: [String: String]) -> Bool {
    func list(_ name: String) -> [Substring] {
      (values[name] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    }
    // An address counts, whatever the name says.
    let addresses = list("hostaddr")
    return list("host").enumerated().allSatisfy { index, name in
      let address = addresses.indices.contains(index) ? addresses[index] : ""
      let host = address.isEmpty ? name : address
      return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
        || host.hasPrefix("127.") || host == "::1"
    } && addresses.allSatisfy { $0.isEmpty || $0.hasPrefix("127.") || $0 == "::1" }
  }

  /// Whether somebody on the way could read what is sent, or be the server: another machine, whose
  /// certificate nobody checks.
  ///
  /// A service file is not looked into.
  func isUnverified(_ attempt: Attempt) -> Bool {
    guard given["service"] == nil else { return false }
    let values = defaults.merging(given) { $1 }
    let isSystem = values["sslrootcert"] == "system" && given["sslmode"] == nil
    return !Self.isLocal(defaults.merging(attempt.parameters) { $1 })
      && values["sslmode"] != "verify-full" && !isSystem
  }

  /// Whether a connection, which has been begun, must be encrypted: a password may go to another
  /// machine, and neither the address nor the environment says how.
  ///
  /// libpq would send it in any case.
  func requiresEncryption(_ connection: OpaquePointer, _ pq: pantry_pq) -> Bool {
    requiresEncryption(Self.values(pq.conninfo(connection), pq) ?? [:])
  }

  /// - Parameter values: what libpq connects with, the service file and the environment included.
  func requiresEncryption(_ values: [String: String]) -> Bool {
    // libpq's own is "prefer".
    guard given["sslmode"] == nil, values["sslmode"] == "prefer", !Self.isLocal(values) else {
      return false
    }
    if values["password"]?.isEmpty == false { return true }
    let home = BaseDirectories().home.path(percentEncoded: false)
    let file = values["passfile"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.pgpass"
    return access(file, R_OK) == 0
  }

  /// The parameters of an attempt in libpq's order: defaults, the address, what the attempt sets.
  func parameters(for attempt: Attempt) -> [(name: String, value: String)] {
    [
      ("fallback_application_name", "pantry"),
      // A machine that is gone without a word is noticed within about 15 seconds.
      ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "15000"),
      ("dbname", text),
    ] + attempt.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      + [("client_encoding", "UTF8")]
  }
}
