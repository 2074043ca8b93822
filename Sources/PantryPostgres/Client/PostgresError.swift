public import Pantry

/// An error of PostgreSQL, or of the connection to it.
///
/// It never holds a password, an address as it was given, or a bound value, so it can be shown and
/// logged.
public struct PostgresError: PantryError, RemediableError, Equatable, Sendable {
  /// The kind of an error.
  public enum Kind: Hashable, Sendable {
    /// libpq is not installed, or is older than version 14.
    case missingLibrary
    /// The address is not one that libpq understands.
    case badAddress
    /// The server cannot be reached, or the connection was lost.
    case cutOff
    /// The server is older than version 13.
    case oldServer
    /// The library can be read, and nothing can be written: the server is a standby, or the role
    /// or its sessions may only read.
    case readOnly
    /// Something in the library is larger than what is read.
    case tooLarge
    /// The server refused a statement, with this code
    /// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    case refused(sqlState: String)
  }

  /// The kind.
  public let kind: Kind
  /// libpq's or the server's message, in one line.
  public let message: String
  /// The host, port and database, such as `db.example:5432/pandas`; empty if there was none yet.
  public let place: String

  init(_ kind: Kind, _ message: String, place: String = "") {
    self.kind = kind
    self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.place = place
  }

  /// A message with what failed, why, and what to do.
  public var description: String {
    let server = place.isEmpty ? "The PostgreSQL server" : "The PostgreSQL server \(place)"
    return switch kind {
    case .missingLibrary:
      "libpq, PostgreSQL's client library, cannot be loaded: \(message). Install it: "
        + "apt-get install libpq5"
    case .badAddress:
      "This is not the address of a PostgreSQL library: \(message). "
        + "It should look like postgresql://user@host/database"
    case .cutOff: "\(server) cannot be reached: \(message)"
    case .oldServer: "\(server) is too old: \(message). Pantry needs PostgreSQL 13 or newer."
    case .readOnly:
      "The library on \(server.prefix(1).lowercased() + server.dropFirst()) cannot be changed here: \(message)."
    case .tooLarge:
      "Something on \(server.prefix(1).lowercased() + server.dropFirst()) is too large: \(message)"
    case .refused where isForbidden:
      "\(server) refused: this role does not have the right to do that"
    case .refused where isLocked:
      "\(server) refused: another session has locked these rows"
    case .refused where isConflict:
      "\(server) refused: others keep changing the same rows. Try again"
    case .refused(let sqlState) where sqlState.hasPrefix("23") || sqlState.hasPrefix("42"):
      "\(server) refused: the tables of the library are not as expected"
    case .refused: "\(server) refused: \(message)"
    }
  }

  /// The message of an unanswered attempt to connect, or probe.
  static let unanswered = "it did not answer in time"
  /// The message of a session in which the server falls silent.
  static let silent = "it does not answer"

  /// Whether nothing was heard, so that nothing but time ended the attempt.
  var isSilence: Bool { kind == .cutOff && [Self.unanswered, Self.silent].contains(message) }

  /// Whether another session kept what was to be changed locked for 15 seconds.
  public var isLocked: Bool {
    // lock_not_available.
    kind == .refused(sqlState: "55P03")
  }

  /// Whether the role lacks a right.
  var isForbidden: Bool {
    // insufficient_privilege.
    kind == .refused(sqlState: "42501")
  }

  var isReadOnlySession: Bool {
    // read_only_sql_transaction.
    kind == .refused(sqlState: "25006")
  }

  /// The state with which a commit refuses to overwrite a row of a newer program.
  static let newerRow = "PNNEW"

  var isOfNewerRow: Bool { kind == .refused(sqlState: Self.newerRow) }

  /// Whether another attempt may succeed: the transaction conflicted and was rolled back.
  var isConflict: Bool {
    // serialization_failure and deadlock_detected.
    kind == .refused(sqlState: "40001") || kind == .refused(sqlState: "40P01")
  }

  /// The state in which the server refuses a transaction of a client that it does not know as open,
  /// one of those that are free for any use.
  static let closedClient = "PA001"

  package var remedy: Remedy? {
    switch kind {
    case .cutOff: .retry
    // disk_full.
    case .refused(sqlState: "53100"): .freeSpace
    // Other lacks, such as too_many_connections.
    case .refused(let state) where state.hasPrefix("53") || isLocked || isConflict: .retry
    default: nil
    }
  }

  /// Whether the client of a transaction has been closed, or deleted after a long time.
  var isClosedClient: Bool { kind == .refused(sqlState: Self.closedClient) }

  /// Whether a row was to refer to bytes that the server does not have.
  var lacksAttachment: Bool {
    // foreign_key_violation: only `reference` has such a key.
    kind == .refused(sqlState: "23503")
  }
}
