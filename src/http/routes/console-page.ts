// Serves the files of the console with strict headers, because the console shows text from models and tools.
import type { Ctx } from "../env.ts";
import { type Answer, pageRoute, type Route } from "../route.ts";

export type ConsoleFile = {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly etag: string;
};

/** Only the console's own files are loaded and run. Data URLs are allowed for the images that tools return. */
export const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const NOT_BUILT =
  "The console is not built. Run `npm run build` and restart the server. The API is available at /v1/threads.\n";

/** If the console was not built, its route says how to build it; the API works in any case. */
export const consoleFileRoutes = (files: readonly ConsoleFile[]): readonly Route[] =>
  files.length === 0
    ? [pageRoute("/", (c) => c.text(NOT_BUILT, 503))]
    : files.map((file) => pageRoute(file.path, (c) => respondFile(c, file)));

export function setConsoleHeaders(c: Ctx, etag: string): void {
  c.header("content-security-policy", CONSOLE_CSP);
  c.header("referrer-policy", "no-referrer");
  c.header("cross-origin-opener-policy", "same-origin");
  c.header("cross-origin-resource-policy", "same-origin");
  // The browser revalidates each file before use, so that it never mixes the files of two releases.
  c.header("cache-control", "no-cache");
  c.header("etag", etag);
}

function respondFile(c: Ctx, file: ConsoleFile): Answer {
  setConsoleHeaders(c, file.etag);
  if (c.req.header("if-none-match") === file.etag) return c.body(null, 304);
  return c.body(file.body, 200, { "content-type": file.type });
}
