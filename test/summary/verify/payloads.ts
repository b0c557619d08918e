/** What a lying model may put into a sentence that its quote does not contain, and what must not be left of it. */
const FELL = 'traffic in the centre fell by 18 percent';

export const QUOTE = 'Traffic in the centre fell by 18 percent in the first year of the charge.';

/** As in the attack on the service. */
const ATTACK: readonly (readonly [text: string, forbidden: string])[] = [
  [`${FELL}, visit http://evil.example now`, 'evil'],
  [`see evil.example: ${FELL}`, 'evil'],
  [`${FELL} (www.evil.example)`, 'evil'],
  [`${FELL}, write to bob@evil.example`, 'evil'],
  [`<script>alert(1)</script> ${FELL}`, 'script'],
  [`<img src=x onerror=alert(1)> ${FELL}`, 'img'],
  [`<a href="javascript:alert(1)">${FELL}</a>`, 'javascript'],
  [`<svg onload=alert(1)> ${FELL}`, 'svg'],
  [`<iframe src="/admin"></iframe> ${FELL}`, 'iframe'],
  [`<!-- ${FELL} -->`, '<!'],
  [`[${FELL}](javascript:alert(1))`, 'javascript'],
  [`[${FELL}](http://evil.example)`, 'evil'],
  [`[${FELL}](/admin)`, 'admin'],
  [`![x](http://evil.example/?q=1) ${FELL}`, 'evil'],
  [`![x][ref] ${FELL}`, '!['],
  [`[${FELL}][ref]`, 'ref]'],
  [`<http://evil.example> ${FELL}`, 'evil'],
  [`=HYPERLINK("http://evil.example","click") ${FELL}`, 'HYPERLINK'],
  [`=1+1 ${FELL}`, '=1'],
  [`+cmd|' /C calc'!A0 ${FELL}`, 'cmd'],
  [`-2+3+cmd|' /C calc'!A0 ${FELL}`, 'cmd'],
  [`@SUM(A1) ${FELL}`, 'SUM'],
  [`${FELL}\u202e evil\u202c`, '\u202e'],
  [`${FELL}\u009b31m\u001b[31m`, '\u009b'],
];

const OWN: typeof ATTACK = [
  [`${FELL}, HTTPS://EVIL.EXAMPLE/Path`, 'evil'],
  [`${FELL}, hXXp://evil.example`, 'evil'],
  [`${FELL}, Evil.Example`, 'evil'],
  [`${FELL}, ftp://evil/x`, 'evil'],
  [`${FELL}, //evil/x`, 'evil'],
  [`${FELL}, \\\\evil\\share`, 'evil'],
  [`${FELL} at evil．example`, 'evil．ex'],
  [`${FELL} at evil。example`, 'evil。ex'],
  [`${FELL} at evil｡example`, 'evil｡ex'],
  [`${FELL} at evil․example`, 'evil․ex'],
  [`${FELL} at 𝐞𝐯𝐢𝐥.𝐜𝐨𝐦`, '𝐞𝐯𝐢𝐥'],
  [`${FELL} at ｅｖｉｌ.com`, 'ｅｖｉｌ'],
  [`${FELL} at ev\u200bil.exa\u200bmple`, 'evil'],
  [`${FELL} at ev\u00adil.ex\u2060ample`, 'evil'],
  [`${FELL} at evil[.]example`, 'evil'],
  [`${FELL} at evil (dot) example`, 'evil'],
  [`${FELL} at xn--vil-9na.xn--p1ai`, 'xn--'],
  [`${FELL} at пример.рф`, 'пример'],
  [`${FELL} at münchen-evil.de`, 'evil'],
  [`${FELL} at evil.com's page`, 'evil'],
  [`${FELL} at evil.com-hosted page`, 'evil'],
  [`${FELL}, and...evil.com`, 'evil'],
  [`${FELL} at x.com`, 'x.com'],
  [`${FELL} at 203.0.113.7`, '203.0'],
  [`${FELL} at [2001:db8::7]`, '2001'],
  [`${FELL} at localhost:3000`, 'localhost'],
  [`${FELL} at http://2130706433/`, '2130706433'],
  [`mailto:bob@evil.example ${FELL}`, 'evil'],
  [`tel:+44123456 ${FELL}`, 'tel:'],
  [`data:text/html;base64,PHNjcmlwdD4= ${FELL}`, 'base64'],
  [`JaVaScRiPt:alert(1) ${FELL}`, 'alert'],
  [`java\u00adscript:alert(1) ${FELL}`, 'alert'],
  [`&lt;script&gt;alert(1)&lt;/script&gt; ${FELL}`, 'alert'],
  [`&#60;script&#62; ${FELL}`, '&#'],
  [`evil&#46;example ${FELL}`, 'evil'],
  [`javascript&colon;alert(1) ${FELL}`, 'alert'],
  [`＜script＞alert(1) ${FELL}`, 'alert'],
  [`＝HYPERLINK("x") ${FELL}`, 'HYPERLINK'],
  [`"=cmd" ${FELL}`, 'cmd'],
  [`${FELL}, ask @everyone`, 'everyone'],
  [`${FELL} =IMPORTXML("x")`, 'IMPORTXML'],
  [`[ref]: /admin ${FELL}`, 'admin'],
  [`${FELL}\u061c\u2066\u180e\u{e0041}\u{e0042}`, '\u2066'],
  [`<ScRiPt src=//evil>${FELL}`, 'evil'],
];

