import { describe, expect, test } from 'vitest';
import { OWN_ANSWERS, OWN_DEFAULTS, OWN_REQUESTS, resolveOwn, strategies } from '../../../src/selection/index.ts';

const OWN = Object.values(strategies).flatMap(({ own }) => own ?? []);

describe('options of a strategy of its own', () => {
  test('stand under a key that no other has', () => {
    const keys = OWN.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(Object.keys(OWN_REQUESTS)).toEqual(keys);
    expect(Object.keys(OWN_DEFAULTS)).toEqual(keys);
  });

  test.each(OWN)('$key: defaults are allowed and reported, and any other field is refused', (own) => {
    expect(own.request.safeParse(own.defaults).success).toBe(true);
    expect(own.answer.parse(own.defaults)).toEqual(own.defaults);
    expect(Object.keys(own.request.unwrap().shape).sort()).toEqual(Object.keys(Object(own.defaults)).sort());
    expect(own.request.safeParse({ other: 1 }).success).toBe(false);
  });

  test('take their defaults where a request is silent, and null is not silence', () => {
    expect(resolveOwn({})).toEqual(OWN_DEFAULTS);
    expect(resolveOwn({ mmr: { lambda: 0 }, exact: { milliseconds: 5 } })).toEqual({
      ...OWN_DEFAULTS,
      mmr: { lambda: 0 },
      exact: { ...OWN_DEFAULTS.exact, milliseconds: 5 },
    });
    expect(resolveOwn({ exact: { nodes: undefined, milliseconds: null } })).toEqual(OWN_DEFAULTS);
    expect(OWN_ANSWERS.exact.safeParse(OWN_DEFAULTS.exact).success).toBe(true);
  });
});
