package import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// Returns the last shown picture that is not hidden.
  ///
  /// Known before all seen pictures have been read.
  /// - Throws: the engine's error if the storage cannot be read.
  package func newestSeen() async throws -> RemoteImage? {
    try await seen.excerptHasLoaded()
    // If the list of hidden pictures cannot be read, showing one panda too many is better than
    // none. Nothing waits for that of a server: what was hidden here is not among the seen.
    if !isShared { try? await hidden.itemsHaveLoaded() }
    if let newest = seen.excerpt?.items.last?.image, !isKnownToBeHidden(newest) { return newest }
    // There may be an older one if the newest row could not be decoded or is hidden.
    try await seen.itemsHaveLoaded()
    return seen.items.last { !isKnownToBeHidden($0.image) }?.image
  }

  /// Returns when the picture was last shown, if it is among the last ``seenLimit``; observed.
  ///
  /// Found by its address, or by its content if that has been hashed.
  package func lastSeen(_ image: RemoteImage) -> Date? {
    let digest = image.dataRepresentation.digest
    return seen.items.last { entry in
      entry.id == image.id || entry.image.dataRepresentation.digest == digest
    }?.lastSeenAt
  }

  /// Returns whether a picture with this content is among the last `limit` shown.
  ///
  /// False before the seen pictures have been read.
  func isAmongNewestSeen(_ digest: ContentDigest, limit: Int) -> Bool {
    seen.items.suffix(limit).contains { $0.image.dataRepresentation.digest == digest }
  }

  /// The number of pictures that were shown, also by earlier versions; observed.
  ///
  /// Nil until it has been read.
  package var seenCount: Int? {
    seenTotal.hasLoaded ? seenTotal[SeenTotal.id]?.count ?? formerSeenCount() : nil
  }

  /// Records that a picture is shown, and drops the oldest beyond ``seenLimit``.
  ///
  /// - Parameter count: how many were shown, this one and those that were passed over.
  /// - Returns: when it was previously shown, as in ``lastSeen(_:)``.
  @discardableResult
  package func noteSeen(_ image: RemoteImage, count: Int = 1) async throws -> Date? {
    let before = try await seen.transaction(with: seenTotal) { [self] t in
      t.add(SeenTotal(count: (seenCount ?? 0) + count), to: seenTotal)
      let before = lastSeen(image)
      let former = seen[image.id]
      let moment = now()
      let entry = SeenImage(
        image: image, firstSeenAt: former?.firstSeenAt ?? moment, lastSeenAt: moment)
      let surplus = seen.items.count + (former == nil ? 1 : 0) - Self.seenLimit
      let oldest = surplus > 0 ? Array(seen.items.prefix(surplus)) : []
      // Removed and added again, because the store is in the order of showing.
      t.remove(oldest + (former.map { [$0] } ?? []), from: seen)
      t.add(entry, to: seen)
      return before
    }
    sightings.writeIfDue()
    return before
  }

  /// Returns whether the user has hidden the picture for good.
  package func isHidden(_ image: RemoteImage) async throws -> Bool {
    try await hidden.itemsHaveLoaded()
    return isKnownToBeHidden(image)
  }

  /// Returns whether the picture is known to be hidden; observed.
  ///
  /// As far as the list of hidden pictures has been read.
  package func isKnownToBeHidden(_ image: RemoteImage) -> Bool {
    guard !hidden.items.isEmpty else { return false }
    if hidden.contains(identifier: image.id) { return true }
    let digest = image.dataRepresentation.digest.hexadecimal
    return hidden.items.contains {
      $0.digest == digest || $0.identity != nil && $0.identity == image.identity
    }
  }

  /// Hides a picture for good; undo reverts it.
  package func hide(_ image: RemoteImage) async throws {
    let entry = HiddenImage(
      id: image.id, digest: image.dataRepresentation.digest.hexadecimal,
      identity: image.identity, hiddenAt: now())
    try await hidden.transaction(with: history.store) { [self] t in
      guard LibraryStep(library: self, transaction: t).hide(entry) > 0 else { return }
      record(.hidden(entry), in: t)
    }
    await forgetSeen(entry)
  }

  /// Removes a hidden picture from the seen ones, under every address it had.
  ///
  /// This is not part of the undoable step, and its failure does not fail that step: going back
  /// through seen pictures skips hidden ones anyway.
  func forgetSeen(_ entry: HiddenImage) async {
    do {
      try await seen.itemsHaveLoaded()
      let copies = seen.items.filter { item in
        item.id == entry.id
          || item.image.dataRepresentation.digest.hexadecimal == entry.digest
      }
      try await seen.remove(copies)
    } catch {
      // See above.
    }
  }
}
