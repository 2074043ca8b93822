internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The dialog that shows the sources: `S`.
extension PandaApp {
  /// Shows the sources with their health.
  func showSources() {
    guard let ring else { return }
    model.dialog = .sources(SourcesDialog(ring.statuses))
  }

  /// Performs the dialog's request.
  func follow(_ request: SourcesDialog.Request) {
    guard let ring else { return }
    switch request {
    case .setEnabled(let isEnabled, let name):
      ring.setEnabled(isEnabled, name)
      if configuration.source == .automatic {
        remembered.disabledSources.set(ring.statuses.filter { !$0.isEnabled }.map(\.id))
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
        fail("Asking \(label) failed", error)
      }
    }
  }
}
