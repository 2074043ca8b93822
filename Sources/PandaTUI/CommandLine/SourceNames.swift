internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import TerminalKit

extension SourceChoice {
  /// Reads what stands for sources without being an address: their names, or a directory.
  ///
  /// Names are checked later, when those of the configuration file are known too.
  ///
  /// - Returns: nil for anything else.
  static func local(_ argument: String) -> SourceChoice? {
    if ["/", "./", "../", "~/"].contains(where: argument.hasPrefix)
      || [".", "..", "~"].contains(argument)
    {
      return argument.utf8.count < PATH_MAX && !argument.utf8.contains(0) ? .folder(argument) : nil
    }
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " })
    }
    guard names.count <= 32, names.allSatisfy(isName) else { return nil }
    var unique: [String] = []
    for name in names where !unique.contains(name) { unique.append(name) }
    return unique == [SourceRing.groveName] ? .grove : .services(unique)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 40 && !text.hasPrefix("-") && !text.hasPrefix(".")
      && text.utf8.allSatisfy {
        (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2e || $0 == 0x2d
      }
  }

  /// The names of the sources that Panda brings along.
  ///
  /// Written here because every launch needs them, and few need the descriptions.
  static let names = [
    "commons", "inaturalist", "openverse", "redpanda.club", "some-random-api", "animality",
    "tinyfox", "grove",
  ]

  /// What `--source` takes, for the message about anything else.
  static let accepted = "names such as commons,inaturalist, an http or https address or a directory"

  /// The choice with names looked up; one that is no name may be a directory.
  ///
  /// - Parameters:
  ///   - own: the person's own sources.
  ///   - option: what names them, for the error.
  func resolved(
    own: [SourceDescription], of option: String = "--source"
  ) throws(UsageError) -> SourceChoice {
    guard case .services(let names) = self else { return self }
    let known = Self.services(own: own).map(\.name) + [SourceRing.groveName]
    guard let unknown = names.first(where: { !known.contains($0) }) else { return self }
    if names.count == 1, Self.isDirectory(unknown) { return .folder(unknown) }
    let suggestion = Spelling.nearest(to: unknown, among: known).map { "; did you mean \($0)?" }
    throw UsageError(
      problem: "\(unknown) of \(option) is neither a source nor a directory"
        + (suggestion ?? "; there are \(known.joined(separator: ", "))"))
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The services that there are: the person's own first, then the built-in ones.
  ///
  /// One of the person's with the name of a built-in one takes its place.
  static func services(own: [SourceDescription]) -> [SourceDescription] {
    let names = Set(own.map(\.name))
    return own + SourceDescription.builtIn.filter { !names.contains($0.name) }
  }
}
