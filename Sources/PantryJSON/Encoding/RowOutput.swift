internal import FoundationEssentials

/// A document in the making: its text, and the values that are open in it.
///
/// Values are written in the order of the text. Only the innermost open value, and by closing
/// others any outer one, can be continued. Whatever else a type does with its encoder puts the
/// document in doubt: nothing of it is used.
final class RowOutput {
  private static let maximumDepth = 256

  /// An open value.
  private struct Frame {
    /// The part of the value that has been written so far.
    enum Content {
      case nothing, object, array
      /// All of it.
      case value
    }

    /// Distinguishes the values that have been at one depth.
    let serial: Int
    var content = Content.nothing
    var count = 0
    /// The number of names in ``names`` when it was opened.
    let firstName: Int
  }

  /// Whether only Foundation can encode the value.
  private(set) var isInDoubt = false
  private(set) var userInfo: [CodingUserInfoKey: Any] = [:]

  // In memory of their own, since the runtime would check each use of a property for exclusive
  // access: a fifth of the time of encoding.
  let text: UnsafeMutablePointer<TextBuffer>
  private let names: UnsafeMutablePointer<MemberNames>
  private let frames: UnsafeMutablePointer<Frame>
  private var depth = 0
  private var lastSerial = 0

  init() {
    text = .allocate(capacity: 1)
    text.initialize(to: TextBuffer())
    names = .allocate(capacity: 1)
    names.initialize(to: MemberNames())
    frames = .allocate(capacity: Self.maximumDepth)
  }

  deinit {
    text.pointee.deallocate()
    text.deallocate()
    names.pointee.deallocate()
    names.deallocate()
    frames.deallocate()
  }

  /// Encodes a document; nil if only Foundation can do that.
  func encode<Value: Encodable>(_ value: Value, userInfo: [CodingUserInfoKey: Any]) -> Data? {
    self.userInfo = userInfo
    isInDoubt = false
    defer {
      depth = 0
      text.pointee.removeAll()
      names.pointee.removeAll()
      self.userInfo = [:]
    }
    do {
      try writeValue(value)
    } catch {
      // Foundation finds the same error, with its own text.
      return nil
    }
    return isInDoubt ? nil : Data(bytes: text.pointee.base, count: text.pointee.count)
  }

  /// Leaves the document to Foundation, and returns the error to throw.
  func deferToFoundation() -> DeferredToFoundation {
    isInDoubt = true
    return DeferredToFoundation()
  }

  // MARK: Where values are

  /// An open value, as long as it is open.
  struct Place {
    /// The place of no value: whatever is written there puts the document in doubt.
    static let nowhere = Place(index: 0, serial: 0)

    fileprivate let index: Int
    fileprivate let serial: Int
  }

  /// Whether a value is still open; if not, the document is in doubt.
  @inline(__always)
  private func isOpen(_ place: Place) -> Bool {
    if !isInDoubt, place.index < depth, frames[place.index].serial == place.serial { return true }
    isInDoubt = true
    return false
  }

  /// Closes the values in the one at `place`, which has this content.
  @inline(__always)
  private func resume(_ place: Place, as content: Frame.Content) throws {
    guard isOpen(place), frames[place.index].content == content else { throw deferToFoundation() }
    if depth > place.index + 1 { close(to: place.index + 1) }
  }

  /// Opens a value at the end of the text; nowhere if the document is in doubt.
  @inline(__always)
  func open() -> Place {
    guard depth < Self.maximumDepth, !isInDoubt else {
      isInDoubt = true
      return .nowhere
    }
    lastSerial += 1
    (frames + depth).initialize(to: Frame(serial: lastSerial, firstName: names.pointee.count))
    depth += 1
    return Place(index: depth - 1, serial: lastSerial)
  }

  private func close(to newDepth: Int) {
    while depth > newDepth {
      complete(depth - 1)
      depth -= 1
    }
  }

  /// Writes the end of the innermost value.
  @inline(__always)
  private func complete(_ index: Int) {
    switch frames[index].content {
    case .nothing:
      // As Foundation does, except for the whole document: that is an error.
      text.pointee.append("{}")
      if index == 0 { isInDoubt = true }
    case .object:
      text.pointee.append(UInt8(ascii: "}"))
      if !names.pointee.end(from: frames[index].firstName) { isInDoubt = true }
    case .array: text.pointee.append(UInt8(ascii: "]"))
    case .value: break
    }
    frames[index].content = .value
  }

  // MARK: What containers and encoders call

  /// Makes an open value an object, unless it is one.
  func beginObject(_ place: Place) {
    begin(.object, place, UInt8(ascii: "{"))
  }

  /// Makes an open value an array, unless it is one.
  func beginArray(_ place: Place) {
    begin(.array, place, UInt8(ascii: "["))
  }

  @inline(__always)
  private func begin(_ content: Frame.Content, _ place: Place, _ bracket: UInt8) {
    guard isOpen(place) else { return }
    switch frames[place.index].content {
    case .nothing:
      frames[place.index].content = content
      text.pointee.append(bracket)
    case content: break
    default: isInDoubt = true
    }
  }

  /// Writes the name of the next member of an object.
  @inline(__always)
  func beginMember(_ key: some CodingKey, of place: Place) throws {
    try resume(place, as: .object)
    beginMember(key.stringValue, place.index)
  }

  private func beginMember(_ name: String, _ index: Int) {
    text.pointee.append(frames[index].count > 0 ? ",\"" : "\"")
    frames[index].count += 1
    let start = text.pointee.count
    var name = name
    name.withUTF8 { text.pointee.append(escaping: $0) }
    names.pointee.append(text.pointee, from: start)
    text.pointee.append("\":")
  }

  @inline(__always)
  func beginElement(of place: Place) throws {
    try resume(place, as: .array)
    if frames[place.index].count > 0 { text.pointee.append(UInt8(ascii: ",")) }
    frames[place.index].count += 1
  }

  @inline(__always)
  func beginSingleValue(_ place: Place) throws {
    try resume(place, as: .nothing)
    frames[place.index].content = .value
  }

  func count(of place: Place) -> Int { isOpen(place) ? frames[place.index].count : 0 }

  func openObject() -> Place {
    let place = open()
    beginObject(place)
    return place
  }

  func openArray() -> Place {
    let place = open()
    beginArray(place)
    return place
  }

  /// Opens the next value and has `value` encode itself as that.
  func encodeNext(_ value: some Encodable) throws {
    try encode(value, at: open())
    depth -= 1
  }

  /// Has `value` encode itself as the value of a single value container.
  func encodeSingle(_ value: some Encodable, at place: Place) throws {
    try resume(place, as: .nothing)
    try encode(value, at: place)
  }

  private func encode(_ value: some Encodable, at place: Place) throws {
    do {
      try value.encode(to: ValueEncoder(output: self, place: place))
    } catch {
      // A type may catch the error, but a part of the value has been written.
      isInDoubt = true
      throw error
    }
    guard isOpen(place) else { throw deferToFoundation() }
    close(to: place.index + 1)
    complete(place.index)
  }
}
