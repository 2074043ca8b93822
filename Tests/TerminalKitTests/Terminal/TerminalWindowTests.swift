internal import Testing

@testable import PictureCodecs
@testable import TerminalKit

/// Which size of a cell is believed.
struct TerminalWindowTests {
  private static let table:
    [(window: (Int, Int)?, answer: (Int, Int)?, believed: (Int, Int)?, why: Comment)] = [
      ((8, 16), nil, (8, 16), "nothing contradicts the window"),
      ((8, 16), (9, 17), (8, 16), "the window is rounded down"),
      ((10, 20), (8, 17), (8, 17), "the answer is meant for pixels"),
      // OpenSSH for Windows: 640x480 by 120x30, by 200x50 and by 80x24 cells.
      ((5, 16), (10, 20), (10, 20), "640x480 is no window"),
      ((3, 9), nil, nil, "no font is that narrow"),
      ((8, 20), nil, (8, 20), "640x480 may be true"),
      (nil, (7, 15), (7, 15), "a window without pixels"),
      ((3, 9), (1, 1), nil, "two that are wrong"),
      ((8, 16), (900, 2), (8, 16), "an answer that is none"),
      ((16, 34), nil, (16, 34), "a dense screen"),
      ((20, 10), nil, nil, "wider than high"),
      (nil, nil, nil, "nothing at all"),
    ]

  @Test(
    "A cell is believed if window and answer agree, or else the plausible one", arguments: table)
  func cell(
    _ row: (window: (Int, Int)?, answer: (Int, Int)?, believed: (Int, Int)?, why: Comment)
  ) {
    func size(_ pair: (Int, Int)?) -> PixelSize? { pair.map { PixelSize(width: $0, height: $1) } }
    let cell = PixelSize.believedCell(window: size(row.window), answered: size(row.answer))
    #expect(cell == size(row.believed), row.why)
  }
}
