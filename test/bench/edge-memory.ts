import { setTimeout as pause } from 'node:timers/promises';
import { type EdgeProcess, startEdge } from './edge-process.ts';

/** What is asked, and how large it is. */
export interface MemoryCase {
  readonly name: string;
  /** What comes before, and is not looked at. */
  prepare?(edge: EdgeProcess): Promise<unknown>;
  ask(edge: EdgeProcess): Promise<string>;
}

export interface MemoryFigures {
  readonly name: string;
  /** What came of it. */
  readonly outcome: string;
  /** Bytes held by the isolate at most: its heap, without garbage, and its buffers. */
  readonly held: number;
  readonly buffers: number;
  /** Bytes by which the whole process grew. */
  readonly grown: number;
  readonly seconds: number;
  /** Milliseconds computed. */
  readonly cpu: number;
}

const EVERY = 50;
/** What the tests of limits are not about. */
const UNBOUND = { TESSERA_MAX_BODY_MB: '32', TESSERA_MAX_CHARACTERS: '100000000', TESSERA_MAX_DOCUMENTS: '2000' };

/** Asks one thing of a Worker of its own, and looks at its memory all the while. */
export async function measureMemory({ name, prepare, ask }: MemoryCase): Promise<MemoryFigures> {
  const edge = await startEdge(UNBOUND);
  try {
    await edge.get('/readyz');
    await prepare?.(edge);
    // What was left behind is gone the second time.
    for (let n = 0; n < 2; n++) await Promise.all([edge.heap(), edge.get('/readyz')]);
    const before = { resident: edge.resident(), cpu: edge.cpu() };
    const peak = { held: 0, buffers: 0, resident: 0 };
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        const { used, buffers } = await edge.heap();
        if (used + buffers > peak.held) Object.assign(peak, { held: used + buffers, buffers });
        await pause(EVERY);
      }
    })();
    const resident = setInterval(() => {
      peak.resident = Math.max(peak.resident, edge.resident());
    }, 20);
    const start = performance.now();
    const outcome = await ask(edge);
    const seconds = (performance.now() - start) / 1000;
    isOver = true;
    await watching;
    clearInterval(resident);
    return {
      name,
      outcome,
      held: peak.held,
      buffers: peak.buffers,
      grown: peak.resident - before.resident,
      seconds,
      cpu: edge.cpu() - before.cpu,
    };
  } finally {
    await edge.runtime.close();
  }
}

/** Sentences that no other text has, of about 75 characters, as many as there is room for. */
export function longText(characters: number, salt: string): string {
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; length < characters; i++) {
    const sentence = `District ${salt}${i} of the town asked for ${i + 3} more trams before the winter of ${2000 + (i % 90)}. `;
    parts.push(sentence);
    length += sentence.length;
  }
  return parts.join('').slice(0, characters);
}

/** Documents of 20,000 characters. */
export const documentsOf = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 20_000) }, (_, i) => ({
    id: `d${i}`,
    text: longText(Math.min(20_000, characters - i * 20_000), `${i}-`),
  }));

async function outcomeOf(response: Response): Promise<string> {
  const text = await response.text();
  const points = (text.match(/"quote":/g) ?? []).length;
  return `${response.status}${points > 100 ? `, ${points} points` : ''}, answer ${(text.length / 1e6).toFixed(1)} MB`;
}

const intent = 'How many more trams were asked for?';

/** Without an intent nothing is gated: all points go into the kernel. */
export const waited = (characters: number, asked: string | null = intent): MemoryCase => ({
  name: `digest${asked === null ? ' without intent' : ''}, waited for, ${characters / 1000} k characters`,
  ask: async ({ post }) =>
    outcomeOf(await post('/v1/digests', { documents: documentsOf(characters), intent: asked ?? undefined })),
});

export const asJob = (characters: number, asked: string | null = intent): MemoryCase => ({
  name: `digest${asked === null ? ' without intent' : ''}, as a job, ${characters / 1000} k characters`,
  async ask({ post, get }) {
    const headers = { prefer: 'respond-async' };
    const response = await post(
      '/v1/digests',
      { documents: documentsOf(characters), intent: asked ?? undefined },
      headers,
    );
    if (response.status !== 202) return outcomeOf(response);
    const { id } = (await response.json()) as { readonly id: string };
    for (const until = performance.now() + 240_000; performance.now() < until; await pause(500)) {
      const found = await get(`/v1/digests/${id}`);
      const text = await found.clone().text();
      if (!/"status":"(?:queued|running)"/.test(text.slice(0, 200))) return outcomeOf(found);
    }
    return 'not made in 240 s';
  },
});

export const keyPoints = (characters: number): MemoryCase => ({
  name: `key points, ${characters / 1000} k characters`,
  ask: async ({ post }) => outcomeOf(await post('/v1/key-points', { documents: documentsOf(characters) })),
});

export const embeddings = (count: number): MemoryCase => ({
  name: `selection, ${count} embeddings of 768`,
  async ask({ post }) {
    const body = JSON.stringify({
      embeddings: Array.from({ length: count }, (_, i) =>
        Array.from({ length: 768 }, (_, k) => Math.round(1e6 * Math.sin(i * 769 + k * k)) / 1e6),
      ),
    });
    return `${await outcomeOf(await post('/v1/selections', body))}, body ${(body.length / 1e6).toFixed(1)} MB`;
  },
});

export const kernel = (count: number, strategy: string): MemoryCase => ({
  name: `selection by ${strategy}, a kernel of ${count}`,
  async ask({ post }) {
    const rows = Array.from({ length: count }, (_, i) =>
      Array.from({ length: count }, (_, j) => Math.round(1e6 * Math.exp(-((i - j) ** 2) / 8)) / 1e6),
    );
    const body = JSON.stringify({ kernel: rows, selection: { strategy } });
    return `${await outcomeOf(await post('/v1/selections', body))}, body ${(body.length / 1e6).toFixed(1)} MB`;
  },
});

export const evaluation = (characters: number): MemoryCase => ({
  name: `evaluation, ${characters / 1000} k characters`,
  async ask({ post }) {
    const documents = documentsOf(characters).map(({ text }) => text);
    const body = { metric: 'key-point-recall', answer: 'Trams were asked for.', keyPoints: ['Trams.'], documents };
    return outcomeOf(await post('/v1/evaluations', body));
  },
});
