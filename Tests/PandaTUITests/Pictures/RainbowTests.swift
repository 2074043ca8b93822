import Testing

@testable import PandaTUI
@testable import PictureCodecs

@Suite struct RainbowTests {
  /// Light on the left, black on the right.
  let bitmap = Bitmap(
    size: PixelSize(width: 40, height: 30),
    pixels: (0..<30).flatMap { _ in
      (0..<40).flatMap { x -> [UInt8] in x < 20 ? [200, 200, 200, 255] : [0, 0, 0, 77] }
    })

  @Test func `light parts get many colors, and dark or transparent ones stay the same`() {
    let pixels = Rainbow(phase: 0).over(bitmap).pixels
    var reddest = 0
    var bluest = 0
    for index in stride(from: 0, to: pixels.count, by: 4) {
      let isLight = index / 4 % 40 < 20
      #expect(pixels[index + 3] == (isLight ? 255 : 77))
      guard isLight else {
        #expect(pixels[index..<index + 3].allSatisfy { $0 < 64 })
        continue
      }
      reddest = max(reddest, Int(pixels[index]) - Int(pixels[index + 2]))
      bluest = max(bluest, Int(pixels[index + 2]) - Int(pixels[index]))
    }
    #expect(reddest > 50 && bluest > 50)
  }

  @Test func `each phase is a different picture, and the panda is still visible`() {
    let phases = (0..<Rainbow.phases).map { Rainbow(phase: $0).over(bitmap) }
    #expect(Set(phases).count == Rainbow.phases)
    for phase in phases {
      // What was light is lighter than what was dark, in every one.
      let light = phase.pixels[0..<3].reduce(0) { $0 + Int($1) }
      let dark = phase.pixels[120..<123].reduce(0) { $0 + Int($1) }
      #expect(light > dark + 200)
    }
  }
}
