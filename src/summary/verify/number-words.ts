const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const ORDINAL_UNITS =
  'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth';
const ORDINAL_TENS = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth';

const values = (list: string, from: number, step: number) =>
  list.split(' ').map((word, index) => [word, from + step * index] as const);

/** English numbers below a hundred. */
export const CARDINALS: ReadonlyMap<string, number> = new Map([...values(UNITS, 0, 1), ...values(TENS, 20, 10)]);

/** "First" and "second" are not among them: they open sentences and measure time. */
export const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...values(ORDINAL_UNITS, 3, 1),
  ...values(ORDINAL_TENS, 20, 10),
  ['hundredth', 100],
]);

/** Words and short forms that multiply the number before them, of languages that write numbers with Latin letters. */
export const SCALES: ReadonlyMap<string, number> = new Map(
  (
    [
      [12, 'dozen'],
      [1e2, 'hundred'],
      [1e3, 'thousand k tsd tausend mille mil mila duizend dausend'],
      [
        1e6,
        'million millions mn mio m millionen milliounen millón millones milioni milione milhões milhão miljoen miljoner milionów',
      ],
      [1e9, 'billion billions bn b mrd milliarde milliarden milliard milliards miliardi miliardo miljard miljarder'],
      [1e12, 'trillion trillions tn billionen'],
      [1e4, '万 萬'],
      [1e8, '億 亿'],
    ] as const
  ).flatMap(([factor, list]) => list.split(' ').map((word) => [word, factor] as const)),
);

/** English plurals that give a magnitude without a number. */
export const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ['dozens', 12],
  ['hundreds', 1e2],
  ['thousands', 1e3],
  ['millions', 1e6],
  ['billions', 1e9],
  ['trillions', 1e12],
]);

/** Parts of a whole, in percent. */
export const SHARES: ReadonlyMap<string, number> = new Map([
  ['half', 50],
  ['halves', 50],
  ['third', 100 / 3],
  ['thirds', 100 / 3],
  ['quarter', 25],
  ['quarters', 25],
  ['fourth', 25],
  ['fourths', 25],
  ['fifth', 20],
  ['fifths', 20],
  ['tenth', 10],
  ['tenths', 10],
]);

export const CURRENCIES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['$', '$ us$ usd dollar dollars'],
      ['€', '€ eur euro euros'],
      ['£', '£ gbp pound pounds'],
      ['¥', '¥ jpy yen cny yuan rmb'],
      ['₹', '₹ inr rupee rupees'],
      ['chf', 'chf franken franc francs'],
    ] as const
  ).flatMap(([sign, list]) => list.split(' ').map((word) => [word, sign] as const)),
);
