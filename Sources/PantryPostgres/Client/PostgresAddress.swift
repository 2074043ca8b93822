internal import CPantryPostgreSQL
internal import Glibc

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
  /// The way of encrypting that the address, or the environment, asks for; nil if neither does.
  private let encryption: String?
  /// Whether a password may be sent: one is given, or there is a file of them.
  private let mayHavePassword: Bool
  /// The servers in their order; each is tried by itself, with a time limit of its own.
  let attempts: [Attempt]

  /// Parses an address.
  ///
  /// - Throws: ``PostgresError`` without any part of the text, which may be a password.
  init(_ text: String, library: PostgresLibrary) throws(PostgresError) {
    self.text = text
    let pq = library.functions
    guard let options = pq.conninfoParse(text, nil) else {
      throw PostgresError(.badAddress, "it cannot be read")
    }
    defer { pq.conninfoFree(options) }
    var given: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        given[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    attempts = Self.attempts(given)
    // A service file may say so, too; libpq reads it only when it connects.
    let isService = given["service"] != nil || Self.environment("PGSERVICE") != nil
    encryption = given["sslmode"] ?? Self.environment("PGSSLMODE") ?? (isService ? "" : nil)
    mayHavePassword = Self.mayHavePassword(given)
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

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func mayHavePassword(_ given: [String: String]) -> Bool {
    if given["password"] != nil || environment("PGPASSWORD") != nil { return true }
    let file =
      given["passfile"] ?? environment("PGPASSFILE") ?? environment("HOME").map { $0 + "/.pgpass" }
    return file.map { access($0, R_OK) == 0 } ?? false
  }

  /// Whether an attempt is to this machine.
  private static func isLocal(_ attempt: Attempt) -> Bool {
    let host =
      attempt.parameters["hostaddr"] ?? attempt.parameters["host"] ?? environment("PGHOST") ?? ""
    return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
      || host.hasPrefix("127.") || host == "::1"
  }

  /// Whether somebody on the way could read what is sent, or be the server: another machine, whose
  /// certificate nobody checks.
  func isUnverified(_ attempt: Attempt) -> Bool {
    !Self.isLocal(attempt) && encryption != "verify-full"
  }

  /// Whether it must be encrypted: a password goes to another machine, and the address does not say
  /// how. libpq would send it in any case.
  private func requiresEncryption(_ attempt: Attempt) -> Bool {
    encryption == nil && mayHavePassword && !Self.isLocal(attempt)
  }

  /// The parameters of an attempt in libpq's order: defaults, the address, what the attempt sets.
  func parameters(for attempt: Attempt) -> [(name: String, value: String)] {
    [
      ("fallback_application_name", "pantry"),
      // A machine that is gone without a word is noticed within about 15 seconds.
      ("keepalives_idle", "5"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "15000"),
    ] + (requiresEncryption(attempt) ? [("sslmode", "require")] : []) + [
      ("dbname", text)
    ] + attempt.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      + [("client_encoding", "UTF8")]
  }
}
