import Testing

@testable import PandaSession
@testable import PandaTUI

@Suite struct SlideshowTests {
  @Test func `the key for the order only pauses a show of new pandas`() {
    var show = Slideshow()
    _ = show.start(withFavorites: false)
    #expect(
      show.isPaused(by: .favorites(.sort)) && show.isPaused(by: nil)
        && !show.isPaused(by: .favorites(.favorite)))
    _ = show.start(withFavorites: true)
    #expect(
      !show.isPaused(by: .favorites(.sort)) && show.isPaused(by: .favorites(.remove))
        && show.isPaused(by: nil))
  }
}
