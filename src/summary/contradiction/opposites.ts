import { stem } from './stem.ts';

/** Words against words, by lines. */
const OPPOSITES = `
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
pass / fail
profit / loss
earn / lose
defend / criticise criticize oppose
hire / fire dismiss
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
most / few
majority / minority
everyone everybody / nobody
often frequently / rarely seldom
always / rarely seldom
`;

/** The sides that a stem is on: the number of its line, positive on the left, negative on the right. */
const SIDES = new Map<string, number[]>();
OPPOSITES.trim()
  .split('\n')
  .forEach((line, index) => {
    const [left, right] = line.split(' / ').map((side) => side.split(' ').map(stem));
    for (const key of left) SIDES.set(key, [...sidesOf(key), index + 1]);
    for (const key of right) SIDES.set(key, [...sidesOf(key), -index - 1]);
  });

/** Whether two stems are opposed: "raise" and "lower". */
export function areOpposed(a: string, b: string): boolean {
  return sidesOf(a).some((side) => sidesOf(b).includes(-side));
}

/** Whether two stems stand on the same side of an opposition: "raise" and "boost". */
export function isOnSameSide(a: string, b: string): boolean {
  return sidesOf(a).some((side) => sidesOf(b).includes(side));
}

function sidesOf(key: string): readonly number[] {
  return SIDES.get(key) ?? [];
}
