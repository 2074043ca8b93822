internal import CChafa

extension SymbolOutput {
  /// The version of chafa's headers; the library does not report its own.
  package static var libraryVersion: String {
    "\(CHAFA_MAJOR_VERSION).\(CHAFA_MINOR_VERSION).\(CHAFA_MICRO_VERSION)"
  }
}