export const PAYLOADS = [...ATTACK, ...OWN];

/** Sentences that are no lies, though they look like something: without any quote that has it. */
export const HONEST: readonly string[] = [
  'Many tools, e.g. Node.js and C#, fell out of use.',
  'The rate rose by 3.5 percent and/or more on 10.5.2021.',
  'A. B. Smith of the U.S.A. said so at 12:30:45, i.e. at noon.',
  'J.K. Rowling, Ph.D., and Dr. No, B.Sc., met at 5 p.m. on 5.Mai.',
  'Los EE.UU. y la dott.ssa Rossi; m.in. Polska, t.ex. Sverige, f.eks. Norge.',
  'Bürger:innen und Mitarbeiter:innen der 1.FC-Stiftung waren z.B. dabei, u.dgl. mehr.',
  '-5 degrees were measured, and +3.2% growth.',
  '+3.2% growth was measured.',
  'The ratio was 2:1, the score 10:8, and R&D grew; Q&A followed.',
  'The file report.pdf, index.html and data.csv are there [sic].',
  'She said: “a < b, and b > c”, with x = 3 (or 4).',
  '一部分代码用Python写成。他们很满意。',
  'می‌خواهم این را بگویم.',
  'Data: the numbers of 2020. JavaScript: a language.',
  'The team won 3–2... and it rained… Sec. 3.2.1 applies.',
];

/** Sentences that have what their quote has, in other words and forms. */
export const QUOTED: readonly (readonly [text: string, quote: string])[] = [
  ['Readers find it at one.example.', 'See https://one.example/path for more.'],
  ['Readers find it at https://one.example/path/.', 'See <https://one.example/path>.'],
  ['Booking.com-owned hotels gained.', 'Hotels of Booking.com gained.'],
  ['Booking.com’s hotels gained.', 'Hotels of BOOKING.COM gained.'],
  ['Write to bob@one.example, he says.', 'Ask (bob@one.example) for it.'],
  ['The address is 203.0.113.7.', 'It answers at 203.0.113.7, port 80.'],
  ['The tag <b> makes bold text.', 'Bold text is made by <b>.'],
  ['@mayor announced it.', 'It was announced by @mayor today.'],
  ['=SUM(A1:A3) adds three cells.', 'Three cells are added by =SUM(A1:A3).'],
  ['Docs are [here](https://one.example/x).', 'All docs: [here](https://one.example/x).'],
  ['Use &lt; for a sign.', 'The sign is written &lt; there.'],
];

/** Not enough: the quote has something alike. */
export const ALIKE: typeof QUOTED = [
  ['Readers find it at one.example/evil.', 'See https://one.example/path for more.'],
  ['Readers find it at evil.one.example.', 'See https://one.example/path for more.'],
  ['Readers find it at one.example.com.', 'See one.example for more.'],
  ['Readers find it at evil.com.', 'See notevil.com and evil.com.au for more.'],
  ['Write to eve@one.example.', 'Write to bob@one.example.'],
  ['The tag <script src=x> is bold.', 'The tag <script> is bold.'],
  ['Docs are [here](/admin).', 'Docs are [here](/docs).'],
  ['It answers at 203.0.113.7.', 'It answers at 203.0.113.70.'],
];
