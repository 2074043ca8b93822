/// The messages of a connection: commands that it sends, and notifications that it receives.
extension PostgresConnection {
  struct Command: Sendable {
    let sql: String
    let values: [PostgresValue]
    /// Whether the server keeps the statement for the next time.
    let isPrepared: Bool

    /// The place among the commands from this one on for settings of their transaction.
    ///
    /// Nil after a transaction that has failed, in which nothing else can be done.
    var placeOfSettings: Int? { sql == "ROLLBACK" ? nil : sql.hasPrefix("BEGIN") ? 1 : 0 }

    init(_ sql: String, _ values: PostgresValue...) {
      self.init(sql, values: values)
    }

    init(_ sql: String, values: [PostgresValue]) {
      self.sql = sql
      self.values = values
      isPrepared = false
    }

    init(prepared sql: String, _ values: PostgresValue...) {
      self.init(prepared: sql, values: values)
    }

    init(prepared sql: String, values: [PostgresValue]) {
      self.sql = sql
      self.values = values
      isPrepared = true
    }
  }

  /// A message that another session sent after LISTEN.
  struct Notification: Sendable {
    let channel: String
    let isOwn: Bool
  }
}
