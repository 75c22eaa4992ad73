// Tests that answers of a search server are shown as short, plain lines with web addresses, or not at all.
import { expect, test } from "vitest";
import type { Fetcher } from "../../../src/ports/fetcher.ts";
import { ok } from "../../../src/schema/problem.ts";
import { web } from "../../../src/toolkits/web/toolkit.ts";
import { plugToolkit } from "../../support/toolkit.ts";
import { SEARCH_ANSWERS } from "./search-answers.ts";

const searchWith = async (body: string): Promise<unknown> => {
  const page = { url: "http://search.test/", redirects: [], status: 200, headers: {}, content_type: null };
  const fetch: Fetcher = {
    fetch: async () => ok({ ...page, body: new TextEncoder().encode(body), truncated: false }),
  };
  return (await plugToolkit(web, { fetch, search: { url: "http://search.test" } }).call("search", { query: "x" }))
    .value;
};
const INVISIBLE = /(?![\u200c\u200d])\p{C}/u;

test.each(Object.entries(SEARCH_ANSWERS))("%s does no harm", async (_what, body) => {
  const value = (await searchWith(body)) as { results?: { title: string; url: string; text: string }[] };
  if (value.results === undefined) expect(value).toMatchObject({ problem: { code: "fetch_failed" } });
  for (const { title, url, text } of value.results ?? []) {
    expect(url).toMatch(/^https?:\/\/[^\s/@]+\/\S*$/);
    for (const line of [title, url, text]) expect(line).not.toMatch(INVISIBLE);
    for (const line of [title, text]) expect(line).not.toMatch(/[\n\r]/);
    expect(title.length + url.length + text.length).toBeLessThan(3_000);
  }
  expect(value.results?.length ?? 0).toBeLessThanOrEqual(10);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("a broken result does not affect the others", async () => {
  const results = [null, 7, { url: "https://example.org/", title: "Title" }];
  expect(await searchWith(JSON.stringify({ results }))).toMatchObject({ results: [{ title: "Title" }] });
});
