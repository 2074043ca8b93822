internal import PandaCore
internal import TerminalKit

/// Reads the settings about sources from JSON5 values: `sources` and `contact`.
enum SourceSettings {
  /// The most sources of the person's own.
  static let countLimit = 50

  /// Something that is not used, and the line it is on.
  struct SettingProblem {
    let line: Int
    let sentence: String
  }

  /// Reads the person's own sources; one that cannot be used does not keep the others out.
  static func sources(_ value: JSON5Value) -> (
    sources: [SourceDescription], problems: [SettingProblem]
  ) {
    guard case .array(let elements) = value.content, elements.count <= countLimit else {
      let sentence = "\"sources\" must be a list of at most \(countLimit) sources in braces"
      return ([], [SettingProblem(line: value.line, sentence: sentence)])
    }
    var sources: [SourceDescription] = []
    var problems: [SettingProblem] = []
    for element in elements where !element.isNull {
      do throws(SourceDescriptionError) {
        let source = try SourceDescription(element.json)
        guard source.name != SourceRing.groveName,
          !sources.contains(where: { $0.name == source.name })
        else {
          problems.append(
            SettingProblem(
              line: element.line,
              sentence: "\"sources\": there is another source named \"\(source.name)\""))
          continue
        }
        sources.append(source)
      } catch {
        problems.append(
          SettingProblem(
            line: element.line(of: error.member),
            sentence: "\"sources\": \(error.description.sanitized(upTo: 200))"))
      }
    }
    return (sources, problems)
  }

  /// Reads the address that servers are told; nil if it cannot stand in a request's head.
  ///
  /// A web or mail address in printable ASCII, without what ends a comment there (RFC 9110, 5.6.5).
  static func contact(_ value: JSON5Value) -> String? {
    guard let text = value.decoded(as: String.self), (3...200).contains(text.utf8.count),
      text.contains("@") || text.contains("://"),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Array("()\\\"<>".utf8).contains($0) })
    else { return nil }
    return text
  }
}

extension JSON5Value {
  /// The value as JSON has it; what cannot be read is a list, which no member of a source may be.
  fileprivate var json: JSONValue {
    switch content {
    case .object(let members):
      .object(Dictionary(members.map { ($0.name, $0.value.json) }, uniquingKeysWith: { $1 }))
    case .array(let elements): .array(elements.map(\.json))
    case .string: decoded(as: String.self).map { .string($0) } ?? .array([])
    case .word where isNull: .null
    case .word:
      decoded(as: Bool.self).map { .bool($0) } ?? decoded(as: Double.self).map { .number($0) }
        ?? .array([])
    }
  }

  /// The line of a member of an object, or its own.
  fileprivate func line(of member: String?) -> Int {
    guard case .object(let members) = content else { return line }
    return members.last { $0.name == member }?.line ?? line
  }
}
