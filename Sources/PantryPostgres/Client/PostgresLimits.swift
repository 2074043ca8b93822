/// The limits of what is taken from a server, in bytes.
///
/// Everything in its tables may have been written by anyone with the right to, and the server may
/// be another one than it seems.
enum PostgresLimits {
  /// The largest row; a larger one is an issue.
  static let row = 16 << 20
  /// The rows that are asked for at once.
  static let rows = 24 << 20
  static let attachment = 100 << 20
  /// The part of an attachment that is asked for at once.
  static let piece = 1 << 20
  /// The bytes of an answer without an end; more than is ever requested at once.
  static let answer = 64 << 20

  /// Says that something has too many bytes.
  static func words(_ what: String, _ count: Int64, limit: Int) -> String {
    "\(what) has \((count + (1 << 20) - 1) >> 20) MB; at most \(limit >> 20) are read"
  }

  /// The data of a row, as an expression; NULL if it is too large.
  static let data = "CASE WHEN octet_length(data) <= \(row) THEN data END"
  /// The key of a row, as an expression: the beginning of one that is too large.
  static let key = "CASE WHEN octet_length(key) <= \(row) THEN key ELSE substring(key FOR 1024) END"
  static let cost = "least(octet_length(data), \(row)) + least(octet_length(key), \(row))"
}
