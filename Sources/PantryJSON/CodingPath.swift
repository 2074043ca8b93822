/// The path of a value in its document: its last step, and a shared list of earlier steps.
///
/// Most values decode without an error, so a path is optimized for creation, not for reading.
struct CodingPath {
  /// The path of a container.
  final class Link {
    let path: CodingPath

    init(_ path: CodingPath) { self.path = path }
  }

  private enum Step {
    case root
    case key(any CodingKey)
    case index(Int)
  }

  static var root: CodingPath { CodingPath(outer: nil, step: .root) }

  private let outer: Link?
  private let step: Step

  private init(outer: Link?, step: Step) {
    self.outer = outer
    self.step = step
  }

  /// Creates the path of a member of the object at `outer`.
  @inline(__always)
  init(_ outer: Link?, key: some CodingKey) {
    self.init(outer: outer, step: .key(key))
  }

  /// Creates the path of an element of the array at `outer`.
  @inline(__always)
  init(_ outer: Link?, index: Int) {
    self.init(outer: outer, step: .index(index))
  }

  /// This path as the prefix of others; nil for the root.
  @inline(__always)
  var link: Link? {
    if case .root = step { return nil }
    return Link(self)
  }

  /// The steps from the root on.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while true {
      switch path.step {
      case .root: break
      case .key(let key): keys.append(key)
      case .index(let index): keys.append(PathKey(index: index))
      }
      guard let outer = path.outer else { break }
      path = outer.path
    }
    keys.reverse()
    return keys
  }
}

/// A step of a path for which the decoded type has no key of its own.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// The key of ``KeyedDecodingContainerProtocol/superDecoder()``.
  static let `super` = PathKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}

extension PathKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text of Foundation's key, so that printed errors are the same.
  var description: String {
    let number = intValue.map(String.init) ?? "nil"
    return "_CodingKey(stringValue: \"\(stringValue)\", intValue: \(number))"
  }

  var debugDescription: String { description }
}
