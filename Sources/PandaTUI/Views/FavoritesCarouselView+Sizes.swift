internal import PandaSession
internal import PictureCodecs

extension FavoritesCarouselView {
  /// Returns the next size of the grid that looks different; nil if there is none.
  ///
  /// The standard one, if another looks the same: few favorites are larger at the standard size
  /// than at others, and what the window or the terminal's images allow may be the same at several.
  func nextGridSize(
    from size: GridSize, isLarger: Bool, in layout: Layout, cell: PixelSize
  ) -> GridSize? {
    func across(_ size: GridSize) -> Int? { picturesAcross(size, in: layout, cell: cell) }
    guard let former = across(size) else { return size.larger(by: isLarger ? 1 : -1) }
    let sizes = GridSize.all.map { (size: $0, across: across($0) ?? former) }
    let next =
      isLarger
      ? sizes.filter { $0.across < former }.max { $0.across < $1.across }
      : sizes.filter { $0.across > former }.min { $0.across < $1.across }
    return next.map { across(.standard) == $0.across ? .standard : $0.size }
  }
}
