import FoundationEssentials

/// Tries the types that Foundation's decoder treats specially, and logs the results.
struct Special: Decodable, Equatable {
  private(set) var log: [String] = []

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    attempt(Date.self) { try container.decode($0).timeIntervalSinceReferenceDate.bitPattern }
    attempt(URL.self) { try container.decode($0).absoluteString }
    attempt(Data.self) { Array(try container.decode($0)) }
    attempt(Decimal.self) { try container.decode($0).description }
  }

  private mutating func attempt<Value>(_ type: Value.Type, _ body: (Value.Type) throws -> Any) {
    do {
      log.append("\(type): \(try body(type))")
    } catch {
      log.append("\(type): \(String(reflecting: error))")
    }
  }
}
