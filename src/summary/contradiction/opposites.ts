import { stem } from './stem.ts';

/**
 * What kind of word an opposition is. A `verb` or a `state` (an adjective) opposes two statements only where it is said of the
 * subject, not where it names the subject; a `quantity` does so in the subject too ("most", "few").
 */
export type OppositionKind = 'verb' | 'state' | 'quantity';

const VERBS = `
increase raise boost lift grow rise climb expand enlarge / decrease reduce lower cut fall drop decline shrink diminish lessen slash
improve help benefit enhance / worsen harm hurt damage undermine impair
strengthen / weaken undermine
support back favour favor endorse / oppose reject resist
allow permit legalise legalize / ban prohibit forbid outlaw
approve accept pass adopt ratify / reject refuse block veto
accept admit acknowledge confirm / deny reject
gain win / lose
double / halve
uphold upheld / dismiss overturn
continue / stop
survive / die
buy purchase / sell
succeed / fail
create add generate / destroy eliminate
start begin launch open / stop end close shut
encourage promote foster / discourage deter hinder
cause / prevent
enable / prevent
agree / disagree
include / exclude
protect / endanger threaten
like love / dislike hate
trust / distrust mistrust
keep retain preserve / abandon scrap
join enter / leave
accelerate / slow delay
simplify / complicate
attract / deter repel
overestimate / underestimate
widen / narrow
loosen relax / tighten
unite / divide
for / against
`;
const STATES = `
safe harmless / dangerous unsafe hazardous risky
cheap affordable inexpensive / expensive costly unaffordable
legal lawful / illegal unlawful
good beneficial positive / bad harmful negative detrimental
better / worse
best / worst
effective / ineffective
efficient / inefficient
possible feasible / impossible unfeasible infeasible
necessary essential / unnecessary needless
likely / unlikely
true / false untrue
right / wrong
fair just / unfair unjust
easy simple / difficult hard
strong / weak
high / low
higher greater more bigger larger / lower less fewer smaller
happy / unhappy
healthy / unhealthy
popular / unpopular
successful / unsuccessful
reliable / unreliable
sustainable / unsustainable
constitutional / unconstitutional
acceptable / unacceptable
realistic / unrealistic
sufficient adequate / insufficient inadequate
stable / unstable
productive / unproductive counterproductive
profitable / unprofitable
useful helpful / useless
able / unable
voluntary optional / mandatory compulsory
temporary / permanent
guilty / innocent
alive / dead
faster quicker / slower
fast quick / slow
longer / shorter
richer / poorer
open / closed
moral ethical / immoral unethical
north northern / south southern
east eastern / west western
`;
const QUANTITIES = `
most / few
majority / minority
everyone everybody / nobody
often frequently / rarely seldom
always / rarely seldom
`;

interface Side {
  readonly group: number;
  readonly positive: boolean;
  readonly kind: OppositionKind;
}

const SIDES = new Map<string, Side[]>();
let groups = 0;
for (const [kind, list] of [
  ['verb', VERBS],
  ['state', STATES],
  ['quantity', QUANTITIES],
] as const) {
  for (const line of list.trim().split('\n')) {
    const [left = '', right = ''] = line.split(' / ');
    for (const word of left.split(' ')) note(word, { group: groups, positive: true, kind });
    for (const word of right.split(' ')) note(word, { group: groups, positive: false, kind });
    groups += 1;
  }
}

function note(word: string, side: Side): void {
  const key = stem(word);
  SIDES.set(key, [...(SIDES.get(key) ?? []), side]);
}

/** How two stems oppose each other; null where they do not. */
export function oppositionOf(a: string, b: string): OppositionKind | null {
  return meeting(a, b, false)?.kind ?? null;
}

/** Whether two stems stand on the same side of an opposition: "raise" and "boost". */
export function sameSide(a: string, b: string): boolean {
  return meeting(a, b, true) !== undefined;
}

export function isOpposable(key: string): boolean {
  return SIDES.has(key);
}

function meeting(a: string, b: string, agree: boolean): Side | undefined {
  const others = SIDES.get(b) ?? [];
  return SIDES.get(a)?.find((side) =>
    others.some((other) => other.group === side.group && (other.positive === side.positive) === agree),
  );
}
