internal import PandaCore

/// What leaves the program: the browser, the clipboard, files.
extension PandaApp {
  func open() {}
  func copyAddress() {}
  func copyCredit() {}
  func askForFile(_ image: RemoteImage) {}
  func save(_ image: RemoteImage, as path: String) {}
}
