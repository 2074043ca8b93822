internal import PandaCore

extension RequestGate.Rest {
  /// Why a source is not asked, and for how long, for its line in a list.
  package var words: String {
    let again = "can be asked again in \(wait.roughWords)"
    return switch reason {
    case .request: "asked for a pause; \(again)"
    case .failures: "failed several times; \(again)"
    case .limit: "asked as often as allowed; \(again)"
    case .refusal: "refused to answer; disabled until the next launch"
    }
  }
}
