// Tests search with a real endpoint on loopback, through the guarded fetcher, and hostile answers.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGuardedFetcher } from "../../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import { web } from "../../../src/toolkits/web/toolkit.ts";
import { plugToolkit } from "../../support/toolkit.ts";

let server: Server;
let origin = "";
const asked: string[] = [];
let answer: { status: number; body: string } = { status: 200, body: "{}" };
beforeAll(async () => {
  server = createServer(({ url }, response) => {
    asked.push(url ?? "");
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const result = (n: number) => ({ title: `Title ${n}`, url: `https://example.org/${n}`, content: `Text ${n}` });

async function search(args: object, given: Partial<typeof answer> = {}, allow = [origin]): Promise<unknown> {
  answer = { status: 200, body: JSON.stringify({ results: [1, 2, 3, 4, 5, 6, 7].map(result) }), ...given };
  const fetch = createGuardedFetcher({ allow });
  const { call } = plugToolkit(web, { fetch, search: { url: `http://${origin}/` } });
  return (await call("search", args)).value;
}

describe("search", () => {
  test("asks the endpoint and shows its results", async () => {
    expect(await search({ query: "a & b=c", limit: 2, language: "de" })).toEqual({
      results: [
        { title: "Title 1", url: "https://example.org/1", text: "Text 1" },
        { title: "Title 2", url: "https://example.org/2", text: "Text 2" },
      ],
    });
    expect(asked.at(-1)).toBe("/search?q=a+%26+b%3Dc&format=json&language=de");
    expect(await search({ query: "x" })).toMatchObject({ results: { length: 5 } });
  });

  test("omits invalid addresses and shortens texts", async () => {
    const results = [
      { ...result(1), url: "javascript:alert(1)" },
      { ...result(2), url: 7 },
      { ...result(3), url: `https://example.org/${"a".repeat(3_000)}` },
      { url: "https://example.org/4", title: null, content: ["x"] },
      { ...result(5), content: `a\n\n b ${"x".repeat(2_000)}` },
    ];
    const found = (await search({ query: "x" }, { body: JSON.stringify({ results }) })) as {
      results: { text: string }[];
    };
    expect(found.results).toHaveLength(2);
    expect(found.results[0]).toEqual({ url: "https://example.org/4", title: "", text: "" });
    expect(found.results[1]?.text).toMatch(/^a b x{496}$/);
  });

  test.each([
    ["an error", { status: 500 }],
    ["a page", { body: "<html>" }],
    ["nothing", { body: "" }],
    ["a list", { body: "[1]" }],
    ["results of another type", { body: '{"results": "x"}' }],
  ])("%s is a problem", async (_what, given) => {
    expect(await search({ query: "x" }, given)).toMatchObject({ problem: { code: "fetch_failed" } });
  });

  test("an endpoint that is not public needs fetch.allow", async () => {
    expect(await search({ query: "x" }, {}, [])).toMatchObject({ problem: { code: "blocked_address" } });
  });

  test.each([{ query: "" }, { query: "x".repeat(401) }, { query: "x", limit: 11 }, { query: "x", language: "de&q=1" }])(
    "%j is no query",
    (args) => {
      const { find } = plugToolkit(web, { fetch: createGuardedFetcher({ allow: [] }), search: { url: "http://x" } });
      expect(find("search").input.safeParse(args).success).toBe(false);
    },
  );

  test("is absent without an endpoint", () => {
    const { tools } = plugToolkit(web, { fetch: createGuardedFetcher({ allow: [] }) });
    expect(tools.map(({ manifest }) => manifest.name)).toEqual(["fetch_url"]);
  });
});
