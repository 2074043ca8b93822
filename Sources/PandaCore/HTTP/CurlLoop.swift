internal import CCurl

/// Drives all transfers of a client with one multi handle.
///
/// Not Sendable: it is made, used and freed on the client's thread. Its multi handle keeps the
/// connections, so that the next request to a host does not have to connect again.
final class CurlLoop {
  private let curl: CurlLibrary
  /// The multi handle.
  private let multi: UnsafeMutableRawPointer
  /// Everything in flight, by its easy handle.
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

  /// Makes the multi handle.
  init() throws(HTTPError) {
    let curl = try CurlLibrary.shared()
    guard let multi = curl.functions.multi_init() else {
      throw HTTPError(.system, host: "", detail: "curl_multi_init returned NULL")
    }
    self.curl = curl
    self.multi = multi
    // Enough to find the connection again; the default of 4 for each transfer keeps too many.
    try curl.check(panda_curl_multi_set_long(curl.table, multi, CURLMOPT_MAXCONNECTS, 8))
  }

  deinit {
    for transfer in transfers.values { leave(transfer) }
    // It fails only for a bad handle.
    _ = curl.functions.multi_cleanup(multi)
  }

  /// Begins a transfer, unless nobody waits for it any more.
  func start(_ plan: TransferPlan, for ticket: TransferTicket) {
    guard !ticket.isSettled else { return }
    do throws(HTTPError) {
      let transfer = try Transfer(plan, ticket: ticket, curl: curl)
      try curl.check(curl.functions.multi_add_handle(multi, transfer.easy.pointer))
      transfers[transfer.easy.pointer] = transfer
    } catch {
      ticket.fail(with: error)
    }
  }

  /// Lets go of a transfer: its connection is closed, unless others share it.
  func drop(_ ticket: TransferTicket) {
    for transfer in transfers.values where transfer.ticket === ticket {
      leave(transfer)
      transfers[transfer.easy.pointer] = nil
    }
  }

  /// Settles everything in flight with an error.
  func failAll(with error: HTTPError) {
    for transfer in transfers.values {
      leave(transfer)
      transfer.ticket.fail(with: error)
    }
    transfers = [:]
  }

  /// What other threads may wake the loop with.
  var waker: Waker { Waker(curl: curl, multi: multi) }

  /// Lets other threads wake the loop.
  ///
  /// `@unchecked`: curl_multi_wakeup is the one function that any thread may call on a multi
  /// handle. Nobody may do so after the loop has gone.
  struct Waker: @unchecked Sendable {
    fileprivate let curl: CurlLibrary
    fileprivate let multi: UnsafeMutableRawPointer

    func wake() throws(HTTPError) { try curl.check(curl.functions.multi_wakeup(multi)) }
  }

  /// Does what can be done without waiting, and settles what has ended.
  func advance() throws(HTTPError) {
    var running: Int32 = 0
    try curl.check(curl.functions.multi_perform(multi, &running))
    var left: Int32 = 0
    while let message = curl.functions.multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
        let transfer = transfers.removeValue(forKey: easy)
      else { continue }
      // Read now: the message dies with the removal.
      let result = panda_curl_message_result(message)
      leave(transfer)
      transfer.finish(result)
    }
  }

  /// Sleeps until a socket, a timer of libcurl or a wake-up has something to do.
  ///
  /// With nothing in flight only a wake-up ends it: an idle client costs no processor time.
  func sleep() throws(HTTPError) {
    try curl.check(curl.functions.multi_poll(multi, nil, 0, .max, nil))
  }

  /// The only error of removing a handle that is in the multi handle would be a misuse, and the
  /// transfer is over in any case.
  private func leave(_ transfer: Transfer) {
    _ = curl.functions.multi_remove_handle(multi, transfer.easy.pointer)
  }
}
