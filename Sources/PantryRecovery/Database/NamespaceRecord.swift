package import FoundationEssentials

/// The recorded use of a namespace: a definition with its checksum, in `namespace.record`.
package enum NamespaceRecord {
  /// The record of a definition.
  package static func text(of definition: String) -> String {
    definition + checksum(of: definition)
  }

  /// The definition in a record; nil if it is damaged.
  package static func definition(in record: Data) -> String? {
    let definition = String(String(decoding: record, as: UTF8.self).dropLast(9))
    return Array(record) == Array(text(of: definition).utf8) ? definition : nil
  }

  /// The end of a definition: a blank and 32 bits of FNV-1a, which any wrong byte changes.
  private static func checksum(of definition: String) -> String {
    let sum = definition.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(sum, radix: 16)
    return " " + String(repeating: "0", count: 8 - digits.count) + digits
  }

  package static func damage(of namespace: String) -> String {
    "the record of the type of the namespace \(namespace) is damaged"
  }
}
