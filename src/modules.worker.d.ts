/** A text that is built into the Worker. */
declare module '*.md' {
  const text: string;
  export default text;
}

/** What is used of the runtime's own module. */
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

  /** An object of which there is one for each name; its methods are called from anywhere. */
  export abstract class DurableObject {}

  export abstract class WorkflowEntrypoint<Env, Params> {
    protected readonly env: Env;
    abstract run(event: WorkflowEvent<Params>, step: WorkflowStep): Promise<unknown>;
  }
}
