declare module '*.md' {
  const text: string;
  export default text;
}

/** The part of the runtime's module used here. */
declare module 'cloudflare:workers' {
  export interface WorkflowEvent<Params> {
    readonly payload: Params;
    readonly instanceId: string;
  }

  export interface WorkflowStep {
    do<T>(
      name: string,
      config: {
        readonly retries: {
          readonly limit: number;
          readonly delay: string;
          readonly backoff: 'constant' | 'linear' | 'exponential';
        };
        readonly timeout: string;
      },
      work: () => Promise<T>,
    ): Promise<T>;
    sleep(name: string, milliseconds: number): Promise<void>;
  }

  /** One instance per name; its methods can be called from anywhere. */
  export abstract class DurableObject {}

  export abstract class WorkflowEntrypoint<Env, Params> {
    protected readonly env: Env;
    abstract run(event: WorkflowEvent<Params>, step: WorkflowStep): Promise<unknown>;
  }
}
