// The base class of objects; the platform gives the rest.
declare module "cloudflare:workers" {
  export class DurableObject {
    constructor(ctx: unknown, env: unknown);
  }
}
