/** In a word: an address of any scheme or none. A missing space ("fell.Traffic") looks like one, too. */
const ADDRESS: readonly RegExp[] = [
  /\/\/|\\\\|www\.|localhost[:/]|@[\p{L}\p{N}_]/u,
  /(?<![\p{L}\p{N}])(?:javascript|vbscript|data|mailto|tel|sms|file|blob|about|callto|skype|sips?|xmpp|magnet|urn|geo|view-source|intent|market|bitcoin|whatsapp|tg|cid|webcal|facetime|ethereum|search-ms|ms-[a-z-]{1,30}):/u,
  // The last dot of a host, not those of "Node.js", "EE.UU.", "dott.ssa", "5.Mai", "p.ex." and "fell.The".
  /(?<=[\p{L}\p{M}\p{N}\p{Extended_Pictographic}_-]{2}(?:\.[\p{L}\p{N}])?|\p{Extended_Pictographic})(?<!(?<![\p{L}\p{N}])\d\d)\.(?!(?:[jt]sx?|css|cs|cpp|html?|txt|json|csv|xml|ya?ml|toml|sql|php|exe|dll|pdf|docx?|xlsx?|pptx?|png|jpe?g|uu|hh|oo|aa|ra|ssa|and|but|for|from|her|his|its|not|our|she|that|the|their|then|there|these|they|this|was|were|when|while|with)(?![\p{L}\p{N}]))(?:xn--|(?:[a-z]{2,63}|рф|рус|бел|укр|бг|срб|қаз|ком|орг|нет|中国|中國|中文网|香港|台湾|台灣|한국|भारत|ไทย|ελ|ευ|москва|онлайн|сайт|みんな|コム|公司|网络|网址|在线|닷컴|닷넷)(?![\p{L}\p{N}]))/u,
  /(?<=[\p{L}\p{M}\p{N}\p{Extended_Pictographic}])\.(?:(?:com|net|org|co|me|io|ai|la|ws|fm|sh|xyz|gg|ly|cc|to|tv|app|dev)(?![\p{L}\p{N}])|[a-z]{2,63}(?::\d|\/))/u,
  /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![.\d]*\d)/u,
  /(?<![\p{L}\p{N}:])(?:(?:[\da-f]{1,4}:){5,7}[\da-f]|(?:[\da-f]{1,4}:){1,6}:[\da-f]|::[\da-f])/u,
];
/** At the beginning: what a spreadsheet runs; "-5", "+3.2%" and "-5°C" are figures. */
const FORMULA = /^(?:[=@]|[+-](?![\d.,]*\d[^\d+*/(=|-]*$))/u;
/** Anywhere: tags, links and images of Markdown, entities, calls of functions of a spreadsheet. */
const MARKUP =
  /<[a-z/!?][^<>]{0,300}>?|!\[|\]\([^()\s]{0,300}|\]\[[^[\]]{0,300}\]?|\]:(?=\S)|^\[[^[\]]{1,300}\]:|&(?:#|lt|gt|quot|[a-z][a-z0-9]{1,31};)|=\s?[a-z][a-z0-9._]{0,40}\(|(?:java|vb)script:\S{1,60}/giu;

const PATH = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}](?::\d{1,5})?[/?#]./u;
const WORD = /[^\s"'“”‘’„‚«»‹›()[\]{}<>|`]+/gu;

/**
 * The first address, markup or formula of a text that no quote contains; null if there is none. It does what it does
 * whatever a judge says of its sentence, so it stands only as a quotation. Linear in the quotes.
 */
export function foreignIn(text: string, quotes: readonly string[]): string | null {
  const read = readAsPrograms(text);
  const isActing = (word: string, w: number) =>
    (w === 0 && FORMULA.test(word)) || ADDRESS.some((each) => each.test(word.toLowerCase()));
  const acting = new Set([...(read.match(MARKUP) ?? []), ...wordsOf(read).filter(isActing)]);
  if (acting.size === 0) return null;
  const exact = quotes.map(readAsPrograms);
  const folded = exact.map((quote) => quote.toLowerCase());
  const isQuoted = (each: string) =>
    // With a path another case is another address.
    exact.some((quote, q) => isWholeIn(each, quote) || (!PATH.test(each) && isWholeIn(each.toLowerCase(), folded[q])));
  return [...acting].find((each) => !isQuoted(each)) ?? null;
}

/** As programs read it: no unseen characters, no look-alikes. */
function readAsPrograms(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<=[a-z0-9-])[。｡](?=[a-z])|\s?[[({](?:\.|dot)[\])}]\s?/giu, '.');
}

/** Words without the marks around them: "a.example" of "(a.example-based)"; what has a path goes on to the next blank. */
function wordsOf(read: string): string[] {
  const words = (read.match(/\S+/gu) ?? []).flatMap((run) =>
    PATH.test(run) ? run : (run.match(WORD) ?? []).map((word) => word.replace(/(?<=[\p{L}\p{N}])-\p{L}+\P{L}*$/u, '')),
  );
  return words.flatMap((word) => {
    const opened = word.replace(/^[^\p{L}\p{N}\p{Extended_Pictographic}/\\@=+-]+/u, '');
    return /^.*[\p{L}\p{M}\p{N}]|^[=+@-]/su.exec(opened)?.[0] ?? [];
  });
}

/** Whether a quote has it, and not within a longer name: "a.example" stands in "https://a.example/x", not in "b.a.example.com". */
function isWholeIn(wanted: string, quote: string): boolean {
  for (let at = quote.indexOf(wanted); at >= 0; at = quote.indexOf(wanted, at + 1)) {
    STARTED.lastIndex = at;
    GOES_ON.lastIndex = at + wanted.length;
    if (!STARTED.test(quote) && !GOES_ON.test(quote)) return true;
  }
  return false;
}

const STARTED = /(?<=[\p{L}\p{M}\p{N}_](?:[.+%]|-{1,9})?)[\p{L}\p{N}=+@-]/uy;
const GOES_ON = /(?<=[\p{L}\p{M}\p{N}])(?:[\p{L}\p{M}\p{N}_]|[\p{L}\p{N}-]{0,63}[.@][\p{L}\p{N}])/uy;
