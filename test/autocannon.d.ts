/** The part of autocannon that the load bench uses. */
declare module 'autocannon' {
  export interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }

  export interface Result {
    /** Seconds. */
    readonly duration: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
    readonly '2xx': number;
    readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }

  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly duration?: number;
    readonly amount?: number;
    readonly timeout?: number;
    readonly requests: readonly Request[];
    /** Whether only answers of 2xx count for latencies. */
    readonly excludeErrorStats?: boolean;
  }): Promise<Result>;
}
