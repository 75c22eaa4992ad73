// The Cloudflare host, as wrangler.toml names it, and as users of `pawl/cloudflare` import it to add tools of their own.
export type { Extension } from "../shared/extension.ts";
export { type Cloudflare, type CloudflareOptions, createCloudflare } from "./create-cloudflare.ts";
export { default, PawlDirectory, PawlThread } from "./stock-worker.ts";
