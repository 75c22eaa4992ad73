// The entry point for wrangler.toml and for programs that import `pawl/cloudflare` to add their own tools.
export type { Extension } from "../shared/extension.ts";
export { type Cloudflare, type CloudflareOptions, createCloudflare } from "./create-cloudflare.ts";
export { default, PawlDirectory, PawlThread } from "./stock-worker.ts";
