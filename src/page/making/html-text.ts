import { Readability } from '@mozilla/readability';
import { trusted } from '../trusted.ts';
import { markupText } from './markup-text.ts';

/** What is read from a web page that was saved. */
interface PageText {
  readonly text: string;
  readonly title: string | null;
  readonly url: string | null;
  /** ISO 8601. */
  readonly publishedAt: string | null;
}

/** An article has at least so many characters, or as much of the page as this share. */
const ARTICLE = { characters: 400, share: 0.5 };

/** The article of a page; the whole page where there is none. Its scripts do not run, and nothing of it is loaded. */
export function htmlText(markup: string): PageText {
  const page = trusted.parse(markup);
  const url = page.querySelector('link[rel="canonical"]')?.getAttribute('href') ?? null;
  const title = page.title.trim() || null;
  const body = markupText(page.body);
  const article = articleOf(page);
  const text = article === null ? null : markupText(article.root);
  const isWhole = text !== null && (text.length >= ARTICLE.characters || text.length >= ARTICLE.share * body.length);
  return {
    text: isWhole ? text : body,
    title: title ?? (article?.title || null),
    url: url !== null && /^https?:\/\/./.test(url) && URL.canParse(url) ? url : null,
    publishedAt: dateIn(article?.publishedAt ?? null),
  };
}

interface Article {
  readonly root: HTMLElement;
  readonly title: string | null;
  readonly publishedAt: string | null;
}

function articleOf(page: Document): Article | null {
  // Readability would put what they hold into the page as markup, which the browser refuses.
  for (const each of page.querySelectorAll('noscript')) each.remove();
  try {
    const found = new Readability<Node>(page, {
      // Below it, Readability begins again by setting markup.
      charThreshold: 1,
      serializer: (node) => node,
    }).parse();
    if (found === null || !(found.content instanceof HTMLElement)) return null;
    return { root: found.content, title: found.title ?? null, publishedAt: found.publishedTime ?? null };
  } catch {
    return null;
  }
}

function dateIn(time: string | null): string | null {
  const date = time?.match(/^\d{4}-\d{2}-\d{2}/)?.[0];
  return date === undefined || Number.isNaN(Date.parse(date)) ? null : date;
}
