internal import CPantryPostgreSQL

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
