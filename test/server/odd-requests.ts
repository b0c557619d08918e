import fc from 'fast-check';

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** JSON that stands where something else is asked for; some of it no JSON. */
const ODD_JSON = [
  ...'null true 0 -1 1.5 1e308 -1e308 1e999 9007199254740993 1e-400 "" [] {} NaN undefined 01 /**/1'.split(' '),
  ...'"\\u0000" "a\\u0000b" "\\ud800" "\\udc00\\ud800" "\\ufffe" "\u202e\u0301" "👩‍👩‍👧" "ﷺ" "\\u2028"'.split(' '),
  ...'[null] [[]] [1,"2"] {"":""} {"__proto__":{"polluted":1}} {"constructor":{"prototype":{}}}'.split(' '),
  ...'{"id":"a","text":"b"} {"toString":1,"valueOf":2} {"length":-1} "2026-02-30" "__proto__" "constructor"'.split(' '),
  ...['', '" "', "'a'", nested('[', ']', 3000), nested('{"a":', '}', 500), `"${'x'.repeat(3000)}"`],
];

const PROTOTYPE_KEYS = [
  ...'__proto__ constructor prototype toString hasOwnProperty surely-unknown \u0000'.split(' '),
  '',
];

/** A value in the place of another, a field too many or too few, somewhere in a body. */
export function oddBodies(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const swapped = fc.tuple(valid, fc.nat(), fc.constantFrom(...ODD_JSON), fc.nat(3)).map(([body, at, json, how]) => {
    const text = JSON.stringify(body);
    const value = JSON.parse(text);
    const places = placesIn(value);
    if (places.length === 0) return json;
    const [owner, key] = places[at % places.length];
    if (how === 0) Reflect.deleteProperty(owner, key);
    else if (how === 1)
      return text.replace('{', `{${JSON.stringify(PROTOTYPE_KEYS[at % PROTOTYPE_KEYS.length])}:${json},`);
    else owner[key] = MARK;
    return JSON.stringify(value).replace(JSON.stringify(MARK), () => json);
  });
  const cut = fc.tuple(valid, fc.nat()).map(([body, at]) => {
    const text = JSON.stringify(body);
    return text.slice(0, at % (text.length + 1));
  });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((all) => new Uint8Array(all)),
    valid.map((body) => new TextEncoder().encode(`\uFEFF${JSON.stringify(body)}`)),
    valid.map(
      (body) => new Uint8Array([...new TextEncoder().encode(JSON.stringify(body)).slice(0, -1), 0xc3, 0x28, 0x7d]),
    ),
  );
  return fc.oneof(
    { weight: 8, arbitrary: swapped },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: bytes },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_JSON) },
    { weight: 1, arbitrary: fc.json() },
  );
}

const MARK = '@@here@@';

function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  // Lists are objects whose keys are numbers.
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key): [Record<string, unknown>, string][] => [
    [owner, key],
    ...placesIn(owner[key]),
  ]);
}

/** What a header can hold at all. */
const headerText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.constantFrom(0x20, 0x09, 0xe9, 0xff))
    .map((code) => String.fromCharCode(code)),
  maxLength: 20,
});

const either = (...given: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...given) }, { weight: 1, arbitrary: headerText });

const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  accept: either('text/event-stream', '*/*', '', ';;q=2', 'application/json;q=0', 'text/event-stream;q=abc, */*;q=-1'),
  prefer: either(
    ...'respond-async wait=0 wait=1 wait=-1 wait=999999999 wait=1e3 ,,;= wait="0"'.split(' '),
    'respond-async; wait=5',
  ),
  'idempotency-key': either('a', 'a', '"b"', '""', 'k'.repeat(255), 'k'.repeat(256), '"a', 'ü', '__proto__', ' '),
  'last-event-id': either('0', '1', '-1', '99999999999999', '1e3', 'abc', '0x1', '٣', '2, 3'.replace('٣', '3')),
  authorization: either('Bearer', 'Bearer ', 'Bearer x', 'Basic YTpi', `Bearer ${'x'.repeat(5000)}`, 'Bearer a b'),
  'content-type': either(
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'multipart/form-data',
    'APPLICATION/JSON',
    'application/x-ndjson',
  ),
  'content-length': fc.constantFrom('0', '-1', '1e9', 'abc'),
  'content-encoding': fc.constantFrom('gzip', 'br'),
  'x-request-id': either('<script>', 'x'.repeat(500), 'fine-1'),
  host: either('localhost', 'evil.example', '[::1]:80', 'localhost:99999999', 'LOCALHOST'),
  'x-http-method-override': fc.constantFrom('DELETE', 'GET'),
};

/** Headers that are malformed or that ask for what is unusual. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .subarray(Object.keys(HEADERS), { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, withoutUnsendable(HEADERS[name])]))))
  // Copied: fast-check makes records that may have no prototype.
  .map((headers) => ({ ...headers }));

/** Of what is listed above, what `Headers` takes: Latin-1. */
function withoutUnsendable(values: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return values.map((value) => [...value].filter((character) => character.charCodeAt(0) < 256).join(''));
}

const SEGMENTS =
  `% %zz %00 %C0%AF %F0%9F ..%2f..%2fhealthz %2e%2e %252e %20 %ED%A0%80 '-- * %7Bid%7D __proto__ %E2%80%AE + ;a=b
  %3F %23`
    .split(/\s+/)
    .concat('x'.repeat(3000));

/** A segment of a path, encoded or wrongly so. */
export const oddSegments: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...SEGMENTS),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => encodeURIComponent(text)),
);

const base64 = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const CURSORS = [
  ...['', 'x', '%', '%00', '!!!', 'e30=', 'A'.repeat(4001)],
  ...'[] [1] ["a","b"] [1e999,"x"] {} null [null,null] [-1,"dig_0"] ["__proto__"] [1,"a","b"] \u00ff\u00fe'
    .split(' ')
    .map(base64),
];
const QUERY =
  `limit=0 limit=101 limit=1e2 limit=-1 limit=1.5 limit= limit=%205 limit=NaN limit=0x10 limit=1&limit=2 limit=3
    limit[]=1 surely=unknown __proto__=1 status=running status=done status= %=% &&= cursor=a&cursor=b
    limit=99999999999999999999`.split(/\s+/);

/** A query string with its question mark, or none. */
export const oddQueries: fc.Arbitrary<string> = fc
  .subarray([...QUERY, ...CURSORS.map((cursor) => `cursor=${cursor}`)], { maxLength: 2 })
  .map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`));
