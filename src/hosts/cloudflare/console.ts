// Serves the console from the worker's static assets, with the same access check and headers as on every other host.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { pageRoute, type Route } from "../../http/route.ts";
import { consoleFileRoutes, setConsoleHeaders } from "../../http/routes/console-page.ts";
import type { CloudflareEnv } from "./env.ts";

const PATHS = ["/", "/console.js", "/console-zh.js", "/console.css", "/console.svg"];

export function consoleRoutes({ ASSETS }: CloudflareEnv): readonly Route[] {
  if (!ASSETS) return consoleFileRoutes([]);
  return PATHS.map((path) =>
    pageRoute(path, async (c) => {
      const file = await ASSETS.fetch(c.req.raw);
      setConsoleHeaders(c, file.headers.get("etag") ?? "");
      if (file.status === 304) return c.body(null, 304);
      const type = file.headers.get("content-type") ?? "application/octet-stream";
      return c.body(file.body ?? "", file.status as ContentfulStatusCode, { "content-type": type });
    }),
  );
}
