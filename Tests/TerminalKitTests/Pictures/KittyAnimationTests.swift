import Testing

@testable import PictureCodecs
@testable import TerminalKit

@Suite struct KittyAnimationTests {
  private static let cell = PixelSize(width: 10, height: 20)
  private static let size = CellSize(columns: 8, rows: 4)
  private static let point = CellPoint(column: 2, row: 3)
  private static let whole = CellRect(size)

  private let images = KittyImages(route: .direct)

  private func animation(
    _ method: KittyOutput.Method, readsFiles: Bool = false, plays: Bool = true,
    loopCount: Int? = nil
  ) -> PreparedAnimation {
    let output = KittyOutput(method, images: images, readsFiles: readsFiles, plays: plays)
    let frames = (0..<3).map { number in
      Animation<any PreparedPicture>.Frame(
        picture: output.prepareFrame(
          Bitmap.plain(80, 80, [UInt8(number), 0, 0, 255]), filling: Self.size, cell: Self.cell),
        duration: .milliseconds(50 * (number + 1)))
    }
    return output.animation(Animation(frames: frames, loopCount: loopCount))
  }

  private func draw(_ picture: any PreparedPicture, on terminal: inout KittyModel) {
    var bytes: [UInt8] = []
    picture.draw(Self.whole, at: Self.point, into: &bytes)
    terminal.read(bytes)
  }

  private static let methods: [KittyOutput.Method] = [
    .placements, .placeholders(repeatsCharacters: false), .cursor,
  ]

  @Test(arguments: methods, [false, true])
  func `frames are sent once each, and then the terminal plays them`(
    _ method: KittyOutput.Method, _ readsFiles: Bool
  ) throws {
    let animation = animation(method, readsFiles: readsFiles)
    let played = try #require(animation.played)
    var terminal = KittyModel()
    for (number, frame) in animation.frames.enumerated() {
      #expect(!played.isComplete)
      draw(frame.picture, on: &terminal)
      #expect(terminal.transmissions == number + 1)
      #expect(terminal.animations.values.first?.current == number + 1)
    }
    #expect(played.isComplete)
    draw(played, on: &terminal)
    let kept = try #require(terminal.animations.values.first)
    #expect(kept.gaps == [50, 100, 150])
    #expect(kept.frames.map { $0.pixels[0] } == [1, 2])
    #expect(kept.loops == 1)
    #expect(terminal.transmissions == 3)
    #expect(terminal.images.count == 1)
    #expect(terminal.surprises == [])
  }

  @Test func `an animation can stop at a frame`() throws {
    let animation = animation(.placements, loopCount: 5)
    let played = try #require(animation.played)
    var terminal = KittyModel()
    for frame in animation.frames { draw(frame.picture, on: &terminal) }
    draw(played, on: &terminal)
    #expect(terminal.animations.values.first?.loops == 5)
    draw(animation.frames[1].picture, on: &terminal)
    #expect(terminal.animations.values.first?.loops == nil)
    #expect(terminal.animations.values.first?.current == 2)
    #expect(terminal.transmissions == 3)
  }

  @Test func `a skipped frame is sent when its turn comes`() throws {
    let animation = animation(.placements)
    var terminal = KittyModel()
    draw(animation.frames[2].picture, on: &terminal)
    #expect(terminal.transmissions == 2)
    #expect(terminal.animations.values.first?.current == 2)
    draw(animation.frames[0].picture, on: &terminal)
    #expect(terminal.animations.values.first?.current == 1)
    draw(animation.frames[2].picture, on: &terminal)
    #expect(terminal.animations.values.first?.current == 3)
    #expect(animation.played?.isComplete == true)
    #expect(terminal.surprises == [])
  }

  @Test func `frames that the terminal lost are sent again`() throws {
    let animation = animation(.placements)
    let played = try #require(animation.played)
    var former = KittyModel()
    for frame in animation.frames { draw(frame.picture, on: &former) }
    images.forget()
    #expect(!played.isComplete)
    var terminal = KittyModel()
    draw(played, on: &terminal)
    #expect(terminal.transmissions == 1)
    #expect(terminal.animations.values.first?.loops == nil)
    for frame in animation.frames { draw(frame.picture, on: &terminal) }
    #expect(played.isComplete)
    #expect(terminal.surprises == [])
  }

  @Test func `a terminal without animation shows each frame as its own image`() throws {
    let animation = animation(.placements, plays: false)
    #expect(animation.played == nil)
    var terminal = KittyModel()
    for _ in 0..<2 {
      for frame in animation.frames {
        terminal.placements = [:]
        draw(frame.picture, on: &terminal)
      }
    }
    #expect(terminal.transmissions == 3)
    #expect(terminal.images.count == 3)
    #expect(terminal.surprises == [])
  }

  @Test func `each frame replaces the previous one among lines of text`() throws {
    let animation = animation(.cursor, plays: false)
    var terminal = KittyModel()
    for number in 0..<6 {
      let frame = animation.frames[number % 3].picture
      draw(frame, on: &terminal)
      #expect(terminal.images.count == 1)
      #expect(terminal.images.values.first?.pixels[0] == UInt8(number % 3))
      // The cursor ends below the picture.
      let printed = String(decoding: frame.printed, as: UTF8.self)
      #expect(printed.hasPrefix("\n\n\n\n\u{1B}[4A\u{1B}7\u{1B}_Ga=T,p=1,c=8,r=4,C=1,i="))
      #expect(printed.hasSuffix("\u{1B}8\u{1B}[4B"))
    }
    #expect(terminal.transmissions == 6)
    #expect(terminal.surprises == [])
  }

  @Test func `frames have no more pixels than the picture`() {
    let output = KittyOutput(.placements, images: images, readsFiles: false, plays: true)
    let small = PixelSize(width: 30, height: 30)
    #expect(
      output.frameLimit(of: small, filling: Self.size, cell: Self.cell, memory: 1 << 20)
        == (1 << 20) / (32 * 32 * 4))
    #expect(
      output.frameLimit(
        of: PixelSize(width: 900, height: 900), filling: Self.size, cell: Self.cell,
        memory: 1 << 20) == (1 << 20) / (80 * 80 * 4))
  }
}

extension Bitmap {
  fileprivate static func plain(_ width: Int, _ height: Int, _ color: [UInt8]) -> Bitmap {
    Bitmap(
      size: PixelSize(width: width, height: height),
      pixels: (0..<width * height).flatMap { _ in color })
  }
}
