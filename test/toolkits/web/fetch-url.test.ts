import { describe, expect, test } from "vitest";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import type { FetchedPage, FetchRequest } from "../../../src/ports/fetcher.ts";
import { type Failed, fail, ok } from "../../../src/schema/problem.ts";
import { fetchUrl } from "../../../src/toolkits/web/fetch-url.ts";
import { htmlToText } from "../../../src/toolkits/web/html-to-text.ts";
import { runBuiltin } from "../../support/run-builtin.ts";

const page = (
  body: string | Uint8Array,
  content_type: string | null = "text/html; charset=utf-8",
  over: Partial<FetchedPage> = {},
) => ({
  url: "https://example.org/",
  redirects: [],
  status: 200,
  headers: {},
  content_type,
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  truncated: false,
  ...over,
});
const run = (given: FetchedPage, args: Record<string, unknown> = {}) =>
  runBuiltin(fetchUrl({ fetch: async () => ok(given) }), { url: "https://example.org/", ...args });

describe("fetch_url", () => {
  test("shows the words of a page, or the page as it is", async () => {
    const html =
      "<html><head><title>T</title><style>p{}</style></head><body><h1>Hi &amp; welcome</h1><p>One<br>two</p><script>x()</script></body></html>";
    expect((await run(page(html))).text).toBe(
      "200 https://example.org/ (text/html; charset=utf-8)\nHi & welcome\nOne\ntwo",
    );
    expect((await run(page(html), { raw: true })).text).toContain("<h1>Hi &amp; welcome</h1>");
    expect((await run(page('{"a":1}', "application/json"))).text).toContain('\n{"a":1}');
  });

  test("reads other charsets, says what is missing, and refuses what is not text", async () => {
    expect(
      (await run(page(Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65), "text/plain; charset=iso-8859-1"))).text,
    ).toContain("Grüße");
    expect((await run(page("x", "text/plain", { truncated: true }))).text).toContain("not all of it");
    expect(await run(page(Uint8Array.of(1, 2, 0), "image/png"))).toMatchObject({
      success: false,
      text: expect.stringContaining("3 bytes: not text"),
    });
    expect(await run(page("not found", "text/plain", { status: 404 }))).toMatchObject({
      success: true,
      text: expect.stringContaining("404 "),
    });
  });

  test("an address that is never fetched is corrected before a person is asked, without resolving a name", () => {
    const resolve = () => {
      throw new Error("a name was resolved");
    };
    const tool = fetchUrl(createGuardedFetcher({ resolve }));
    const code = (url: string): unknown => (tool.check?.({ url }, {} as never) as Failed | null)?.problem.code;
    for (const url of [
      "ftp://example.org/x",
      "http://10.0.0.1/",
      "http://[::1]/",
      "http://2130706433/",
      "http://localhost/",
      "http://me:secret@example.org/",
      "https://example.org:22/",
    ])
      expect(code(url), url).toBe("blocked_address");
    for (const url of ["https://example.org/", "http://93.184.216.34/"]) expect(code(url), url).toBeUndefined();
    const local = fetchUrl(createGuardedFetcher({ resolve, allow: ["127.0.0.1:8080"] }));
    expect(local.check?.({ url: "http://127.0.0.1:8080/" }, {} as never)).toBeNull();
  });

  test("a place that is not allowed is a refusal, and it asks only once", async () => {
    const asked: FetchRequest[] = [];
    const fetcher = {
      fetch: async (request: FetchRequest) => {
        asked.push(request);
        return fail("blocked_address", "That is not fetched.");
      },
    };
    expect(await runBuiltin(fetchUrl(fetcher), { url: "http://169.254.169.254/" })).toMatchObject({
      how: "refused",
      text: "That is not fetched.",
    });
    expect(asked).toEqual([{ url: "http://169.254.169.254/" }]);
  });
});

describe("a page as plain text", () => {
  test.each([
    ["a<b", "a"],
    ["x &lt;b&gt; &#65;&#x42; &eacute; &unknown; &#xd800;", "x <b> AB é &unknown; \ufffd"],
    ["<!-- hidden --><p>seen</p><!-- open", "seen"],
    ["<script>one</script>two<script>three", "two"],
    ["<div>a</div><div>b</div>", "a\nb"],
  ])("%s", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  test.each([
    "<".repeat(200_000),
    "<script>".repeat(20_000),
    "<!--".repeat(50_000),
    "&".repeat(200_000),
    "<p>".repeat(60_000),
  ])("a page made to be slow (%#) is read", (html) => {
    expect(htmlToText(html)).toEqual(expect.any(String));
  });
});
