internal import CCurl

/// Drives all transfers of a client with one multi handle.
///
/// Not Sendable: it is created, used and freed on the client's thread. Its multi handle keeps
/// connections open, so that the next request to a host need not reconnect.
final class CurlLoop {
  private let curl: CurlLibrary
  private let multi: UnsafeMutableRawPointer
  /// The transfers in flight, by their easy handles.
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

  init() throws(HTTPError) {
    let curl = try CurlLibrary.shared()
    guard let multi = curl.functions.multi_init() else {
      throw HTTPError(.system, host: "", detail: "curl_multi_init returned NULL")
    }
    self.curl = curl
    self.multi = multi
    // Enough to reuse connections; the default of 4 for each transfer keeps too many.
    try curl.check(panda_curl_multi_set_long(curl.table, multi, CURLMOPT_MAXCONNECTS, 8))
  }

  deinit {
    for transfer in transfers.values { leave(transfer) }
    // This fails only for an invalid handle.
    _ = curl.functions.multi_cleanup(multi)
  }

  /// Starts a transfer, unless its ticket was already canceled.
  func start(_ plan: TransferPlan, for ticket: TransferTicket) {
    guard !ticket.isResolved else { return }
    do throws(HTTPError) {
      let transfer = try Transfer(plan, ticket: ticket, curl: curl)
      try curl.check(curl.functions.multi_add_handle(multi, transfer.easy.pointer))
      transfers[transfer.easy.pointer] = transfer
    } catch {
      ticket.fail(with: error)
    }
  }

  /// Drops a transfer: its connection is closed, unless others share it.
  func drop(_ ticket: TransferTicket) {
    for transfer in transfers.values where transfer.ticket === ticket {
      leave(transfer)
      transfers[transfer.easy.pointer] = nil
    }
  }

  func failAll(with error: HTTPError) {
    for transfer in transfers.values {
      leave(transfer)
      transfer.ticket.fail(with: error)
    }
    transfers = [:]
  }

  /// The handle by which other threads wake the loop.
  var waker: Waker { Waker(curl: curl, multi: multi) }

  /// Lets other threads wake the loop.
  ///
  /// `@unchecked`: curl_multi_wakeup is the only function that any thread may call on a multi
  /// handle. It must not be called after the loop is gone.
  struct Waker: @unchecked Sendable {
    fileprivate let curl: CurlLibrary
    fileprivate let multi: UnsafeMutableRawPointer

    func wake() throws(HTTPError) { try curl.check(curl.functions.multi_wakeup(multi)) }
  }

  /// Makes progress without waiting, and resolves finished transfers.
  func advance() throws(HTTPError) {
    var running: Int32 = 0
    try curl.check(curl.functions.multi_perform(multi, &running))
    var left: Int32 = 0
    while let message = curl.functions.multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let transfer = transfers.removeValue(forKey: easy)
      else { continue }
      // Read first: removing the handle frees the message.
      let result = panda_curl_message_result(message)
      leave(transfer)
      transfer.finish(result)
    }
  }

  /// Sleeps until a socket, a libcurl timer or a wake-up is ready.
  ///
  /// With nothing in flight only a wake-up ends it: an idle client uses no processor time.
  func sleep() throws(HTTPError) {
    try curl.check(curl.functions.multi_poll(multi, nil, 0, .max, nil))
  }

  /// Removes a transfer from the multi handle.
  ///
  /// Removing a handle fails only on misuse, and the transfer is over in any case.
  private func leave(_ transfer: Transfer) {
    _ = curl.functions.multi_remove_handle(multi, transfer.easy.pointer)
  }
}
