/// The manual pages that Panda writes, in mdoc(7).
enum ManualPage: String, CaseIterable, Hashable, Sendable {
  case panda
  case configuration = "panda-config"

  var section: Int {
    switch self {
    case .panda: 1
    case .configuration: 5
    }
  }
}
