internal import FoundationEssentials
internal import Pantry

enum GalleryStyle {
  /// The policy that allows this style sheet and pictures inside the page, and nothing else.
  ///
  /// No script runs, no request is made, whatever a caption has in it
  /// (https://www.w3.org/TR/CSP3/).
  static let policy = policy(pictures: "data:")

  /// The policy of a site, whose pictures are beside it.
  static let sitePolicy = policy(pictures: "'self'")

  private static func policy(pictures: String) -> String {
    let digest = Data(ContentDigest(of: Data(text.utf8)).bytes).base64EncodedString()
    return "default-src 'none'; img-src \(pictures); style-src 'sha256-\(digest)'; "
      + "base-uri 'none'; form-action 'none'"
  }

  /// Portraits are cropped as thumbnails are, as nearly as one percentage can say it: their rule
  /// cuts 23 percent of the excess of 3:4 at the top, and 29 percent of that of 9:16.
  ///
  /// A picture is shown whole when it is the page's target, by a click on it: no script is needed.
  static let text = """

    :root { color-scheme: light dark; --paper: #faf7f4; --card: #fff; --ink: #2b2420;
      --soft: #6f635b; --line: #e6ddd5; --rust: #a8431a; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #171311; --card: #221c19; --ink: #f2ebe6; --soft: #b3a59b;
        --line: #382f2a; --rust: #f0915f; } }
    * { box-sizing: border-box; }
    body { margin: 0; padding: clamp(1rem, 3vw, 3rem); background: var(--paper); color: var(--ink);
      font: 1rem/1.5 system-ui, sans-serif; }
    header, main, footer { max-width: 90rem; margin: 0 auto; }
    header { margin-bottom: clamp(1rem, 3vw, 2.5rem); }
    h1 { margin: 0; font-size: clamp(1.8rem, 5vw, 3rem); line-height: 1.1;
      letter-spacing: -0.02em; }
    header p, footer { color: var(--soft); }
    header p { margin: .4rem 0 0; }
    footer { margin-top: 3rem; font-size: .85rem; }
    ul { list-style: none; margin: 0; padding: 0; }
    main > ul { display: grid; gap: clamp(.8rem, 2vw, 1.6rem); align-items: start;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
    figure { margin: 0; overflow: hidden; background: var(--card);
      border: 1px solid var(--line); border-radius: .8rem; box-shadow: 0 1px 3px #0001; }
    img { display: block; width: 100%; height: auto; aspect-ratio: 4 / 3; object-fit: cover;
      object-position: 50% 25%; background: var(--line); }
    figcaption { padding: .8rem 1rem 1rem; overflow-wrap: anywhere; }
    figcaption p { margin: 0; }
    .name { margin-bottom: .15rem; font-weight: 600; line-height: 1.3; }
    .credit, time { color: var(--soft); font-size: .875rem; }
    .tags { display: flex; flex-wrap: wrap; gap: .35rem; margin: .5rem 0 0; }
    .tags li { padding: 0 .55rem; border: 1px solid var(--line); border-radius: 1rem;
      font-size: .8rem; color: var(--rust); }
    nav { max-width: 90rem; margin: 2rem auto 0; display: flex; flex-wrap: wrap; gap: .4rem; }
    nav > * { min-width: 2.75rem; padding: .5rem; border: 1px solid var(--line);
      border-radius: .5rem; text-align: center; }
    a { color: var(--rust); }
    a:focus-visible { outline: 3px solid var(--rust); outline-offset: 2px; }
    .open { display: block; }
    .close { display: none; }
    main > ul > li:target { position: fixed; inset: 0; z-index: 1; overflow: auto;
      background: var(--paper); }
    li:target figure { display: grid; align-content: center; justify-items: center;
      min-height: 100%; padding: 1rem; border: 0; border-radius: 0; background: none;
      text-align: center; }
    li:target img { width: auto; height: auto; max-width: 100%; max-height: 82vh; margin: 0 auto;
      aspect-ratio: auto; object-fit: contain; background: none; }
    li:target .tags { justify-content: center; }
    li:target .close { display: inline-block; padding: .6rem 1rem; }
    @media print {
      body { padding: 0; background: none; color: #000; font-size: 9pt; }
      main > ul { grid-template-columns: repeat(3, 1fr); gap: 4mm; }
      main > ul > li, main > ul > li:target { break-inside: avoid; position: static; }
      figure { box-shadow: none; border-radius: 0; }
      img { aspect-ratio: auto; }
      a { color: inherit; text-decoration: none; }
    }

    """
}
