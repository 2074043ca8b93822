import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

/// Favorites in the carousel and on the card.
@MainActor
@Suite struct FavoritesTests {
  private let directory = TemporaryDirectory()

  @Test func `a key before the favorites have been read counts once they are`() async throws {
    let before = try AppDriver(directory)
    try await before.favorite(2)
    try await before.quit()
    let panda = try AppDriver(directory)
    #expect(!panda.app.context.favorites.controller.imagesHaveLoaded)
    try panda.press(.view(.nextPane))
    try await panda.expect(favorites: 2)
    try await eventually("Favorites has the focus") { panda.app.context.pane == .carousel }
    try await panda.quit()
  }

  @Test func `favorites are shown newest first, also after a relaunch`() async throws {
    // At this height the carousel is one line of text: "★ 1/N" and what the picture is.
    let panda = try AppDriver(directory, columns: 60, rows: 12)
    for count in 1...3 {
      try await panda.favorite(1, after: count - 1)
      try await panda.expect(text: "★ 1/\(count) Panda \(count) ")
    }
    try await panda.quit()
    let again = try AppDriver(directory, columns: 60, rows: 12)
    try await again.expect(text: "★ 1/3 Panda 3 ")
    try again.press(.move(.right))
    try await again.expect(text: "★ 2/3 Panda 2 ")
    try again.press(.move(.last))
    try await again.expect(text: "★ 3/3 Panda 1 ")
    try await again.quit()
  }

  @Test func `space twice before the next panda arrives stays on the card`() async throws {
    let panda = try AppDriver(directory, source: SmallSource(answerCount: 1))
    try await panda.favorite(1)
    try await panda.expect(text: "esc stops")
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "\(Sentence.refused(.isFavorite)). The next panda is on its way")
    #expect(panda.app.context.model.focus == .card)
    try panda.press(.program(.cancel))
    try await panda.expect(text: "find it")
    try panda.press(.favorites(.favorite))
    #expect(panda.app.context.model.focus == .carousel)
    try await panda.quit()
  }

  @Test func `space twice at once keeps one panda, and fetches the next`() async throws {
    let panda = try AppDriver(directory)
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: Sentence.added)
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: "☆ Panda 2 ")
    #expect(panda.app.context.model.focus == .card)
    // The next is not skipped when the time of the first one is over.
    panda.clock.advance(by: CardPresenter.starDelay)
    try await panda.expect(text: "☆ Panda 2 ")
    try await panda.expect(favorites: 1)
    try await panda.quit()
  }

  @Test func `a random favorite opens on the card, from the panes, the grid and the trash`()
    async throws
  {
    let panda = try AppDriver(directory)
    let context = panda.app.context
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.favorites(.random))
    try await panda.expect(text: ActionWords.favorites(0))
    try await panda.favorite(3)
    context.generator = SplitMix64(seed: 1)
    let places: [[Command]] = [
      [], [.view(.nextPane)], [.view(.grid)], [.favorites(.trash)], [.view(.zoom)],
    ]
    for place in places {
      let former = context.card.image?.id
      for command in place { try panda.press(command) }
      try panda.press(.favorites(.random))
      try await eventually("another favorite after \(place)") {
        context.card.image?.id != former && context.card.isShownSaved
      }
      #expect(context.favorites.selected?.id == context.card.image?.id)
      #expect(!context.model.showsGrid && !context.zoom.isOpen && !context.isInTrash)
    }
    // A window may be closed now, without quitting.
    let sightings = context.card.controller.library.sightings
    try await eventually("it is written") { sightings.unwritten.isEmpty }
    try await panda.quit()
  }

  @Test func `the picture on the card is the favorite that enter asks for`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try await panda.expect(text: "☆ Panda 2 ")
    try panda.press(.view(.nextPane), .favorites(.show))
    try await panda.expect(text: "★ Panda 1 ")
    // Again it fills the whole screen, and Esc goes back, step by step.
    try panda.press(.favorites(.show))
    #expect(panda.app.context.zoom.isOpen && panda.app.context.zoom.state?.isFitted != false)
    try panda.press(.program(.cancel))
    #expect(!panda.app.context.zoom.isOpen && panda.app.context.pane == .carousel)
    try panda.press(.program(.cancel))
    #expect(panda.app.context.pane == .card)
    try panda.press(.favorites(.show))
    #expect(panda.app.context.zoom.isOpen)
    try panda.press(.program(.cancel))
    try await panda.expect(text: "find it")
    try await panda.quit()
  }

  @Test func `the order is changed, shown, and kept`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try panda.press(.favorites(.sort))
    try await panda.expect(text: "Favorites (1) · oldest first")
    try await panda.quit()
    let again = try AppDriver(directory)
    try await again.expect(text: "Favorites (1) · oldest first")
    try await again.quit()
  }

  /// How much of the file came.
  @Test(arguments: [80, 20])
  func `fault 32: a picture that broke off is marked, and cannot be kept`(percent: Int)
    async throws
  {
    let panda = try AppDriver(directory, source: BrokenSource(percent: percent))
    try await panda.expectPicture()
    try panda.press(.favorites(.favorite))
    try await panda.expect(text: Sentence.refused(.isDamaged, NoNames()))
    // The zoom hides the card, which tells so nevertheless.
    try panda.press(.view(.zoom), .favorites(.favorite))
    try await panda.expect(text: Sentence.refused(.isDamaged, NoNames()))
    try panda.press(.program(.cancel))
    try await panda.expect(favorites: 0)
    try await panda.quit()
  }

  @Test func `a terminal without graphics shows only text`() async throws {
    let panda = try AppDriver(directory, showsPictures: false)
    try await panda.expect(text: "☆ Panda 1 ")
    try panda.press(.favorites(.favorite))
    try await panda.expect(favorites: 1)
    try await panda.expect(text: "★ 1/1 Panda 1 ")
    #expect(panda.display.canvas.placements.isEmpty)
    try await panda.quit()
  }

  @Test func `a favorite is shown large beside its details, and the card returns`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(2)
    try await panda.expect(text: "☆ Panda 3 ")
    try await panda.expectPicture()
    try panda.press(.view(.nextPane), .move(.right))
    try await panda.open(.picture(.details), "SHA-256")
    try await panda.expect(text: "★ Panda 1 ")
    try await panda.expectPicture()
    panda.press(key: .escape)
    try await panda.expect(text: "☆ Panda 3 ")
    try panda.press(.view(.nextPane))
    try await panda.open(.picture(.details), "SHA-256")
    try await panda.expect(text: "☆ Panda 3 ")
    panda.press(key: .escape)
    try await panda.quit()
  }

  @Test func `scrolling stops at the end of a text, however often the key is pressed`()
    async throws
  {
    let panda = try AppDriver(directory, columns: 60, rows: 12)
    try await panda.expect(text: "☆ Panda 1")
    try panda.press(.picture(.details))
    // Once all lines are known, they are more than fit.
    try await panda.expect(text: "↓ more")
    try panda.press(.move(.last))
    try await panda.expect(noText: "title")
    try await panda.expectPicture()
    try panda.press(.move(.last))
    try await panda.expectAnotherFrame()
    let end = panda.display.text
    try panda.press(.move(.up))
    try await panda.expect("a line further up") { $0.text != end }
    for _ in 1...40 { try panda.press(.move(.up)) }
    try await panda.expect(text: "title")
    try panda.press(.program(.cancel))
    try await panda.quit()
  }
}
