/// Tells why an answer that arrived well is no use.
package struct ImageSourceError: Error, Equatable, Sendable {
  /// What was wrong.
  package let kind: Kind

  /// The host that answered, as a person reads it.
  package let host: String

  /// The technical cause in one line.
  ///
  /// It may quote the server.
  package let detail: String

  /// Creates an error.
  package init(_ kind: Kind, host: String, detail: String = "") {
    self.kind = kind
    self.host = host
    self.detail = detail
  }

  /// Names what can be wrong.
  package enum Kind: Equatable, Sendable {
    /// A web page came where JSON should be: the service moved, or its domain was parked.
    case webPage
    /// What came is not JSON.
    case notJSON
    /// It is JSON, but names no picture.
    case noPicture
    /// One picture after another was one that the person never wants to see again.
    case onlyHidden
    /// It names a video.
    case video
    /// The pictures that it names have no open license.
    case noOpenLicense
    /// The picture's address is relative, which this source's description does not allow.
    case relativeAddress
    /// It gave a picture again that was just there.
    case repeated
    /// It was asked as often as its rules allow: nothing was sent.
    case resting(Duration)
    /// It is not asked: the person switched it off, or it has refused to answer.
    case switchedOff
    /// There is no picture in the folder.
    case emptyFolder
  }
}

extension ImageSourceError: CustomStringConvertible {
  /// One calm sentence for the person, without a full stop.
  package var message: String {
    switch kind {
    case .webPage: "\(host) answered with a web page, not JSON"
    case .notJSON: "\(host) answered with something that is not JSON"
    case .noPicture: "\(host) answered, but named no picture"
    case .onlyHidden: "\(host) has only pandas that you asked not to see again"
    case .video: "\(host) sent a video, and Panda shows pictures"
    case .noOpenLicense: "\(host) named no picture with an open license"
    case .relativeAddress: "\(host) gave an address without its host"
    case .repeated: "\(host) sent the same picture again"
    case .resting(let wait): "\(host) can be asked again in \(wait.roughWords)"
    case .switchedOff: "\(host) is switched off"
    case .emptyFolder: "\(host) holds no picture that Panda can show"
    }
  }

  /// The sentence and the technical cause, for logs and failing tests.
  package var description: String { detail.isEmpty ? message : "\(message) [\(detail)]" }
}

extension Duration {
  /// The duration as a person reads it, rounded up: `40 s`, `12 min`.
  package var roughWords: String {
    let seconds = max(1, Int((self / .seconds(1)).rounded(.up)))
    return seconds < 100 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }
}
