package import FoundationEssentials
internal import Glibc
package import PandaCore
internal import TerminalKit

package enum SourceChoice: Hashable, Sendable {
  /// The public sources in order, with the Bamboo Grove as the fallback.
  case automatic
  /// The built-in Bamboo Grove alone.
  case grove
  /// One endpoint: `http` or `https`, with a host and without a user name.
  case endpoint(URL)
  /// Services by name, which take turns.
  case services([String])
  /// The pictures in a directory, or one file, as typed.
  case folder(String)
  /// Files, as typed.
  case files([String])
}

extension SourceChoice {
  /// The greatest length of an endpoint's address, in bytes.
  static let addressLimit = 4096

  /// Parses the value of `--source`, or of the corresponding setting.
  ///
  /// - Parameters:
  ///   - option: the option or setting with the value, for the error.
  package init(argument: String, of option: String = "--source") throws(UsageError) {
    if let local = Self.local(argument) {
      self = local
      return
    }
    guard argument.utf8.count <= Self.addressLimit else {
      throw UsageError(
        problem: "the address of \(option) is longer than \(Self.addressLimit) bytes")
    }
    guard let url = URL(typed: argument),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty
    else {
      throw UsageError(
        problem: "\(option) takes \(Self.accepted), not \(argument.forMessage)")
    }
    guard url.user == nil && url.password == nil else {
      // The address is not quoted: it may contain a password.
      throw UsageError(problem: "the address of \(option) must not hold a user name or a password")
    }
    self = .endpoint(url)
  }
}

extension SourceChoice {
  /// Parses a source that is not an address: names of services, or a directory.
  ///
  /// Names are checked later, when those in the configuration file are known too.
  ///
  /// - Returns: nil for anything else.
  static func local(_ argument: String) -> SourceChoice? {
    if argument.contains("/") && !argument.contains(":/") || [".", "..", "~"].contains(argument)
      || argument.hasPrefix("/")
    {
      return argument.utf8.count < PATH_MAX && !argument.utf8.contains(0) ? .folder(argument) : nil
    }
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " })
    }
    guard names.count <= 32, names.allSatisfy(isName) else {
      return isDirectory(argument) ? .folder(argument) : nil
    }
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

  /// The names of the built-in sources.
  ///
  /// Listed here because every launch needs the names, and few need the descriptions.
  package static let names = [
    "commons", "inaturalist", "openverse", "redpanda.club", "some-random-api", "animality",
    "tinyfox", "grove",
  ]

  /// The values that `--source` accepts, for the error message.
  static let accepted = "names such as commons,inaturalist, an http or https address or a directory"

  /// Returns the choice with checked names; an unknown name may be a directory.
  ///
  /// - Parameters:
  ///   - own: the user's own sources.
  ///   - option: the option or setting with the names, for the error.
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

  package static func isDirectory(_ path: String) -> Bool { kind(of: path) == S_IFDIR }
  package static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns the available services: the user's own first, then the built-in ones.
  ///
  /// A user's service replaces a built-in one with the same name.
  package static func services(own: [SourceDescription]) -> [SourceDescription] {
    let names = Set(own.map(\.name))
    return own + SourceDescription.builtIn.filter { !names.contains($0.name) }
  }
}
