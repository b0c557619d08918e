const words = (list: string) => new Set(list.trim().split(/\s+/u));

/** Words that limit the word they stand before, and must not be left off it, added to it or exchanged. */
export interface Qualifier {
  readonly opens: RegExp;
  /** What it must not stand behind: "more likely", "the most". */
  readonly notBehind?: RegExp;
  /** What it limits: a number that follows at once, the very next word, or the next word of content. */
  readonly limits: 'number' | 'next' | 'content';
  /** Words of the same sense, one of which must stand near that word in the sentence where a quote has it. */
  readonly kept?: ReadonlySet<string> | RegExp;
  /** One anywhere in the sentence is enough. */
  readonly isAnywhere?: boolean;
  /** "To close" and "by closing" say no more than a plan. */
  readonly isPurpose?: boolean;
  /** The same where the sentence has it: one must stand near that word in a quote. */
  readonly needed?: ReadonlySet<string> | RegExp;
  /** Qualifiers of the opposite sense: wrong in a sentence where its quotes have this one. */
  readonly against?: RegExp;
}

export const HOW_MANY = words(
  'some several few many most half part certain various numerous majority minority number often lot',
);
const POSSIBLY =
  words(`may might could can possibly perhaps maybe likely unlikely probably potentially potential possible possibility
  risk chance reportedly allegedly alleged suspected supposedly apparently expected report reports reported say says said claim claims
  claimed fear fears feared believe believes believed`);
const PLANNED =
  words(`plan plans planned planning expect expects expected hope hopes hoped hoping intend intends intended intention
  propose proposes proposed proposal aim aims aimed aiming want wants wanted due set scheduled seek seeks sought goal target may might could
  would wish wishes like announced promised ambition wanting projects projected projection projections forecast forecasts anticipates
  anticipated predicts predicted estimates estimated poised`);
export const TIMES = words('second minute hour day week month quarter year decade century');
const AT_LEAST =
  /\b(?:at least|more than|over|above|exceed\w*|no (?:fewer|less) than|upwards? of|minimum|older|plus)\b/u;
const AT_MOST = /\b(?:at most|(?:less|fewer) than|under|below|up to|no more than|maximum|younger)\b/u;
const LOWER = /\b(?:at least|(?<!no )more than|over|above|no (?:fewer|less) than)$/u;
const UPPER = /\b(?:at most|(?<!no )(?:less|fewer) than|under|below|up to|no more than)$/u;

export const QUALIFIERS: readonly Qualifier[] = [
  {
    opens: /\b(?:may|might|could|possibly|perhaps|likely|reportedly|allegedly)$/u,
    notBehind: /\b(?:more|less|most|as|not|un) \S+$/u,
    limits: 'content',
    kept: POSSIBLY,
  },
  {
    opens:
      /\b(?:plan(?:s|ned|ning)?|expect(?:s|ed)|hop(?:es?|ed|ing)|intend(?:s|ed)?|propos(?:es?|ed)|aim(?:s|ed)?|want(?:s|ed)?|due|scheduled) to$/u,
    limits: 'content',
    kept: PLANNED,
    isAnywhere: true,
    isPurpose: true,
  },
  { opens: LOWER, limits: 'number', kept: AT_LEAST, needed: AT_LEAST },
  {
    opens: UPPER,
    notBehind:
      /\b(?:go(?:es|ing|ne)?|went|was|were|is|adds?|added|brought|takes?|took|rose|risen) up to$|\b(?:driv|push|bring|brought|rais|lift|increas|gr[eo]w|climb|mov)\S*(?: \S+)* up to$/u,
    limits: 'number',
    kept: AT_MOST,
    needed: AT_MOST,
  },
  {
    opens: /(?<!\b(?:a|the|these|those|last|next|first|past) )\bfew(?: of)?$/u,
    limits: 'content',
    kept: /\b(?:few|hardly|scarcely|minority|small|rarely|seldom|not|no|none|nobody|only|handful|little)\b|n't\b/u,
    isAnywhere: true,
  },
  {
    opens: /\b(?:nearly|almost|virtually) (?:all|every)(?: of)?$/u,
    limits: 'content',
    kept: /\b(?:nearly|almost|virtually|practically|most|mostly|majority|vast|largely)\b/u,
    isAnywhere: true,
  },
  {
    opens: /\b(?:some|a few|many|most|half)(?: of)?$/u,
    notBehind: /\b(?:the|at|so|as|too|how|second|very|by|like) \S+$/u,
    limits: 'content',
    kept: HOW_MANY,
    isAnywhere: true,
  },
  {
    opens: /\b(?:all|every|each)(?: of)?$/u,
    notBehind: /\b(?:above|at|after|in|for|not|most|almost|nearly) \S+$/u,
    limits: 'content',
    needed: words(
      'all every each any everyone everything everybody whole entire entirely a an per no none both throughout always',
    ),
  },
  {
    opens: /\bmost(?: of)?$/u,
    notBehind: /\b(?:the|at|is|are|was|were|be) most$/u,
    limits: 'content',
    needed: words('most majority mostly mainly all every half largely'),
  },
  {
    opens: /\b(?:little|hardly|barely|scarcely)(?: any)?$/u,
    notBehind: /\b(?:a|the|this|his|her|their|its|my|our|of|as) little$/u,
    limits: 'content',
    kept: /\b(?:little|hardly|barely|scarce\w*|no|not|never|without|few|lack\w*|rarely|seldom|limited|scant|weak|small\w*|slight\w*|minimal\w*|less|low)\b|n't\b/u,
    isAnywhere: true,
  },
  {
    opens: /\b(?:nearly|almost)$/u,
    limits: 'next',
    kept: words('nearly almost virtually narrowly close practically near'),
  },
  {
    opens: /\b(?:except|excluding|except for|apart from)$/u,
    limits: 'content',
    kept: /\b(?:except\w*|exclud\w*|but|no|not|never|without|apart|besides|other|only|unless|alone|neither|refus\w*|declin\w*)\b|n't\b/u,
    isAnywhere: true,
  },
  { opens: /\bincluding$/u, limits: 'content', against: /\b(?:except(?: for)?|excluding|apart from)$/u },
  { opens: /\bbefore$/u, limits: 'content', against: /\bafter$/u },
  { opens: /\bafter$/u, limits: 'content', against: /\bbefore$/u },
  {
    opens: /\bby$/u,
    limits: 'number',
    against: /\bfrom$|(?<!\b(?:compared|relative|according|close|equal|up|due) )\bto$/u,
  },
  {
    opens: /\bto$/u,
    notBehind: /\d\S* (?:percent |million |billion )?to$/u,
    limits: 'number',
    against: /\b(?:by|from)$/u,
  },
  {
    opens: /\bfrom$/u,
    limits: 'number',
    against: /\bby$|(?<!\b(?:compared|relative|according|close|equal|up|due) )\bto$/u,
  },
];
