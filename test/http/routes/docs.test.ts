import { describe, expect, test } from "vitest";
import { createApp, ROUTES } from "../../../src/http/app.ts";
import { renderMarkdown } from "../../../src/http/pages/html.ts";
import { PROBLEMS } from "../../../src/schema/problem.ts";
import { createTestRuntime } from "../../support/runtime.ts";
import { testSettings } from "../../support/server.ts";

const app = createApp(testSettings(createTestRuntime([])));
const get = (path: string, accept = "text/html") => app.request(path, { headers: { host: "localhost", accept } });

describe("the documentation page of the API", () => {
  test("shows every route with an example request", async () => {
    const page = await (await get("/docs")).text();
    for (const { method, path } of ROUTES) {
      const shown = path.replace(/:(\w+)/g, "{$1}");
      expect(page).toContain(`<span class="method">${method.toUpperCase()}</span> <code>${shown}</code>`);
    }
    expect(page).toContain(`-d '{&quot;goal&quot;:&quot;Say hello&quot;}'`);
    expect(page.match(/<pre>curl -s/g)).toHaveLength(ROUTES.length);
  });

  test("loads nothing and runs nothing", async () => {
    const response = await get("/docs");
    const page = await response.text();
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\bon\w+=|https?:\/\/(?!localhost PAWL_KEY=)/i);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
  });

  test("prints the URL at which it is served", async () => {
    const response = await app.request("http://127.0.0.1:9123/docs", { headers: { host: "127.0.0.1:9123" } });
    expect(await response.text()).toContain("<pre>export PAWL=http://127.0.0.1:9123 PAWL_KEY=</pre>");
  });

  test("is readable in light and dark mode", async () => {
    expect(await (await get("/docs")).text()).toContain("color-scheme: light dark");
  });

  test("describes every schema that it links to, and every problem", async () => {
    const page = await (await get("/docs")).text();
    const linked = new Set([...page.matchAll(/href="#([\w-]+)"/g)].map((match) => match[1]));
    const there = new Set([...page.matchAll(/ id="([\w-]+)"/g)].map((match) => match[1]));
    expect([...linked].filter((name) => !there.has(name))).toEqual([]);
    for (const code of Object.keys(PROBLEMS)) expect(page).toContain(`href="/problems/${code}"`);
  });
});

describe("the pages of problems", () => {
  test("are at the address that a problem names", async () => {
    const refused = (await (await get("/nowhere")).json()) as { type: string };
    const response = await get(refused.type);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("<h1>route_not_found</h1>");
  });

  test("are plain Markdown for programs", async () => {
    const response = await get("/problems/gate_open", "*/*");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await response.text()).toMatch(/^# gate_open\n[\s\S]*## What to do\n\S/);
  });

  test("show at least the hint if the host has no pages", async () => {
    const bare = createApp({ ...testSettings(createTestRuntime([])), problem_page: async () => null });
    const response = await bare.request("/problems/gate_open", { headers: { host: "localhost" } });
    expect(await response.text()).toContain(PROBLEMS.gate_open.hint);
  });

  test.each(["nothing", "__proto__", "constructor", "..%2f..%2fREADME"])("there is none of %s", async (code) => {
    expect((await get(`/problems/${code}`)).status).toBe(404);
  });
});

test("a page of Markdown shows its text and never runs it", () => {
  const page = renderMarkdown("# A <b>\nOne `<i>`.\n\n| x | y |\n|---|---|\n| 1 | <img> |\n\n```\n<script>\n```\n");
  expect(page).toBe(
    [
      "<h1>A &lt;b&gt;</h1>",
      "<p>One <code>&lt;i&gt;</code>.</p>",
      "<table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>&lt;img&gt;</td></tr></table>",
      "<pre>&lt;script&gt;\n</pre>",
      "",
    ].join("\n"),
  );
});
