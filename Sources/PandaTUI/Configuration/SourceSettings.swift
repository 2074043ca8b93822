internal import PandaCore
internal import TerminalKit

/// Parses the settings about sources from JSON5 values: `sources` and `contact`.
enum SourceSettings {
  static let countLimit = 50

  struct SettingProblem {
    let line: Int
    let sentence: String
  }

  /// Parses the user's own sources; an invalid one does not affect the others.
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

  /// Parses the address that is sent to servers.
  ///
  /// Nil if it is not allowed in a request header.
  ///
  /// It must be a web or mail address in printable ASCII, without characters that end a comment
  /// there (RFC 9110, 5.6.5).
  static func contact(_ value: JSON5Value) -> String? {
    guard let text = value.text, (3...200).contains(text.utf8.count),
      text.contains("@") || text.contains("://"),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Array("()\\\"<>".utf8).contains($0) })
    else { return nil }
    return text
  }
}

extension JSON5Value {
  /// The value as JSON.
  ///
  /// A value that is unreadable, or a number that is no integer, becomes a list, which no member of
  /// a source may be.
  fileprivate var json: JSONValue {
    switch content {
    case .object(let members):
      .object(Dictionary(members.map { ($0.name, $0.value.json) }, uniquingKeysWith: { $1 }))
    case .array(let elements): .array(elements.map(\.json))
    case .string: text.map { .string($0) } ?? .array([])
    case .word where isNull: .null
    case .word:
      flag.map { .bool($0) } ?? integer.map { .number(Double($0)) } ?? .array([])
    }
  }

  /// Returns the line of an object's member, or of the object itself.
  fileprivate func line(of member: String?) -> Int {
    guard case .object(let members) = content else { return line }
    return members.last { $0.name == member }?.line ?? line
  }
}
