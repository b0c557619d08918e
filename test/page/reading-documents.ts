import type { SourceDocument } from '../../src/client/index.ts';

/** Filling that bears on nothing, so that quotes stand far down. */
function filling(town: string): string[] {
  return Array.from({ length: 50 }, (_, index) => `Item ${index} of ${town} concerns lamps and benches.`);
}

/** Documents whose quotes are not easily found again: repeated, wrapped, with emoji and combining characters, in CRLF. */
export const HARD_DOCUMENTS: readonly SourceDocument[] = [
  {
    id: 'repeated',
    title: 'Said twice',
    url: 'https://example.org/said-twice',
    publishedAt: '2025-03-04',
    text: `The tram cut noise in the old town.\n\n${filling('Ulm').join('\n\n')}\n\nThe tram cut noise in the old town.\n\nThe tram cut costs by 20 percent. The tram cut noise in the old town.`,
  },
  {
    id: 'emoji',
    title: 'Emoji 🚋 and e\u0301',
    text: `👩‍👩‍👧 Re\u0301sume\u0301: the tram 🚋 cut noise for the cafe\u0301 owners 🎉 in town.\n${filling('Riga').join('\n')}\nThe tram 🚋🚋 pleased the cafe\u0301 owners of the naïve old town 👍🏽.`,
  },
  {
    id: 'crlf',
    title: 'Windows lines',
    text: `Minutes of the council.\r\n\r\n${filling('Cork').join('\r\n')}\r\n\r\nThe tram that the council\r\nbuilt last year cut noise\r\nin the old town by half.\r\n\r\nThe benches stay.`,
  },
  {
    id: 'wrapped',
    title: 'Hard wrapped',
    text: `The tram line that was\nopened in spring cut noise\nbetween the old town\nand the harbour.\n\n${filling('Porto').join('\n\n')}\n`,
  },
];

/** Markup and addresses that must stay text. */
export const HOSTILE_DOCUMENTS: readonly SourceDocument[] = [
  {
    id: '<img src=x onerror=hacked()>/../%2e?#',
    title: '<script>hacked()</script><img src=x onerror=hacked()> ![](javascript:hacked())',
    url: 'javascript:hacked()',
    text: 'The tram <img src=x onerror=hacked()> cut noise. The tram <script>hacked()</script> cut costs [^1]: [x](javascript:hacked()).',
  },
  {
    id: '"><svg onload=hacked()>',
    title: ' ',
    url: 'data:text/html,<script>hacked()</script>',
    text: 'The tram cut noise "><svg onload=hacked()> in the old town.',
  },
];

/** Two that say the same, and one that says the opposite. */
export const OPPOSED_DOCUMENTS: readonly SourceDocument[] = [
  { id: 'ministry', title: 'Ministry', publishedAt: '2025-02-01', text: safe('', 'Ulm') },
  { id: 'union', title: 'Union', text: safe('not ', 'Riga') },
  { id: 'press', title: 'Press', text: safe('', 'Cork') },
];

function safe(not: string, town: string): string {
  return `The new tram line is ${not}safe for the children of the old town. The library of ${town} opens on Monday.`;
}
