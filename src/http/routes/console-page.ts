// The console as files: a page, its script, its style. Strict headers, because it shows text that models and tools wrote.
import type { Route } from "../app.ts";
import type { Ctx } from "../env.ts";

export type ConsoleFile = {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  readonly etag: string;
};

/** Nothing but the page's own files may run or be loaded; pictures of tools come as data. */
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
  "The console is not built. Run `npm run build`, then start again. The API is here all the same: /v1/threads\n";

/** Without files the page says how to get them; the API does not need it. */
export const consoleFileRoutes = (files: readonly ConsoleFile[]): readonly Route[] =>
  files.length === 0
    ? [["get", "/", null, (c) => c.text(NOT_BUILT, 503)]]
    : files.map((file): Route => ["get", file.path, null, (c) => respondFile(c, file)]);

/** The headers of every file of the page, wherever its bytes come from. */
export function setConsoleHeaders(c: Ctx, etag: string): void {
  c.header("content-security-policy", CONSOLE_CSP);
  c.header("referrer-policy", "no-referrer");
  c.header("cross-origin-opener-policy", "same-origin");
  c.header("cross-origin-resource-policy", "same-origin");
  // Asked again every time, answered with 304: a new release is never mixed with an old script.
  c.header("cache-control", "no-cache");
  c.header("etag", etag);
}

function respondFile(c: Ctx, file: ConsoleFile): Response {
  setConsoleHeaders(c, file.etag);
  if (c.req.header("if-none-match") === file.etag) return c.body(null, 304);
  return c.body(file.body, 200, { "content-type": file.type });
}
