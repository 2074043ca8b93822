/// A rectangle of pixels; (0, 0) is the top left corner.
package struct PixelRect: Hashable, Sendable {
  package var x: Int

  package var y: Int

  package var size: PixelSize

  /// Creates a rectangle without checking it.
  package init(x: Int, y: Int, size: PixelSize) {
    self.x = x
    self.y = y
    self.size = size
  }
}

extension PixelSize {
  /// Returns the largest size with these proportions within a box, enlarging if there is room.
  ///
  /// Neither side is ever 0, whatever the proportions: 1 x 100,000 in 80 x 24 is 1 x 24. Sides less
  /// than 1 count as 1.
  package func fitted(in box: PixelSize) -> PixelSize {
    let (own, box) = (atLeastOne, box.atLeastOne)
    if own.isAsWide(as: box) {
      return PixelSize(
        width: box.width, height: Self.portion(own.height, box.width, of: own.width))
    }
    return PixelSize(
      width: Self.portion(own.width, box.height, of: own.height), height: box.height)
  }

  /// Returns the largest size with these proportions within a box, but no larger than this size.
  package func shrunk(toFit box: PixelSize) -> PixelSize {
    let own = atLeastOne
    return own.width <= box.width && own.height <= box.height ? own : fitted(in: box)
  }

  /// Returns the largest rectangle with another size's proportions within this size.
  ///
  /// What is cut off the width is cut evenly. What is cut off the height leaves the rectangle's
  /// middle at 38 percent of it, where faces are, or as near as the picture's edge allows: in a
  /// portrait, ears are more often at the top than anything that matters is at the bottom.
  ///
  /// - Parameter aspect: has the proportions; its own size does not matter.
  package func upperCenterRect(toFill aspect: PixelSize) -> PixelRect {
    let own = atLeastOne
    let size = aspect.fitted(in: own)
    // Divided first: the sides are untrusted.
    let middle = own.height / 100 * 38 + own.height % 100 * 38 / 100
    return PixelRect(
      x: (own.width - size.width) / 2,
      y: min(max(0, middle - size.height / 2), own.height - size.height), size: size)
  }

  private var atLeastOne: PixelSize {
    PixelSize(width: max(1, width), height: max(1, height))
  }

  /// Returns whether the proportions are at least as wide; in 128 bits, since the sides are
  /// untrusted.
  package func isAsWide(as other: PixelSize) -> Bool {
    let own = width.multipliedFullWidth(by: other.height)
    let its = other.width.multipliedFullWidth(by: height)
    return (own.high, own.low) >= (its.high, its.low)
  }

  /// Returns `part * scale / whole`, rounded and at least 1; the result must fit in an Int.
  private static func portion(_ part: Int, _ scale: Int, of whole: Int) -> Int {
    let (quotient, remainder) = whole.dividingFullWidth(part.multipliedFullWidth(by: scale))
    return max(1, remainder >= whole - remainder ? quotient + 1 : quotient)
  }
}
