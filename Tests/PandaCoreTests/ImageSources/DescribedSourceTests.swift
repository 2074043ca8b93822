import Foundation
import PandaTestSupport
import Pantry
import SystemSupport
import Testing

@testable import PandaCore

@MainActor
@Suite struct DescribedSourceTests {
  private func fetch(
    _ name: String, _ server: ServiceServer, bench: SourceBench = SourceBench()
  ) async throws -> FetchedImage {
    try await bench.source(server.description(name), server).fetchImage { _ in }
  }

  // MARK: The shapes

  @Test func `Commons gives a title, an author, a license and a page; videos are left out`()
    async throws
  {
    try await withServer { server in
      server.serve(
        "/w/api.php",
        json: ServiceAnswers.commons([
          ServiceAnswers.commonsPage("x", mime: "video/webm"),
          ServiceAnswers.commonsPage("y", mime: "image/svg+xml"),
          #"{"ns": 6, "title": "File:Missing.jpg", "missing": true}"#,
          ServiceAnswers.commonsPage("a"), ServiceAnswers.commonsPage("b"),
        ]))
      let bench = SourceBench()
      let image = try await fetch("commons", server, bench: bench)
      #expect(image.url == server.server.url("/pictures/a.png"))
      #expect(image.source == "Wikimedia Commons")
      #expect(image.title == "Red Panda (a)")
      #expect(image.credit == "Zoë & X")
      #expect(image.license == "CC BY-SA 4.0")
      #expect(
        image.page?.absoluteString == "https://commons.wikimedia.org/wiki/File:Red_Panda_(a).png")
      let asked = try #require(server.server.requests.first)
      #expect(asked.target.contains("gsrsort=random&gsrlimit=50&gsrsearch=deepcategory%3A%22Ail"))
      #expect(image.about == "A red panda, asleep")
      #expect(asked.target.contains("iiprop=url%7Csize%7Cmime%7Cextmetadata&iiurlwidth=1280"))
      // Never the original, and no width other than the given ones.
      #expect(server.paths == ["/w/api.php", "/pictures/a.png"])
      #expect(await CandidateShelf(bench.library).count("commons") == 1)
    }
  }

  @Test func `Commons' older format, with pages keyed by id, is read too`() async throws {
    try await withServer { server in
      let page = ServiceAnswers.commonsPage("c")
      server.serve(
        "/w/api.php", json: #"{"query": {"pages": {"-1": {"missing": ""}, "7": \#(page)}}}"#)
      let image = try await fetch("commons", server)
      #expect(image.title == "Red Panda (c)")
    }
  }

  @Test func `a category without members leads to the next one`() async throws {
    try await withServer { server in
      server.server.serve("/w/api.php") { request in
        server.response(
          request.target.contains("Category:Red_pandas_in_zoos")
            ? ServiceAnswers.commons([ServiceAnswers.commonsPage("b")])
            : #"{"batchcomplete": true}"#)
      }
      let image = try await fetch("commons", server)
      #expect(image.title == "Red Panda (b)")
      // After the search: its nothing counts for none of the three.
      #expect(server.paths == Array(repeating: "/w/api.php", count: 4) + ["/pictures/b.png"])
    }
  }

  /// The names of the pictures that come from a source, each noted as seen.
  private func names(
    _ count: Int, from server: ServiceServer, bench: SourceBench = SourceBench()
  ) async throws -> [String] {
    var description = try server.description("commons")
    description.limits.listsPerHour = 600
    let source = bench.source(description, server)
    var names: [String] = []
    for _ in 0..<count {
      let image = try await source.fetchImage { _ in }
      names.append(image.url.deletingPathExtension().lastPathComponent)
      try await bench.library.noteSeen(try image.image(at: Date()))
    }
    return names
  }

  @Test func `fresh homes begin differently, and none comes twice as long as there are new ones`()
    async throws
  {
    try await withServer { server in
      let all = (1...24).map { "p\($0)" }
      for name in all { try server.serve(picture: "/pictures/\(name).png") }
      // Another order each time, as the search answers.
      let lists = Lock<[[String]]>([])
      server.server.serve("/w/api.php") { request in
        guard request.target.contains("gsrsort=random") else {
          return LoopbackResponse(status: 404, body: "no")
        }
        var generator = SplitMix64(seed: UInt64(server.paths.count))
        let page = Array(all.shuffled(using: &generator).prefix(8))
        lists.withLock { $0.append(page) }
        return server.response(ServiceAnswers.commons(page.map { ServiceAnswers.commonsPage($0) }))
      }
      let bench = SourceBench()
      var shown: [String] = []
      while Set(shown).count == shown.count {
        shown += try await names(1, from: server, bench: bench)
      }
      // One comes again after three lists in a row that had nothing new.
      let before = Set(shown.dropLast())
      #expect(before.count >= 16)
      #expect(lists.withLock { $0.suffix(3).allSatisfy { before.isSuperset(of: $0) } })
      #expect(try await names(3, from: server) != Array(shown.prefix(3)))
    }
  }

  @Test(arguments: [
    #"{"batchcomplete": true}"#, #"{"warnings": {"search": {"warnings": "too many categories"}}}"#,
    "<html>", "",
  ])
  func `where the search has nothing, a category is read from a random letter on`(
    _ answer: String
  ) async throws {
    try await withServer { server in
      server.server.serve("/w/api.php") { request in
        if request.target.contains("gsrsort=random") {
          return answer.isEmpty
            ? LoopbackResponse(status: 500, body: "no") : server.response(answer)
        }
        let isNext = request.target.contains("gcmcontinue")
        return server.response(
          ServiceAnswers.commons(
            [ServiceAnswers.commonsPage(isNext ? "b" : "a")], more: !isNext))
      }
      let bench = SourceBench()
      let source = bench.source(try server.description("commons"), server)
      #expect(try await source.fetchImage { _ in }.title == "Red Panda (a)")
      #expect(try await source.fetchImage { _ in }.title == "Red Panda (b)")
      let asked = server.server.requests.map(\.target).filter { $0.contains("gcmtitle") }
      #expect(asked[0].contains("Category:Ailurus_fulgens&"))
      #expect(asked[0].hasSuffix("&gcmstartsortkeyprefix=A"))
      #expect(asked[1].contains("&gcmcontinue=") && !asked[1].contains("gcmstartsortkeyprefix"))
    }
  }

  @Test func `a series of one photographer does not fill an evening`() async throws {
    try await withServer { server in
      let pages =
        ["s1", "s2", "s3", "s4", "s5"].map { ServiceAnswers.commonsPage($0, artist: "Ann") }
        + [("o1", "Bo"), ("o2", "Cy"), ("o3", "Di")].map {
          ServiceAnswers.commonsPage($0, artist: $1)
        }
      for name in ["s1", "s2", "s3", "s4", "s5", "o1", "o2", "o3"] {
        try server.serve(picture: "/pictures/\(name).png")
      }
      server.serve("/w/api.php", json: ServiceAnswers.commons(pages))
      let bench = SourceBench()
      let first = try await names(4, from: server, bench: bench)
      // Each of the four comes before the second one of the series.
      #expect(Set(first.map { $0.first == "s" ? "s" : $0 }) == ["s", "o1", "o2", "o3"])
    }
  }

  @Test func `iNaturalist is asked by its second version, or else by the first`() async throws {
    try await withServer { server in
      server.serve("/v2/observations", json: ServiceAnswers.inaturalist)
      server.serve("/v1/observations", json: ServiceAnswers.inaturalist)
      try server.serve(picture: "/photos/2/large.png")
      let image = try await fetch("inaturalist", server)
      #expect(image.about == "Red Panda")
      let asked = try #require(server.server.requests.first).target
      #expect(asked.contains("taxon_name=Ailurus&") && asked.contains("per_page=30&fields=(id:!t"))
      for status in [404, 422, 500] {
        server.server.serve("/v2/observations", LoopbackResponse(status: status, body: "no"))
        let before = server.paths.count
        #expect(try await fetch("inaturalist", server).title == "Sikkim")
        #expect(
          Array(server.paths[before...].prefix(2)) == ["/v2/observations", "/v1/observations"])
      }
    }
  }

  @Test func `without a contact, 8 requests a minute go to all hosts of a service`() async throws {
    let directory = TemporaryDirectory()
    let clock = SettableClock()
    let start = clock.now
    func gates() -> RequestGates {
      RequestGates(
        in: StorageDirectory(url: directory.url),
        timer: MonotonicTimer(
          now: { .seconds(clock.now.timeIntervalSince(start)) }, sleep: { _ in }),
        now: { clock.now })
    }
    let commons = try #require(SourceDescription.named("commons"))
    #expect(commons.limits.withoutContact == 8)
    for host in ["commons", "upload", "thumb"] {
      #expect(commons.counts(try #require(URL(string: "https://\(host).wikimedia.org/a.jpg"))))
    }
    #expect(!commons.counts(try #require(URL(string: "https://notwikimedia.org/a.jpg"))))
    let known = gates()
    for (hasContact, most) in [(false, 8), (true, 60)] {
      clock.now += 3_600
      let end = clock.now + 59.9
      var made = 0
      while clock.now < end {
        // Without a contact, each request is that of another process.
        let limiter = RequestLimiter(
          hasContact ? "a" : "b", commons.limits, hasContact ? known : gates(),
          // A date has no fractions of a microsecond, and would stand still.
          timer: MonotonicTimer(
            now: { .zero }, sleep: { clock.now += max(0.001, $0 / .seconds(1)) }),
          hasContact: { hasContact })
        do {
          try await limiter.perform("x") {}
          if clock.now < end { made += 1 }
        } catch is ImageSourceError {
          clock.now += 1
        }
      }
      #expect(made <= most && made > most - 2, "\(made)")
    }
  }

  @Test func `a refusal at the edge says that the contact is missing`() async throws {
    try await withServer { server in
      server.server.serve("/w/api.php", LoopbackResponse(status: 403, body: "<html>"))
      var description = try server.description("commons")
      description.limits.withoutContact = 600
      let nameless = HTTPClient(
        userAgent: "panda/1 (https://panda.example/)", limits: .patient, environment: [:])
      let source = SourceBench().source(description, server, client: nameless)
      let error = await #expect(throws: ImageSourceError.self) {
        try await source.fetchImage { _ in }
      }
      #expect(error?.kind == .noContact && error?.message.contains("contact") == true)
      #expect(error.map { RequestGate.Failure($0) } == .refused)
      #expect(server.paths == ["/w/api.php"])
      await nameless.close()
      let other = await #expect(throws: HTTPError.self) {
        try await SourceBench().source(description, server).fetchImage { _ in }
      }
      #expect(other?.status == 403)
    }
  }

  @Test func `fault 21: Openverse's refusal of a page refuses no program`() async throws {
    try await withServer { server in
      server.server.serve(
        "/v1/images/",
        LoopbackResponse(
          status: 401,
          body: #"{"detail": "page_size may not exceed 20 for anonymous requests"}"#))
      let error = await #expect(throws: HTTPError.self) { try await fetch("openverse", server) }
      #expect(error.map { RequestGate.Failure($0) } == .useless)
    }
  }

  @Test(arguments: [
    ("de", "Ein Kleiner Panda"), ("en", "A red panda"), ("fr", "A red panda"), ("d", "A red panda"),
  ])
  func `a description is plain text in the user's language, or in English`(
    _ language: String, _ words: String
  ) {
    let html = """
      <div lang="en"><span class="language en"><b>English: </b></span>A <i>red panda</i></div>
      <div class="x" lang="de-AT"><span class="language de">D: </span>Ein <div>Kleiner</div> Panda</div>
      """
    #expect(PlainText.of(html: html, in: language) == words)
    #expect(PlainText.of(html: "Only <b>this</b>", in: language) == "Only this")
    #expect(["LANG": "de_DE.UTF-8", "LC_ALL": ""].userLanguage == "de")
    #expect(["LC_ALL": "C.UTF-8"].userLanguage == "en" && [:].userLanguage == "en")
  }

  @Test func `iNaturalist gives only photos with an open license, large, with their observation`()
    async throws
  {
    try await withServer { server in
      server.serve("/v2/observations", json: ServiceAnswers.inaturalist)
      try server.serve(picture: "/photos/2/large.png")
      let bench = SourceBench()
      let image = try await fetch("inaturalist", server, bench: bench)
      #expect(image.url == server.server.url("/photos/2/large.png"))
      #expect(image.source == "iNaturalist" && image.identity == "inaturalist/2")
      #expect(image.credit == "Ada" && image.title == "Sikkim")
      #expect(image.license == "CC BY")
      #expect(image.page?.absoluteString == "https://www.inaturalist.org/observations/1")
      #expect(await CandidateShelf(bench.library).count("inaturalist") == 0)
    }
  }

  @Test
  func `fault 106: Openverse gives a license, and what is gone or cannot be decoded is skipped`()
    async throws
  {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["gone", "cut", "a"]))
      server.server.serve("/pictures/gone.png", LoopbackResponse(status: 410, body: "gone"))
      // Its header is right, and not a row of it is there.
      let cut = RemoteImage.picture(1).prefix(45)
      server.server.serve("/pictures/cut.png", LoopbackResponse(fields: [], body: cut))
      let image = try await fetch("openverse", server)
      #expect(image.title == "Red panda a" && image.credit == "Grace")
      #expect(image.license == "CC BY 2.0")
      #expect(image.page?.absoluteString == "https://www.flickr.com/photos/x/a")
      #expect(server.server.requests[0].target.hasSuffix("&page=1"))
      #expect(
        server.paths
          == ["/v1/images/", "/pictures/gone.png", "/pictures/cut.png", "/pictures/a.png"])
    }
  }

  @Test(arguments: [
    ("some-random-api", "/animal/red_panda", #"{"image": "BASE/pictures/a.png", "fact": "x"}"#),
    ("some-random-api", "/animal/red_panda", #"{"link": "BASE/pictures/a.png"}"#),
    ("animality", "/img/redpanda", #"{"link": "BASE/pictures/a.png"}"#),
    ("animality", "/img/redpanda", #"{"image": "BASE/pictures/a.png", "fact": "x"}"#),
    ("tinyfox", "/img.json", #"{"loc": "/pictures/a.png", "remaining_api_calls": 999}"#),
    (
      "redpanda.club", "/random/json",
      #"{"width": 640, "height": 480, "key": "a", "url": "BASE/pictures/a.png"}"#
    ),
  ])
  func `small services give a picture without the members that they lack`(
    name: String, path: String, answer: String
  ) async throws {
    try await withServer { server in
      server.serve(path, json: answer)
      let bench = SourceBench()
      let image = try await fetch(name, server, bench: bench)
      #expect(image.url == server.server.url("/pictures/a.png"))
      #expect(image.credit == nil && image.license == nil && image.page == nil)
      #expect(bench.library.sources.candidates.items.isEmpty)
    }
  }

  @Test func `a test shows the parsed answer as text`() async throws {
    try await withServer { server in
      server.serve("/w/api.php", json: ServiceAnswers.commons([ServiceAnswers.commonsPage("a")]))
      let probe = await SourceProbe(try server.description("commons"), client: server.client)
      let values = Dictionary(uniqueKeysWithValues: probe.findings.map { ($0.member, $0.value) })
      #expect(values["credit"] == "Zoë & X" && values["title"] == "Red Panda (a)")
      #expect(values["identity"] == "commons/97" && values["license"] == "CC BY-SA 4.0")
      #expect(probe.picture != nil)
    }
  }

  // MARK: Broken

  @Test(
    arguments: [
      ("<!doctype html><title>parked</title>", .webPage), ("", nil), ("oh no", .notJSON),
      (#"{"results": []}"#, .noPicture), (#"{"results": {}}"#, .noPicture), ("[]", .noPicture),
      ("null", .noPicture), (#"{"results": [5, null, "x", [], {}]}"#, .noPicture),
      (#"{"results": [{"url": 5, "license": "by"}]}"#, .noPicture),
      (#"{"results": [{"url": "/pictures/a.png", "license": "by"}]}"#, .relativeAddress),
      (#"{"results": [{"url": "BASE/pictures/a.png", "license": "by-nc"}]}"#, .noOpenLicense),
      (#"{"results": [{"url": "BASE/pictures/a.png"}]}"#, .noOpenLicense),
      (#"{"results": [{"url": "BASE/pictures/a.webm", "license": "by"}]}"#, .video),
      (#"{"results": [{"url": "file:///etc/passwd", "license": "by"}]}"#, .noPicture),
      (#"{"results": [{"url": "javascript://x/%0aalert(1)", "license": "by"}]}"#, .noPicture),
      (
        #"{"results": [{"url": "BASE/pictures/a.png", "license": "by", "width": 1e9, "height": 9e8}]}"#,
        .noPicture
      ),
    ] as [(String, ImageSourceError.Kind?)])
  func `an unusable answer is an error with a reason`(
    answer: String, kind: ImageSourceError.Kind?
  ) async throws {
    try await withServer { server in
      server.serve("/v1/images/", json: answer)
      let error = await #expect(throws: (any Error).self) { try await fetch("openverse", server) }
      #expect((error as? ImageSourceError)?.kind == kind, "\(String(describing: error))")
      #expect(!server.paths.contains { $0.hasPrefix("/pictures") })
    }
  }

  @Test(arguments: ["webm", "mp4", "MP4?x=1"])
  func `a video from TinyFox is refused with a clear message`(name: String) async throws {
    try await withServer { server in
      server.serve("/img.json", json: #"{"loc": "/cdn/wah.\#(name)", "remaining_api_calls": 9}"#)
      let error = await #expect(throws: ImageSourceError.self) {
        try await fetch("tinyfox", server)
      }
      #expect(
        error?.message == "127.0.0.1:\(server.server.port) sent a video instead of a picture")
      #expect(server.paths == ["/img.json"])
    }
  }

  @Test(arguments: [
    LoopbackResponse(status: 404, body: "not here"), LoopbackResponse(body: "<html>parked</html>"),
    LoopbackResponse(status: 403, body: "hotlink"), LoopbackResponse(body: Data([0xff, 0xd8])),
  ])
  func `an invalid picture is skipped, three at most`(broken: LoopbackResponse) async throws {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["x1", "x2", "x3", "x4", "a"]))
      server.server.serve("/pictures/x*", broken)
      var description = try server.description("openverse")
      description.limits.requestsPerMinute = 600
      let source = SourceBench().source(description, server)
      await #expect(throws: (any Error).self) { try await source.fetchImage { _ in } }
      #expect(server.paths.count == 4)
      // The remaining two, without another list.
      #expect(try await source.fetchImage { _ in }.title == "Red panda a")
      #expect(server.paths.count == 6)
    }
  }

  @Test func `a service in trouble keeps its candidates`() async throws {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["a", "b"]))
      server.server.serve(
        "/pictures/a.png", LoopbackResponse(status: 429, fields: [("Retry-After", "7")]))
      let bench = SourceBench()
      let description = try server.description("openverse")
      let error = await #expect(throws: HTTPError.self) {
        try await bench.source(description, server).fetchImage { _ in }
      }
      #expect(error?.kind == .status(429, retryAfter: .seconds(7)))
      try server.serve(picture: "/pictures/a.png")
      // After the wait.
      let source = bench.source(description, server, client: .forTests())
      let titles = [
        try await source.fetchImage { _ in }.title, try await source.fetchImage { _ in }.title,
      ]
      #expect(Set(titles) == ["Red panda a", "Red panda b"])
      #expect(server.paths.count { $0 == "/v1/images/" } == 1)
    }
  }

  @Test func `a private host in an answer is not contacted`() async throws {
    try await withServer { server in
      server.serve(
        "/v1/images/",
        json: #"{"results": [{"url": "http://127.0.0.2:9/a.png", "license": "by"}]}"#)
      let error = await #expect(throws: HTTPError.self) { try await fetch("openverse", server) }
      #expect(error?.kind == .address(.privateHost))
    }
  }

  // MARK: Lists

  @Test func `a list lasts until all of it was shown, even across a relaunch`() async throws {
    try await withServer { server in
      let directory = TemporaryDirectory()
      server.server.serve("/v1/images/") { request in
        server.response(
          ServiceAnswers.openverse(request.target.hasSuffix("page=1") ? ["a", "b", "c"] : ["d"]))
      }
      var titles: [String?] = []
      for _ in 0..<2 {
        let bench = SourceBench(directory)
        titles.append(try await fetch("openverse", server, bench: bench).title)
        await bench.library.close()
      }
      let bench = SourceBench(directory)
      titles.append(try await fetch("openverse", server, bench: bench).title)
      #expect(titles == ["Red panda a", "Red panda b", "Red panda c"])
      #expect(server.paths.count { $0 == "/v1/images/" } == 1)
      // Then the second page, not the first again.
      #expect(try await fetch("openverse", server, bench: bench).title == "Red panda d")
      #expect(server.paths.count { $0 == "/v1/images/" } == 2)
      await bench.library.close()
    }
  }

  @Test func `known pictures are skipped, and seen ones are repeated if all are known`()
    async throws
  {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["a", "b", "c", "d"]))
      let bench = SourceBench()
      func image(_ name: String) -> RemoteImage {
        RemoteImage(
          createdAt: Date(timeIntervalSince1970: 1),
          url: server.server.url("/pictures/\(name).png"),
          width: 1, height: 1, dataRepresentation: Attachment(Data(name.utf8)), source: "x")
      }
      try await bench.library.save(image("a"))
      try await bench.library.hide(image("b"))
      try await bench.library.noteSeen(image("c"))
      #expect(try await fetch("openverse", server, bench: bench).title == "Red panda d")
      try await bench.library.noteSeen(image("d"))
      // All are known now: two more lists are requested, as many as allowed per hour, and one that
      // was seen is shown again.
      let again = try await fetch("openverse", server, bench: bench)
      #expect(["Red panda c", "Red panda d"].contains(again.title))
      #expect(server.paths.count { $0 == "/v1/images/" } == 3)
      let error = await #expect(throws: ImageSourceError.self) {
        try await fetch("openverse", server, bench: bench)
      }
      guard case .resting(let wait)? = error?.kind else { throw TestFailure("\(error as Any)") }
      #expect(wait > .seconds(3000) && wait <= .seconds(3600))
      #expect(server.paths.count { $0 == "/v1/images/" } == 3)
    }
  }

  @Test func `two concurrent callers request one list`() async throws {
    try await withServer { server in
      let gate = Gate()
      server.server.serveRaw("/v1/images/") { _, connection in
        _ = connection.wait(for: gate)
        let body = server.response(ServiceAnswers.openverse(["a", "b"])).body
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.send(body)
      }
      let source = SourceBench().source(try server.description("openverse"), server)
      async let first = source.fetchImage { _ in }
      async let second = source.fetchImage { _ in }
      try await server.server.wait { $0.requests >= 1 }
      gate.open()
      let titles = try await [first.title, second.title]
      #expect(Set(titles) == ["Red panda a", "Red panda b"])
      #expect(server.paths.count { $0 == "/v1/images/" } == 1)
    }
  }

  @Test func `a pause is no reason to pass a picture over`() {
    let resting = ImageSourceError(.resting(.seconds(20)), host: "a")
    let errors: [(any Error, Bool)] = [
      (resting, false), (CancellationError(), false), (ImageSourceError(.video, host: "a"), true),
    ]
    for (error, mayFail) in errors { #expect(DescribedSource.mayFailAgain(error) == mayFail) }
  }

  @Test func `a canceled fetch puts its candidate back`() async throws {
    try await withServer { server in
      server.serve("/v1/images/", json: ServiceAnswers.openverse(["a"]))
      server.server.serveRaw("/pictures/a.png") { _, connection in connection.waitUntilClosed() }
      let bench = SourceBench()
      let source = bench.source(try server.description("openverse"), server)
      let task = Task { try await source.fetchImage { _ in } }
      try await server.server.wait { $0.requests >= 2 }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await CandidateShelf(bench.library).count("openverse") == 1)
    }
  }
}
