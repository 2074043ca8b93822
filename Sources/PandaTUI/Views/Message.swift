/// A line for the person.
enum Message: Hashable, Sendable {
  case info(String)
  case problem(String)

  var text: String {
    switch self {
    case .info(let text), .problem(let text): text
    }
  }
}
