package import FoundationEssentials
internal import Pantry

extension ImageLibrary {
  /// The picture that was shown last, of those that are not hidden.
  ///
  /// Known before all that were shown have been read.
  /// - Throws: the engine's error if the storage cannot be read.
  package func newestSeen() async throws -> RemoteImage? {
    try await seen.excerptHasLoaded()
    // Without the list of what is hidden a panda too many is better than none.
    try? await hidden.itemsHaveLoaded()  // see above
    if let newest = seen.excerpt?.items.last?.image, !isKnownToBeHidden(newest) { return newest }
    // There may be an older one if the newest row could not be decoded, or is hidden.
    try await seen.itemsHaveLoaded()
    return seen.items.last { !isKnownToBeHidden($0.image) }?.image
  }

  /// Tells when the picture was shown last, if it was among the last ``seenLimit``; observed.
  ///
  /// Known by its address, or by its content if that has been hashed.
  package func lastSeen(_ image: RemoteImage) -> Date? {
    let digest = image.dataRepresentation.digest
    return seen.items.last { entry in
      entry.id == image.id || entry.image.dataRepresentation.digest == digest
    }?.lastSeenAt
  }

  /// Whether a picture with this content is among the last so many that were shown.
  ///
  /// False before they have been read.
  func isAmongNewestSeen(_ digest: ContentDigest, limit: Int) -> Bool {
    seen.items.suffix(limit).contains { $0.image.dataRepresentation.digest == digest }
  }

  /// Notes that a picture was shown, and forgets those beyond ``seenLimit``.
  ///
  /// - Returns: when it was shown before, as ``lastSeen(_:)`` tells it.
  @discardableResult
  package func noteSeen(_ image: RemoteImage) async throws -> Date? {
    try await seen.transaction { [self] t in
      let before = lastSeen(image)
      let former = seen[image.id]
      let moment = now()
      let entry = SeenImage(
        image: image, firstSeenAt: former?.firstSeenAt ?? moment, lastSeenAt: moment)
      let surplus = seen.items.count + (former == nil ? 1 : 0) - Self.seenLimit
      let oldest = surplus > 0 ? Array(seen.items.prefix(surplus)) : []
      // Removed and added again: the order of the store is that of showing.
      t.remove(oldest + (former.map { [$0] } ?? []), from: seen)
      t.add(entry, to: seen)
      return before
    }
  }

  /// Whether the person never wants to see the picture again.
  package func isHidden(_ image: RemoteImage) async throws -> Bool {
    try await hidden.itemsHaveLoaded()
    return isKnownToBeHidden(image)
  }

  /// Whether the picture is hidden, as far as what is hidden has been read; observed.
  package func isKnownToBeHidden(_ image: RemoteImage) -> Bool {
    guard !hidden.items.isEmpty else { return false }
    if hidden.contains(identifier: image.id) { return true }
    let digest = image.dataRepresentation.digest.hexadecimal
    return hidden.items.contains { $0.digest == digest }
  }

  /// Never shows a picture again; undo takes it back.
  package func hide(_ image: RemoteImage) async throws {
    let entry = HiddenImage(
      id: image.id, digest: image.dataRepresentation.digest.hexadecimal, hiddenAt: now())
    try await hidden.transaction(with: history.store) { [self] t in
      if hide(entry, in: t) > 0 { note(.hidden(entry), in: t) }
    }
    await forgetSeen(entry)
  }

  /// Removes what is hidden from what was shown, at whatever address it was.
  ///
  /// No part of the step that undo takes back, and no reason for it to fail: who goes back through
  /// what was shown passes over what is hidden.
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
