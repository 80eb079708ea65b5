// The part of Cloudflare's types that the Worker uses. In your own project `npx wrangler types` writes all of them.
declare module 'cloudflare:workers' {
  export const env: { readonly [name: string]: string }
  export abstract class DurableObject<Env = unknown> {
    protected readonly ctx: import('laurels/durable-objects').ObjectContext
    protected readonly env: Env
    constructor(ctx: import('laurels/durable-objects').ObjectContext, env: Env)
  }
}
