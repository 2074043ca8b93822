internal import PandaCore
internal import TerminalKit

/// A request of a command on the command line to the favorites.
enum LibraryRequest: Hashable, Sendable {
  case fetch(FetchRequest)
  /// Addresses, files and directories, as typed.
  case add([String])
  case list(ListRequest)
  /// A favorite or a picture in the trash, by its ID.
  case show(String, asBytes: Bool)
  case card(id: String, to: String, replaces: Bool)
  /// An empty text removes the caption.
  case caption(PictureSelection, String)
  /// Words to add, and words after a minus to take away.
  case tag(PictureSelection, String)
  case open(id: String)
  case remove(PictureSelection)
  /// Nothing selected means the picture that was removed last.
  case restore(PictureSelection)
  case purge(PictureSelection, isConfirmed: Bool)
  case undo(Int)
  case redo(Int)
  case today(TodayRequest)
  /// An empty filter matches all.
  case export(to: ExportTarget, filter: String, replaces: Bool, withoutMetadata: Bool)
  case importing(from: String)
  case backup(to: String, replaces: Bool)
  /// Nil means the library in use; at most one is nil.
  case copy(from: CopyEndpoint?, to: CopyEndpoint?)
  case stats
  case collections(CollectionsRequest)
  case watch

  enum UseOfFavorites {
    case none, reading, changing
  }

  var useOfFavorites: UseOfFavorites {
    switch self {
    case .fetch(let request): request.keeps ? .changing : .none
    case .collections(let request): request == .list ? .reading : .changing
    case .add, .caption, .tag, .remove, .restore, .purge, .undo, .redo, .importing: .changing
    case .list, .show, .card, .open, .today, .export, .backup, .stats, .watch: .reading
    // It looks at both libraries itself.
    case .copy: .none
    }
  }
}

struct FetchRequest: Hashable, Sendable {
  var count = 1
  /// The file or directory to save to; `-` is standard output.
  var output: String?
  var keeps = false
  var shows = false
}

struct ListRequest: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case line, json, id, path
  }

  /// The order: that of the rows, one of the screen's, or none.
  enum Order: String, CaseIterable, Sendable {
    case added, newest, oldest, source, caption, size, random
  }

  var filter = ""
  var form = Form.line
  var order = Order.added
  var limit = Int.max
  var ofTrash = false
  var isNullTerminated = false
}

enum PictureSelection: Hashable, Sendable {
  case ids([String])
  /// All that match; an empty filter matches all.
  case all(filter: String)
}

enum CollectionsRequest: Hashable, Sendable {
  case list
  case keep(name: String, filter: String)
  case delete(name: String)
}

enum TodayRequest: Hashable, Sendable {
  case picture, greeting, path, json
}

enum ConfigRequest: String, CaseIterable, Sendable {
  case print, path
}
