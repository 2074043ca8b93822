internal import PandaCore

/// Parses the settings about sources from JSON values: `sources` and `contact`.
enum SourceSettings {
  static let countLimit = 50

  struct SettingProblem {
    let line: Int
    let sentence: String
  }

  /// Parses the user's own sources; an invalid one does not affect the others.
  static func sources(_ value: JSONValue) -> (
    sources: [SourceDescription], problems: [SettingProblem]
  ) {
    guard let elements = value.elements, elements.count <= countLimit else {
      let sentence = "\"sources\" must be a list of at most \(countLimit) sources in braces"
      return ([], [SettingProblem(line: value.line, sentence: sentence)])
    }
    var sources: [SourceDescription] = []
    var problems: [SettingProblem] = []
    for element in elements where !element.isNull {
      do throws(SourceDescriptionError) {
        let source = try SourceDescription(element)
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
  static func contact(_ value: JSONValue) -> String? {
    guard let text = value.text, (3...200).contains(text.utf8.count),
      text.contains("@") || text.contains("://"),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Array("()\\\"<>".utf8).contains($0) })
    else { return nil }
    return text
  }
}

extension JSONValue {
  /// Returns the line of an object's member, or of the object itself.
  fileprivate func line(of member: String?) -> Int {
    member.flatMap { members?[$0] }?.line ?? line
  }
}
