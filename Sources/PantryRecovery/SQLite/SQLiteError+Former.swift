internal import CPantrySQLite

/// The codes by which programs asked what to do; the error itself answers it now.
extension SQLiteError {
  /// A primary result code.
  @available(
    *, deprecated, message: "Ask the error itself: isRetryable, isFull; extendedCode is the number."
  )
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// SQLite's number of the code.
    public let rawValue: Int32
    /// Creates a code from SQLite's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Another connection kept the database locked for longer than the busy timeout.
    public static let busy = Code(rawValue: pantry_sqlite3_busy)
    /// The disk or the quota is full.
    public static let full = Code(rawValue: pantry_sqlite3_full)
    /// The file cannot be opened.
    public static let cannotOpen = Code(rawValue: pantry_sqlite3_cannot_open)
    /// The file is damaged.
    public static let corrupt = Code(rawValue: pantry_sqlite3_corrupt)
    /// The file is not a database.
    public static let notADatabase = Code(rawValue: pantry_sqlite3_not_a_database)
    /// The file or its directory cannot be written.
    public static let readOnly = Code(rawValue: pantry_sqlite3_read_only)
    /// The operating system reported an error on the file.
    public static let inputOutput = Code(rawValue: pantry_sqlite3_input_output)
  }

  /// The primary result code.
  @available(
    *, deprecated, message: "Ask the error itself: isRetryable, isFull; extendedCode is the number."
  )
  public var code: Code { Code(rawValue: extendedCode & 0xFF) }
}
