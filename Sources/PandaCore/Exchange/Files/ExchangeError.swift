/// The reason why favorites were not exported, imported or backed up.
package struct ExchangeError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum EntryProblem: Equatable, Sendable {
    /// It is a symbolic link.
    case link
    /// It is a device, a pipe or the like.
    case notAFile
    /// It has more bytes than a picture may have.
    case tooLarge(limit: Int)
    /// Its bytes are not those that `favorites.ndjson` promises.
    case otherBytes
    /// It is not a picture that Panda opens, for the given reason.
    case notAPicture(String)
    /// `favorites.ndjson` names it, and it does not exist.
    case missing
  }

  package enum Kind: Equatable, Sendable {
    /// It is the name of something that an export does not write.
    case notWritten
    /// A file exists there and was not exported by Panda.
    case notOurs
    /// A directory has something in it, and is no site that Panda wrote.
    case notASite
    /// The page would have more than a browser opens at once.
    case largePage
    case exists
    case favoritesThemselves
    /// There is no `favorites.ndjson` in it.
    case noManifest
    case newer(version: Int, supported: Int)
    /// A line of `favorites.ndjson` is not a favorite.
    case line(Int, String)
    case entry(String, EntryProblem)
    case tooManyEntries(limit: Int)
    case tooManyBytes(limit: Int)
    /// An earlier export or backup may have favorites that can be read here no more.
    case mayHaveMore(than: Int)
    /// A backup does not have as many favorites as there are.
    case incompleteBackup(found: Int, expected: Int)
    /// The favorites are not in a file that could be copied.
    case nothingStored
    case onServer
    /// A library was to be copied into itself.
    case sameLibrary
  }

  /// Whether something else was to be asked for.
  package var isUsage: Bool { kind == .notASite || kind == .largePage }

  package let kind: Kind
  package let path: String

  package init(_ kind: Kind, path: String) {
    self.kind = kind
    self.path = path
  }

  /// One sentence: what failed, why, and what to do.
  package var description: String {
    let place = Self.shown(path, limit: 100)
    switch kind {
    case .notWritten:
      let other = path == "-" ? "standard output" : "\(place); \(place)/ is a directory"
      return "An export is a directory or an .html file, not \(other)."
    case .notOurs:
      return "\(place) exists and is not an export of favorites: choose another name, or "
        + "replace it with --replace."
    case .notASite:
      return "\(place) has something in it that panda export --site did not write: choose a new "
        + "directory."
    case .largePage:
      let limits = ExchangeLimits.page
      return
        "One page holds up to \(limits.pictures) favorites and \(limits.bytes / 1_000_000) MB: "
        + "panda export --site DIR writes a site for more."
    case .exists:
      return "\(place) exists already: choose another name, or replace it with --replace."
    case .favoritesThemselves: return "\(place) has the favorites themselves: choose another name."
    case .noManifest:
      return
        "\(place) has no \(Manifest.filename), so it is not an export: choose another."
    case .newer(let version, let supported):
      return "\(place) was written by a newer version of Panda (format \(version); this one knows "
        + "\(supported)): update Panda."
    case .line(let number, let problem):
      return "Line \(number) of \(Manifest.filename) in \(place) is not a favorite: "
        + "\(Self.shown(problem, limit: 60))."
    case .entry(let name, let problem):
      return
        "\(Self.shown(name, limit: 60)) in \(place) \(Self.words(problem))."
    case .tooManyEntries(let limit):
      return "\(place) has more than \(limit) entries: split it."
    case .tooManyBytes(let limit):
      return "\(place) has more than \(limit / 1_000_000) MB: split it."
    case .mayHaveMore(let count):
      return "\(place) may have more than the \(count) favorites that can be read here: choose "
        + "another name, or remove it."
    case .incompleteBackup(let found, let expected):
      return "The backup had \(found) of \(expected) favorites and was discarded: try again."
    case .onServer:
      return "The favorites are on a server: back it up with pg_dump, or use panda copy --to "
        + "DIRECTORY."
    case .sameLibrary: return "Both are the same library: choose another with --from or --to."
    case .nothingStored: return "The favorites are not in a file, so there is nothing to copy."
    }
  }

  private static func words(_ problem: EntryProblem) -> String {
    switch problem {
    case .link: "is a link, not a file"
    case .notAFile: "is a device, a pipe or a socket, not a file"
    case .tooLarge(let limit): "has more than \(limit / 1_000_000) MB"
    case .otherBytes: "was changed or damaged after the export"
    case .notAPicture(let reason): "cannot be shown (\(shown(reason, limit: 80)))"
    case .missing: "is missing"
    }
  }

  /// Returns untrusted text without control and invisible characters, and not too long.
  private static func shown(_ text: String, limit: Int) -> String {
    let clean = String(String.UnicodeScalarView(text.unicodeScalars.map(shown)))
    return clean.count > limit ? clean.prefix(limit / 2) + "…" + clean.suffix(limit / 2) : clean
  }

  private static func shown(_ scalar: UnicodeScalar) -> UnicodeScalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned, .nonspacingMark, .enclosingMark:
      "\u{FFFD}"
    default: scalar
    }
  }
}
