/** What stands in for `cloudflare:workers` where tests load the Worker's parts on Node. */
export class WorkflowEntrypoint {}
export class DurableObject {}
