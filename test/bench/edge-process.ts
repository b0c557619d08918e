import { readdirSync, readFileSync } from 'node:fs';
import { fetch, type WebSocket } from 'miniflare';
import { ScriptedAi } from '../runtime/scripted-ai.ts';
import { type Service, serviceOver } from '../runtime/service.ts';
import { SERVICE, startWorkerd, type WorkerdRuntime } from '../runtime/workerd-runtime.ts';

const DIMENSIONS = 768;
/** Vectors that are made before anything is measured. */
const VECTORS = 64;

/** Workers AI with vectors as long, as JSON, as a model's: dense, of six digits. Which text gets which, its length says. */
class DenseAi extends ScriptedAi {
  readonly #vectors: readonly (readonly number[])[] = Array.from({ length: VECTORS }, (_, i) => denseVector(i + 1));

  override async run(model: string, inputs: Parameters<ScriptedAi['run']>[1]): Promise<object> {
    const { data: _, ...answer } = Object(await super.run(model, { ...inputs, text: [] }));
    return {
      ...answer,
      data: inputs.text.map((text) => this.#vectors[(text.length * 31 + text.charCodeAt(0)) % VECTORS]),
    };
  }
}

function denseVector(seed: number): number[] {
  let state = (seed * 2654435761) | 1;
  return Array.from({ length: DIMENSIONS }, () => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.round(((state >>> 0) / 2 ** 32 - 0.5) * 1e5) / 1e6;
  });
}

/** Bytes that an isolate holds. */
export interface Heap {
  readonly used: number;
  /** Of buffers, which are outside of the heap. */
  readonly buffers: number;
}

/** The Worker in a process of its own, whose times and memory can be read. */
export interface EdgeProcess extends Service {
  readonly runtime: WorkerdRuntime;
  /** Milliseconds that the process has computed. */
  cpu(): number;
  /** Bytes of memory that the process holds. */
  resident(): number;
  /** What the isolate of the service holds once what nobody needs is gone. */
  heap(): Promise<Heap>;
}

/** Starts the deployed Worker with the variables beside its defaults. */
export async function startEdge(variables: Readonly<Record<string, string>> = {}): Promise<EdgeProcess> {
  const before = new Set(children());
  const runtime = await startWorkerd({ variables, ai: new DenseAi(), shared: { inspectorPort: 0 } });
  const [pid] = children().filter((id) => !before.has(id));
  const socket = await inspect(runtime);
  const send = commands(socket);
  await runtime.fetch('/healthz');
  for (const domain of ['Runtime', 'HeapProfiler']) await send(`${domain}.enable`);
  return {
    ...serviceOver(runtime),
    runtime,
    cpu: () => computed(pid),
    resident: () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    async heap() {
      // It answers once the isolate has something to do, and takes effect by then.
      void send('HeapProfiler.collectGarbage');
      const { usedSize, embedderHeapUsedSize = 0, backingStorageSize } = await send('Runtime.getHeapUsage');
      return { used: usedSize + embedderHeapUsedSize, buffers: backingStorageSize };
    },
  };
}

/** Processes of workerd that this one started. */
function children(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
        return name === 'workerd' && Number(parent) === process.pid;
      } catch {
        return false; // it ended meanwhile
      }
    })
    .map(Number);
}

/** By thread, for the times of processes are kept in hundredths of a second. */
function computed(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

async function inspect({ miniflare }: WorkerdRuntime): Promise<WebSocket> {
  const url = await miniflare.getInspectorURL();
  const { webSocket } = await fetch(new URL(`/core:user:${SERVICE}`, `http://${url.host}`), {
    headers: { upgrade: 'websocket' },
  });
  if (webSocket === null) throw new Error('the inspector cannot be reached');
  return webSocket;
}

type Send = (method: string) => Promise<Readonly<Record<string, number>>>;

function commands(socket: WebSocket): Send {
  const waiting = new Map<number, (result: Readonly<Record<string, number>>) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  socket.accept();
  return (method) =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method }));
    });
}
