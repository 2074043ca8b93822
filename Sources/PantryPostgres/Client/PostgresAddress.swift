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
  /// The way of encrypting that the address, or the environment, asks for; nil if neither does.
  private let encryption: String?
  /// The host, if the address has none.
  private let defaultHost: String
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
    guard let given = Self.values(pq.conninfoParse(text, nil), pq) else {
      throw PostgresError(.badAddress, "it cannot be read")
    }
    attempts = Self.attempts(given)
    // Those of the environment, and of the service file that it names.
    let defaults = Self.values(pq.conndefaults(), pq) ?? [:]
    // "prefer" is libpq's own; what a service file says is known only when it connects.
    let isGiven = given["service"] != nil || defaults["sslmode"] != "prefer"
    encryption = given["sslmode"] ?? (isGiven ? defaults["sslmode"] : nil)
    defaultHost = defaults["hostaddr"] ?? defaults["host"] ?? ""
    mayHavePassword = Self.mayHavePassword(defaults.merging(given) { $1 })
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
    _ options: UnsafeMutablePointer<PQconninfoOption>?, _ pq: pantry_pq
  ) -> [String: String]? {
    guard let options else { return nil }
    defer { pq.conninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        values[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return values
  }

  private static func mayHavePassword(_ values: [String: String]) -> Bool {
    if values["password"] != nil { return true }
    let home = BaseDirectories().home.path(percentEncoded: false)
    return access(values["passfile"] ?? home + "/.pgpass", R_OK) == 0
  }

  /// Whether an attempt is to this machine.
  private func isLocal(_ attempt: Attempt) -> Bool {
    let host = attempt.parameters["hostaddr"] ?? attempt.parameters["host"] ?? defaultHost
    return host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost"
      || host.hasPrefix("127.") || host == "::1"
  }

  /// Whether somebody on the way could read what is sent, or be the server: another machine, whose
  /// certificate nobody checks.
  func isUnverified(_ attempt: Attempt) -> Bool {
    !isLocal(attempt) && encryption != "verify-full"
  }

  /// Whether it must be encrypted: a password goes to another machine, and the address does not say
  /// how. libpq would send it in any case.
  private func requiresEncryption(_ attempt: Attempt) -> Bool {
    encryption == nil && mayHavePassword && !isLocal(attempt)
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
