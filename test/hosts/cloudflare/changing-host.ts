// The Cloudflare host in a worker that keeps running while its variables change, as the platform may do after
// `wrangler secret put`. POST /test/variables sets them.
import worker from "../../../src/hosts/cloudflare/cloudflare.ts";
import type { CloudflareEnv } from "../../../src/hosts/cloudflare/env.ts";

export { PawlDirectory, PawlThread } from "../../../src/hosts/cloudflare/cloudflare.ts";

let changed: Partial<CloudflareEnv> = {};

export default {
  ...worker,
  async fetch(request: Request, env: CloudflareEnv, ctx: Parameters<typeof worker.fetch>[2]): Promise<Response> {
    if (new URL(request.url).pathname !== "/test/variables") return worker.fetch(request, { ...env, ...changed }, ctx);
    changed = (await request.json()) as Partial<CloudflareEnv>;
    return Response.json({});
  },
};
