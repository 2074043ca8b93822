import Pantry

/// What a library stores that does not say where.
public struct Thing: Codable, Equatable, Identifiable, Sendable {
  public var id: String
  public var count: Int
}

/// The setting of that library.
@MainActor enum Level {
  @StoredValue(key: "level") static var value = 1
}

/// Stores three things and a value in the default places of this module.
@MainActor public func record() async throws {
  let things = try await Store<Thing>()
  try await things.add((1...3).map { Thing(id: "library \($0)", count: $0) })
  Level.$value.set(7)
  try await Level.$value.flush()
}
