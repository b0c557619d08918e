const IRREGULAR = new Map(
  Object.entries({
    rose: 'rise',
    risen: 'rise',
    fell: 'fall',
    fallen: 'fall',
    grew: 'grow',
    grown: 'grow',
    shrank: 'shrink',
    shrunk: 'shrink',
    lost: 'lose',
    won: 'win',
    built: 'build',
    began: 'begin',
    begun: 'begin',
    left: 'leave',
    kept: 'keep',
    forbade: 'forbid',
    forbidden: 'forbid',
    made: 'make',
    led: 'lead',
    brought: 'bring',
    saw: 'see',
    seen: 'see',
    sold: 'sell',
    bought: 'buy',
    paid: 'pay',
    died: 'die',
    met: 'meet',
    took: 'take',
    taken: 'take',
    gave: 'give',
    given: 'give',
    went: 'go',
    gone: 'go',
    came: 'come',
    wrote: 'write',
    written: 'write',
    held: 'hold',
    spent: 'spend',
    sent: 'send',
    ran: 'run',
    spoke: 'speak',
    chose: 'choose',
    chosen: 'choose',
    broke: 'break',
    broken: 'break',
    fought: 'fight',
    caught: 'catch',
    taught: 'teach',
    stood: 'stand',
    slept: 'sleep',
    men: 'man',
    women: 'woman',
    children: 'child',
    safer: 'safe',
    cheaper: 'cheap',
    stronger: 'strong',
    weaker: 'weak',
    riskier: 'risky',
    costlier: 'costly',
    easier: 'easy',
    harder: 'hard',
    healthier: 'healthy',
    happier: 'happy',
  }),
);

/** Takes the inflection off an English word, so that "reduces", "reduced" and "reducing" are one. Light: verbs and plurals. */
export function stem(word: string): string {
  const base = IRREGULAR.get(word) ?? word;
  return base
    .replace(/['’]s?$/u, '')
    .replace(/(?<=[a-z]{2})ies$|(?<=[a-z]{2})ied$/u, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/u, '')
    .replace(/(?<=[a-z]{2}[^su])s$/u, '')
    .replace(/(?<=[aeiouy][a-z]*[a-z])(?:ed|ing)$/u, '')
    .replace(/([bdgklmnprt])\1$/u, '$1')
    .replace(/(?<=[a-z]{2})e$/u, '')
    .replace(/(?<=[a-z]{2})y$/u, 'i');
}
