import { type Content, Html, html } from '../../html/html.ts';
import { clipped } from './svg.ts';

/** Where on a page the sections of a comparison stand, and what they call what is compared. */
export interface Placement {
  /** Of the headings of sections; those in them are one below. */
  readonly level: 2 | 3;
  /** Before every id, so that several comparisons can stand on one page. */
  readonly prefix: string;
  readonly words: Naming;
  /** The number that an arm goes by on the whole page. */
  numberOf(name: string, place: number): number;
  /** A name of at most so many characters, for labels of plots. */
  shorten(name: string, most: number): string;
}

export interface Naming {
  readonly one: string;
  /** With its article. */
  readonly some: string;
  readonly many: string;
  /** One of what they are compared over. */
  readonly datum: string;
  readonly data: string;
}

/** A page of its own. */
export const ALONE: Placement = {
  level: 2,
  prefix: '',
  words: { one: 'arm', some: 'an arm', many: 'arms', datum: 'datum', data: 'data' },
  numberOf: (_, place) => place + 1,
  shorten: clipped,
};

/** A part of a page, with what the list of contents calls it. */
export interface Section {
  readonly id: string;
  readonly link: string;
  readonly title: string;
  readonly body: Content;
}

export function contentsOf(sections: readonly Section[], label: string, { prefix }: Placement): Html {
  return html`<nav aria-label="${label}"><ul>${sections.map(
    ({ id, link }) => html`<li><a href="#${prefix}${id}">${link}</a></li>`,
  )}</ul></nav>`;
}

export function sectionView({ id, title, body }: Section, { level, prefix }: Placement): Html {
  return html`<section id="${prefix}${id}">${heading(level, title)}
${body}</section>
`;
}

export function heading(level: number, title: Content, id?: string): Html {
  const name = new Html(`h${level}`);
  return html`<${name}${id !== undefined && html` id="${id}"`}>${title}</${name}>`;
}

/** As it stands at the head of a column. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
