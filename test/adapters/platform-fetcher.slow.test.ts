// Tests the platform's fetch behind the same rules, against real loopback servers that are explicitly allowed.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { createPlatformFetcher } from "../../src/adapters/fetch-guarded/platform-fetcher.ts";
import { unwrap } from "../support/runtime.ts";

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("refused URLs", () => {
  const { check, fetch } = createPlatformFetcher({ allow: ["wiki.corp.example:8443"] });

  test.each([
    ["http://127.0.0.1/", "address"],
    ["http://0x7f.1/", "address"],
    ["http://2130706433/", "address"],
    ["http://[::1]/", "address"],
    ["http://[::ffff:10.0.0.1]/", "address"],
    ["http://169.254.169.254/latest/meta-data", "address"],
    ["http://10.0.0.8/", "address"],
    ["https://100.64.0.1/", "address"],
    ["http://localhost/", "name"],
    ["http://metadata.google.internal/", "name"],
    ["http://localhost../", "name"],
    ["http://metadata.google.internal../", "name"],
    ["http://127.0.0.1../", "name"],
    ["http://0x7f.1../", "name"],
    ["http://printer/", "name"],
    ["https://example.org:22/", "port"],
    ["https://example.org:8443/", "port"],
    ["ftp://example.org/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["https://user:secret@example.org/", "credentials"],
    ["https://exa\nmple.org/", "url"],
  ])("%s (%s)", async (url, reason) => {
    expect(await check(url)).toMatchObject({ problem: { code: "blocked_address", details: { reason } } });
    expect(await fetch({ url })).toMatchObject({ problem: { code: "blocked_address", details: { reason } } });
  });

  test("a host allowed by name and port, and public hosts, can be fetched", async () => {
    for (const url of ["https://wiki.corp.example:8443/x", "https://example.org/", "http://93.184.215.14/"])
      unwrap(await check(url));
  });

  test("a name is checked as text and not resolved, so it may point to a private address", async () => {
    unwrap(await check("http://10.0.0.1.nip.io/"));
    expect(await check("http://10.0.0.1/")).toMatchObject({ problem: { code: "blocked_address" } });
  });

  test("headers that control the connection are refused", async () => {
    const sent = await fetch({ url: "https://example.org/", headers: { Host: "elsewhere.example" } });
    expect(sent).toMatchObject({ problem: { code: "blocked_address", details: { reason: "header" } } });
  });
});

describe("fetched pages", () => {
  test("a compressed page is decompressed up to the limit, without its cookies", async () => {
    const host = await serve((_request, response) =>
      response
        .writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip", "set-cookie": "a=b" })
        .end(gzipSync("x".repeat(100_000))),
    );
    const { fetch } = createPlatformFetcher({ allow: [host] });
    const page = unwrap(await fetch({ url: `http://${host}/` }, { max_bytes: 5_000 }));
    expect(page).toMatchObject({ status: 200, content_type: "text/plain", truncated: true });
    expect(page.body).toHaveLength(5_000);
    expect(page.headers["set-cookie"]).toBeUndefined();
  });

  test("a redirect is checked like the first URL, and credentials do not reach another origin", async () => {
    const seen: (string | undefined)[] = [];
    const second = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end("there");
    });
    const first = await serve((request, response) => {
      const location = request.url === "/in" ? "http://169.254.169.254/" : `http://${second}/`;
      response.writeHead(302, { location }).end();
    });
    const { fetch } = createPlatformFetcher({ allow: [first, second] });
    const headers = { authorization: "Bearer secret" };
    const page = unwrap(await fetch({ url: `http://${first}/out`, headers }));
    expect([new TextDecoder().decode(page.body), page.redirects]).toEqual(["there", [`http://${first}/out`]]);
    expect(seen).toEqual([undefined]);
    expect(await fetch({ url: `http://${first}/in`, headers })).toMatchObject({
      problem: { code: "blocked_address", details: { reason: "address" } },
    });
  });

  test("a POST returns the redirect itself, and an unwanted body is not awaited", async () => {
    const host = await serve((request, response) => {
      request.resume();
      response.writeHead(302, { location: "http://127.0.0.1/" });
      response.write("never ending");
    });
    const { fetch } = createPlatformFetcher({ allow: [host] });
    const request = { url: `http://${host}/`, method: "POST" as const, body: new TextEncoder().encode("{}") };
    expect(unwrap(await fetch(request, { max_bytes: 0 }))).toMatchObject({ status: 302, redirects: [] });
  });

  test("endless redirects, an idle server, a timeout and an unreachable server give different reasons", async () => {
    const loop = await serve((request, response) => void response.writeHead(302, { location: request.url }).end());
    const mute = await serve((request, response) => {
      if (request.url === "/late") setInterval(() => response.write("."), 20).unref();
      else response.write("begun");
    });
    const { fetch } = createPlatformFetcher({ allow: [loop, mute, "127.0.0.1:9"] });
    const reasonOf = async (...call: Parameters<typeof fetch>) => {
      const made = await fetch(...call);
      return made.ok ? "ok" : made.problem.details?.reason;
    };
    expect(await reasonOf({ url: `http://${loop}/` })).toBe("redirects");
    expect(await reasonOf({ url: `http://${mute}/` }, { idle_ms: 100 })).toBe("idle");
    expect(await reasonOf({ url: `http://${mute}/late` }, { total_ms: 300 })).toBe("timeout");
    expect(await reasonOf({ url: "http://127.0.0.1:9/" })).toBe("network");
    expect(await reasonOf({ url: `http://${mute}/` }, { signal: AbortSignal.abort() })).toBe("aborted");
  });
});
