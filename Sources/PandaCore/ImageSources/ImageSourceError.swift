/// The reason why an answer that arrived intact is unusable, or why none was requested.
package struct ImageSourceError: Error, Equatable, Sendable {
  package let kind: Kind

  /// The host that answered, for display.
  package let host: String

  /// The technical cause in one line.
  ///
  /// It may quote the server.
  package let detail: String

  package init(_ kind: Kind, host: String, detail: String = "") {
    self.kind = kind
    self.host = host
    self.detail = detail
  }

  package enum Kind: Equatable, Sendable {
    /// The answer is a web page instead of JSON: the service moved, or its domain is parked.
    case webPage
    case notJSON
    /// It is JSON, but contains no picture.
    case noPicture
    /// Every picture was one that the user has hidden.
    case onlyHidden
    case video
    case noOpenLicense
    /// The picture's address is relative, which this source's description does not allow.
    case relativeAddress
    case repeated
    /// Its rate limit is reached: nothing was sent.
    case resting(Duration)
    /// It is disabled: by the user, or because it refused to answer.
    case switchedOff
    /// None of several services could be reached; the host is empty.
    case unreachable
    case emptyFolder
    /// It refuses programs that name no contact.
    case noContact
  }
}

extension ImageSourceError: CustomStringConvertible {
  /// A user message of one sentence, without a full stop.
  package var message: String {
    switch kind {
    case .webPage: "\(host) answered with a web page, not JSON"
    case .notJSON: "\(host) answered with something that is not JSON"
    case .noPicture: "\(host) answered, but named no picture"
    case .onlyHidden: "\(host) has only pandas that you have hidden"
    case .video: "\(host) sent a video instead of a picture"
    case .noOpenLicense: "\(host) named no picture with an open license"
    case .relativeAddress: "\(host) gave an address without its host"
    case .repeated: "\(host) sent the same picture again"
    case .resting(let wait): "\(host) can be asked again in \(wait.roughWords)"
    case .switchedOff: "\(host) is switched off"
    case .unreachable: "No service could be reached (no network?)"
    case .noContact:
      "\(host) refuses programs without a contact; set contact to your address in config.json5"
    case .emptyFolder:
      "\(host) holds no picture that Panda can show" + (detail.isEmpty ? "" : " (\(detail))")
    }
  }

  /// The message and the technical cause, for logs and failing tests.
  package var description: String {
    detail.isEmpty || kind == .emptyFolder ? message : "\(message) [\(detail)]"
  }
}
