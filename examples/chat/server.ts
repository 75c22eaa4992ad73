// Serves the chat page and passes its requests on to Pawl, so that the page needs neither a key nor another origin.
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { build } from "esbuild";
import { Hono } from "hono";

const HTML = `<!doctype html>
<meta charset="utf-8" />
<title>Chat</title>
<link rel="icon" href="data:," />
<div id="root"></div>
<script type="module" src="/page.js"></script>`;

export async function createChatApp(pawl: string, key?: string): Promise<Hono> {
  const page = join(import.meta.dirname, "page.tsx");
  const options = { bundle: true, write: false, format: "esm", minify: true, jsx: "automatic" } as const;
  const { outputFiles } = await build({
    ...options,
    entryPoints: [page],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const app = new Hono();
  app.get("/", (c) => c.html(HTML));
  app.get("/page.js", (c) => c.body(outputFiles[0]?.text ?? "", 200, { "content-type": "text/javascript" }));
  app.all("/ai/*", async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const body = c.req.method === "POST" ? await c.req.text() : null;
    const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
    return fetch(`${pawl}${pathname}${search}`, { method: c.req.method, headers, body });
  });
  return app;
}

if (import.meta.main) {
  const app = await createChatApp(process.env.PAWL_URL ?? "http://127.0.0.1:8787", process.env.PAWL_KEY);
  serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
    console.log(`The chat is at http://127.0.0.1:${port}`),
  );
}
