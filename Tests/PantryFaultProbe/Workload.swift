import FoundationEssentials
import Pantry

/// The item of the probe.
struct Panda: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var caption = ""
  var picture: Attachment

  init(_ id: String, _ caption: String = "") {
    self.id = id
    self.caption = caption
    picture = Attachment(Self.bytes(id))
  }

  /// The bytes of the picture: several pages of a file, and the same for every third identifier.
  static func bytes(_ id: String) -> Data {
    Data(repeating: UInt8(id.utf8.reduce(0) { $0 + Int($1) } % 3), count: 20_000)
  }
}

/// One item of a storage, as the tests compare it.
struct Entry: Hashable, CustomStringConvertible {
  var id: String
  var caption = ""

  var description: String { id + ":" + caption }
}

/// What the probe does in its nth step, whatever the storage holds.
enum Step: Equatable {
  case add([String])
  case caption(String, String)
  case remove(String)
  /// In one commit.
  case exchange(String, for: [String])
  case removeAll
  /// In one commit.
  case replaceAll([String])
  /// Rewrites the file.
  case compact
  /// Copies the file.
  case backup

  init(_ number: Int) {
    func ids(_ number: Int, _ count: Int) -> [String] { (0..<count).map { "\(number).\($0)" } }
    self =
      switch number % 12 {
      case 0: .add(ids(number, 3))
      case 1: .add(ids(number, 1))
      case 2: .caption("\(number - 2).1", "asleep \(number)")
      case 3: .remove("\(number - 3).0")
      case 4: .exchange("\(number - 3).0", for: ids(number, 2))
      case 5: .add(ids(number, 20))
      case 6: .compact
      case 7: .caption("\(number - 2).5", "awake \(number)")
      case 8: .removeAll
      case 9: .add(ids(number - 4, 20))
      case 10: .backup
      default: .replaceAll(ids(number, 2))
      }
  }

  /// Changes what a storage holds as the step does.
  func apply(to entries: inout [Entry]) {
    switch self {
    case .add(let ids): Self.add(ids, to: &entries)
    case .caption(let id, let caption):
      Self.add([id], caption, to: &entries)
    case .remove(let id): entries.removeAll { $0.id == id }
    case .exchange(let id, let ids):
      entries.removeAll { $0.id == id }
      Self.add(ids, to: &entries)
    case .removeAll: entries = []
    case .replaceAll(let ids):
      entries = []
      Self.add(ids, to: &entries)
    case .compact, .backup: break
    }
  }

  private static func add(_ ids: [String], _ caption: String = "", to entries: inout [Entry]) {
    for id in ids {
      let entry = Entry(id: id, caption: caption)
      if let place = entries.firstIndex(where: { $0.id == id }) {
        entries[place] = entry
      } else {
        entries.append(entry)
      }
    }
  }
}
