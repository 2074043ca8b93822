internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The dialog that shows the sources: `S`.
extension PandaApp {
  /// Shows the sources with their health.
  func showSources() {
    guard let ring else { return }
    dialog = .sources(SourcesDialog(ring.statuses))
  }

  /// Brings the sources that are shown to what is known now.
  func updateSources() {
    guard case .sources(var dialog) = dialog, let ring else { return }
    dialog.statuses = ring.statuses
    self.dialog = .sources(dialog)
  }

  /// Does what was asked for in the dialog.
  func followSources() {
    guard case .sources(var open) = dialog, let ring, let request = open.takeRequest() else {
      return
    }
    dialog = .sources(open)
    switch request {
    case .setEnabled(let isEnabled, let name):
      ring.setEnabled(isEnabled, name)
      if configuration.source == .automatic {
        disabledSources.set(ring.statuses.filter { !$0.isEnabled }.map(\.id))
      }
    case .test(let name): testSource(name, of: ring)
    }
  }

  private func testSource(_ name: String, of ring: SourceRing) {
    guard let label = ring.statuses.first(where: { $0.id == name })?.label else { return }
    say(.info("Asking \(label)"))
    Task {
      do {
        let image = try await ring.test(name)
        let title = image.title.map { " “\($0)”" } ?? ""
        say(.info("\(label) sent a picture\(title)".sanitized(upTo: 200)))
      } catch {
        trouble = Trouble("Asking \(label) failed", error)
        say(.problem(userMessage(for: error).sanitized(upTo: 300)))
      }
    }
  }
}
