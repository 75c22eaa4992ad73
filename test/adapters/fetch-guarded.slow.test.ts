import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createGuardedFetcher, type GuardedFetcherOptions } from "../../src/adapters/fetch-guarded/guarded-fetcher.ts";
import type { FetchedPage } from "../../src/ports/fetcher.ts";
import type { Result } from "../../src/schema/problem.ts";
import { selfSigned } from "../support/self-signed.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let handler: Handler = () => undefined;
const seen: { url: string; host: string; headers: IncomingMessage["headers"] }[] = [];
const listener: RequestListener = (request, response) => {
  seen.push({ url: request.url ?? "", host: request.headers.host ?? "", headers: request.headers });
  handler(request, response);
};
const certificate = selfSigned("ok.test");
const plain = createServer(listener);
const secure = createSecureServer(certificate, listener);
const elsewhere = createServer((_request, response) => response.end("elsewhere"));
let plainPort = 0;
let securePort = 0;
let connections = 0;

const listen = (server: Server, host: string, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

beforeAll(async () => {
  plainPort = await listen(plain, "127.0.0.1");
  securePort = await listen(secure, "127.0.0.1");
  await listen(elsewhere, "127.0.0.2", plainPort);
  for (const server of [plain, elsewhere]) server.on("connection", () => connections++);
});
afterAll(() => {
  for (const server of [plain, secure, elsewhere]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  seen.length = 0;
  connections = 0;
  handler = (_request, response) => response.end("hello");
});

/** Creates a fetcher that resolves ok.test to the allowed server, and also resolves the names that the test adds. */
function fetcher(names: Record<string, readonly string[]> = {}, more: GuardedFetcherOptions = {}) {
  const asked: string[] = [];
  const made = createGuardedFetcher({
    allow: [`127.0.0.1:${plainPort}`, `127.0.0.1:${securePort}`],
    ca: certificate.cert,
    resolve: async (name) => {
      asked.push(name);
      return names[name] ?? (name === "ok.test" ? ["127.0.0.1"] : []);
    },
    ...more,
  });
  return { ...made, asked };
}

const textOf = (result: Result<FetchedPage>): string => {
  if (!result.ok) throw new Error(result.problem.message);
  return new TextDecoder().decode(result.value.body);
};
const blockedFor = (reason: string) => ({ problem: { code: "blocked_address", details: { reason } } });
const failedFor = (reason: string) => ({ problem: { code: "fetch_failed", details: { reason } } });
const ok = (path = "/"): string => `http://ok.test:${plainPort}${path}`;

describe("a private address is refused before connecting", () => {
  const names = {
    "169.254.169.254.nip.test": ["169.254.169.254"],
    "mixed.test": ["93.184.216.34", "::1"],
    "mapped.test": ["::ffff:10.0.0.1"],
    "public.test": ["93.184.216.34"],
    "empty.test": [],
  };
  test.each([
    ["http://169.254.169.254.nip.test/", "address"],
    ["http://[::ffff:a9fe:a9fe]/", "address"],
    ["http://[64:ff9b::7f00:1]/", "address"],
    ["http://[2002:7f00:1::]/", "address"],
    ["http://[fd00:ec2::254]/", "address"],
    ["http://0x7f000001/", "address"],
    ["http://0x7f000001:8080/", "port"],
    ["http://017700000001/", "address"],
    ["http://127.0.0.1./", "address"],
    ["http://127.0.0.1.:6379/", "port"],
    ["http://①②⑦.⓪.⓪.①/", "address"],
    ["http://localhost%2eexample@127.0.0.1/", "credentials"],
    ["http://user:secret@public.test/", "credentials"],
    ["http://mixed.test/", "address"],
    ["http://mapped.test/", "address"],
    ["gopher://127.0.0.1:6379/_FLUSHALL", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["ftp://public.test/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["http://metadata.google.internal./computeMetadata/v1/", "name"],
    ["http://localhost/", "name"],
    ["http://LOCALHOST./", "name"],
    ["http://a.localhost/", "name"],
    ["http://router/", "name"],
    ["http://printer.local/", "name"],
    ["http://100.100.100.200/", "address"],
    ["http://192.0.0.192/", "address"],
    ["http://198.18.0.1/", "address"],
    ["http://0/", "address"],
    ["http://2130706433/", "address"],
    ["https://public.test:25/", "port"],
    ["http://public.test:22/", "port"],
    ["http://public.test/a\r\nHost: evil", "url"],
    ["http://public.test/a\tb", "url"],
    ["http://public.test\\@127.0.0.1/", "url"],
    ["http://[::1", "url"],
    ["//public.test/", "url"],
    ["", "url"],
    [`http://public.test/${"x".repeat(5_000)}`, "url"],
  ])("%s (%s)", async (url, reason) => {
    expect(await fetcher(names).fetch({ url })).toMatchObject(blockedFor(reason));
    expect(connections).toBe(0);
  });

  test("a loopback server on an open port is refused unless it is allowed", async () => {
    const { fetch } = fetcher({}, { allow: [], ports: [plainPort] });
    expect(await fetch({ url: `http://127.0.0.1:${plainPort}/` })).toMatchObject(blockedFor("address"));
    expect(await fetch({ url: ok() })).toMatchObject(blockedFor("address"));
    expect(connections).toBe(0);
  });

  test("an allowance applies to one host and one port only", async () => {
    const { fetch } = fetcher({ "neighbor.test": ["127.0.0.2"] });
    expect(await fetch({ url: `http://127.0.0.1:${plainPort + 1}/` })).toMatchObject(blockedFor("port"));
    expect(await fetch({ url: `http://neighbor.test:${plainPort}/` })).toMatchObject(blockedFor("address"));
    expect(connections).toBe(0);
  });

  test("a host name can be allowed", async () => {
    const { fetch } = fetcher({ "wiki.internal": ["127.0.0.1"] }, { allow: [`wiki.internal:${plainPort}`] });
    expect(textOf(await fetch({ url: `http://wiki.internal:${plainPort}/` }))).toBe("hello");
  });

  test.each([
    ["Host", "evil.test"],
    ["Transfer-Encoding", "chunked"],
    ["Metadata-Flavor", "Google"],
    ["X-aws-ec2-metadata-token", "x"],
    ["X-Forwarded-For", "127.0.0.1"],
    ["X-Note", "a\r\nHost: evil.test"],
    ["bad name", "x"],
  ])("a request with the header %s: %j is refused", async (name, value) => {
    expect(await fetcher().fetch({ url: ok(), headers: { [name]: value } })).toMatchObject(blockedFor("header"));
    expect(connections).toBe(0);
  });

  test("a name is resolved once, and the connection goes to the checked address", async () => {
    let times = 0;
    const changing = async () => (times++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"]);
    const first = fetcher({}, { resolve: changing });
    expect(textOf(await first.fetch({ url: ok() }))).toBe("hello");
    expect(times).toBe(1);
    expect(seen[0]?.host).toBe(`ok.test:${plainPort}`);
    // The second lookup would return the neighbor, so it is checked again and refused.
    expect(await first.fetch({ url: ok() })).toMatchObject(blockedFor("address"));
  });
});

describe("redirects", () => {
  const redirectTo = (location: string, status = 302) => {
    handler = (request, response) => {
      if (request.url === "/start") response.writeHead(status, { location }).end();
      else response.end(`at ${request.url}`);
    };
  };

  test.each([
    [() => "http://10.1.2.3/", "address"],
    [() => "http://169.254.169.254/latest/meta-data/", "address"],
    [() => `http://127.0.0.2:${plainPort}/`, "address"],
    [() => "file:///etc/passwd", "scheme"],
    [() => "//metadata.google.internal/", "name"],
    [() => "http://ok.test:25/", "port"],
    [() => "http://u:p@ok.test/", "credentials"],
  ])("to a forbidden URL are refused", async (location, reason) => {
    redirectTo(location(), 307);
    expect(await fetcher().fetch({ url: ok("/start") })).toMatchObject(blockedFor(reason));
    expect(seen).toHaveLength(1);
  });

  test("from https to http are refused, even to an allowed host", async () => {
    redirectTo(ok("/next"));
    const { fetch } = fetcher();
    expect(await fetch({ url: `https://ok.test:${securePort}/start` })).toMatchObject(blockedFor("downgrade"));
    redirectTo(`https://ok.test:${securePort}/next`);
    expect(textOf(await fetch({ url: ok("/start") }))).toBe("at /next");
  });

  test("are followed, including relative ones, and reported", async () => {
    redirectTo("sub/p%C3%A4ge?x=1 2");
    const result = await fetcher().fetch({ url: ok("/start") });
    expect(textOf(result)).toBe("at /sub/p%C3%A4ge?x=1%202");
    expect(result).toMatchObject({
      value: { redirects: [ok("/start")], url: ok("/sub/p%C3%A4ge?x=1%202"), status: 200 },
    });
  });

  test("are limited to five", async () => {
    handler = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("arrived");
      else response.writeHead(301, { location: `/${left - 1}` }).end();
    };
    expect(textOf(await fetcher().fetch({ url: ok("/5") }))).toBe("arrived");
    seen.length = 0;
    expect(await fetcher().fetch({ url: ok("/200") })).toMatchObject(failedFor("redirects"));
    expect(seen).toHaveLength(6);
  });

  test("to another origin drop credentials", async () => {
    redirectTo(`http://other.test:${plainPort}/next`);
    const headers = { authorization: "Bearer canary", "x-api-key": "canary", cookie: "canary", accept: "text/html" };
    await fetcher({ "other.test": ["127.0.0.1"] }).fetch({ url: ok("/start"), headers });
    expect(seen.map((one) => one.host)).toEqual([`ok.test:${plainPort}`, `other.test:${plainPort}`]);
    expect(seen[0]?.headers.authorization).toBe("Bearer canary");
    expect(JSON.stringify(seen[1]?.headers)).not.toContain("canary");
    expect(seen[1]?.headers.accept).toBe("text/html");
  });

  test("of a POST are not followed", async () => {
    redirectTo("/next", 307);
    const body = new TextEncoder().encode("payload");
    expect(await fetcher().fetch({ url: ok("/start"), method: "POST", body })).toMatchObject({
      value: { status: 307 },
    });
    expect(seen).toHaveLength(1);
  });
});

describe("a body", () => {
  test("is returned with status, type and headers, but without cookies", async () => {
    handler = (_request, response) =>
      response.writeHead(404, { "content-type": "text/plain", "set-cookie": "a=b", "x-note": "n" }).end("gone");
    const result = await fetcher().fetch({ url: ok() });
    expect(textOf(result)).toBe("gone");
    expect(result).toMatchObject({ value: { status: 404, content_type: "text/plain", truncated: false } });
    expect(result).toMatchObject({ value: { headers: { "x-note": "n" } } });
    expect(JSON.stringify(result)).not.toContain("a=b");
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("encoded with %s is decoded", async (packing, pack) => {
    handler = (_request, response) => response.writeHead(200, { "content-encoding": packing }).end(pack("packed text"));
    expect(textOf(await fetcher().fetch({ url: ok() }))).toBe("packed text");
  });

  test("with an unknown, chained or invalid encoding is a failure", async () => {
    for (const packing of ["gzip, gzip", "compress", "gzip"]) {
      handler = (_request, response) => response.writeHead(200, { "content-encoding": packing }).end("no gzip at all");
      expect(await fetcher().fetch({ url: ok() })).toMatchObject(failedFor("encoding"));
    }
  });

  test("that is absent is empty, whatever encoding is declared", async () => {
    handler = (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end();
    expect(textOf(await fetcher().fetch({ url: ok() }))).toBe("");
    expect(textOf(await fetcher().fetch({ url: ok(), method: "HEAD" }))).toBe("");
  });

  test("of exactly the limit is complete, one byte more is truncated", async () => {
    handler = (request, response) => response.end("x".repeat(Number(request.url?.slice(1))));
    const options = { max_bytes: 1_000 };
    expect(await fetcher().fetch({ url: ok("/1000") }, options)).toMatchObject({ value: { truncated: false } });
    const cut = await fetcher().fetch({ url: ok("/1001") }, options);
    expect(cut).toMatchObject({ value: { truncated: true } });
    expect(textOf(cut)).toHaveLength(1_000);
  });

  /** Writes the same block until the client stops reading. */
  const pour = (response: ServerResponse, block: Buffer, times: number): void => {
    let left = times;
    const more = (): void => {
      while (left-- > 0 && !response.destroyed) if (!response.write(block)) return void response.once("drain", more);
      response.end();
    };
    more();
  };

  test.each([
    ["a 10 GB gzip bomb", "gzip", gzipSync(Buffer.alloc(10_485_760)), 1_000],
    ["an endless stream of empty gzip members", "gzip", gzipSync(Buffer.alloc(0)), Number.POSITIVE_INFINITY],
    ["an endless body", "identity", Buffer.alloc(65_536, "x"), Number.POSITIVE_INFINITY],
  ])("that is %s is truncated in constant memory", async (_what, packing, block, times) => {
    handler = (_request, response) => {
      response.writeHead(200, { "content-encoding": packing });
      pour(response, block, times);
    };
    const before = process.memoryUsage().rss;
    const result = await fetcher().fetch({ url: ok() });
    expect(result).toMatchObject({ value: { truncated: true } });
    expect(textOf(result).length).toBeLessThanOrEqual(2_097_152);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });
});

describe("time", () => {
  test("a slow trickle of bytes does not extend a fetch beyond its total limit", async () => {
    handler = (_request, response) => {
      const drip = setInterval(() => response.write("."), 30);
      response.once("close", () => clearInterval(drip));
    };
    expect(await fetcher().fetch({ url: ok() }, { total_ms: 400, idle_ms: 5_000 })).toMatchObject(failedFor("timeout"));
  });

  test("an idle connection before the headers or in the body ends it", async () => {
    handler = () => undefined;
    expect(await fetcher().fetch({ url: ok() }, { idle_ms: 150 })).toMatchObject(failedFor("idle"));
    handler = (_request, response) => void response.write("first");
    expect(await fetcher().fetch({ url: ok() }, { idle_ms: 150 })).toMatchObject(failedFor("idle"));
  });

  test("a resolver that never responds is ended by the total limit", async () => {
    const { fetch } = fetcher({}, { resolve: () => new Promise(() => undefined) });
    expect(await fetch({ url: ok() }, { total_ms: 100 })).toMatchObject(failedFor("timeout"));
  });

  test("a caller can abort before and during a fetch", async () => {
    expect(await fetcher().fetch({ url: ok() }, { signal: AbortSignal.abort() })).toMatchObject(failedFor("aborted"));
    const stop = new AbortController();
    handler = (_request, response) => {
      response.write("first");
      stop.abort();
    };
    expect(await fetcher().fetch({ url: ok() }, { signal: stop.signal })).toMatchObject(failedFor("aborted"));
  });
});

describe("a server that misbehaves", () => {
  const raw = async (answer: (socket: Socket) => void): Promise<Result<FetchedPage>> => {
    const server = createRawServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => answer(socket));
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
    try {
      const { fetch } = fetcher({}, { allow: [`127.0.0.1:${port}`] });
      return await fetch({ url: `http://127.0.0.1:${port}/` }, { total_ms: 5_000 });
    } finally {
      server.close();
    }
  };

  test("with endless headers, no HTTP at all, or an interrupted body is a network failure", async () => {
    const headers = `HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1_000)}\r\n`.repeat(100)}`;
    expect(await raw((socket) => socket.write(headers))).toMatchObject(failedFor("network"));
    expect(await raw((socket) => socket.end("220 smtp ready\r\n"))).toMatchObject(failedFor("network"));
    const short = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort";
    expect(await raw((socket) => socket.end(short))).toMatchObject(failedFor("network"));
    expect(await raw((socket) => socket.resetAndDestroy())).toMatchObject(failedFor("network"));
  });

  test("with a certificate for another name or from an unknown authority is a network failure", async () => {
    const url = `https://other.test:${securePort}/`;
    expect(await fetcher({ "other.test": ["127.0.0.1"] }).fetch({ url })).toMatchObject(failedFor("network"));
    const unknown = createGuardedFetcher({ allow: [`127.0.0.1:${securePort}`], resolve: async () => ["127.0.0.1"] });
    expect(await unknown.fetch({ url: `https://ok.test:${securePort}/` })).toMatchObject(failedFor("network"));
  });

  test("that is down or does not resolve is a failure", async () => {
    const { fetch } = fetcher({}, { allow: ["127.0.0.1:1"] });
    expect(await fetch({ url: "http://127.0.0.1:1/" })).toMatchObject(failedFor("network"));
    expect(await fetch({ url: "http://unknown.test/" })).toMatchObject(failedFor("dns"));
  });
});
