import { type Html, html } from './html.ts';
import type { Schema } from './open-api.ts';
import { literal } from './values.ts';

/** What a schema demands beyond its type, in a few words each. */
export function facts(schema: Schema): Html[] {
  if (typeof schema === 'boolean') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern } = schema;
  const words = [
    range(minimum, maximum),
    exclusiveMinimum !== undefined && `> ${numeral(exclusiveMinimum)}`,
    exclusiveMaximum !== undefined && `< ${numeral(exclusiveMaximum)}`,
    schema.multipleOf !== undefined && `a multiple of ${numeral(schema.multipleOf)}`,
    count(schema.minLength, schema.maxLength, 'character'),
    count(schema.minItems, schema.maxItems, 'item'),
    count(schema.minProperties, schema.maxProperties, 'field'),
    schema.uniqueItems === true && 'no item twice',
    schema.oneOf !== undefined && schema.oneOf.length > 1 && 'exactly one of these',
    schema.readOnly === true && 'only in answers',
    schema.writeOnly === true && 'only in requests',
    schema.deprecated === true && 'deprecated',
  ];
  return [
    ...words.flatMap((word) => (typeof word === 'string' ? [html`${word}`] : [])),
    ...(pattern === undefined ? [] : [html`matches <code>${pattern}</code>`]),
    ...('default' in schema ? [html`default ${literal(schema.default)}`] : []),
    ...(schema.items === undefined ? [] : facts(schema.items).map((fact) => html`each ${fact}`)),
  ];
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return `${numeral(least)} to ${numeral(most)}`;
  if (least !== undefined) return `≥ ${numeral(least)}`;
  return most === undefined ? undefined : `≤ ${numeral(most)}`;
}

function count(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const units = (number: number) => `${numeral(number)} ${unit}${number === 1 ? '' : 's'}`;
  if (most === undefined) return least === undefined || least === 0 ? undefined : `at least ${units(least)}`;
  if (least === undefined || least === 0) return `at most ${units(most)}`;
  return least === most ? units(most) : `${numeral(least)} to ${units(most)}`;
}

function numeral(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : String(value);
}
