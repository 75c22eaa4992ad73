// Implements CalDAV accounts. tsdav handles discovery and listing. Every request goes through a guarded fetcher, and
// the password is sent only to the origin of its own account.
import type { DavAccounts, DavObject, DavWrite } from "../../ports/dav/dav-accounts.ts";
import type { Fetcher, FetchOptions, FetchRequest } from "../../ports/fetcher.ts";
import { type Failed, fail, ok, type Result } from "../../schema/problem.ts";

export type DavAccount = {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** May allow private addresses. */
  readonly fetcher: Fetcher;
  readonly limits?: FetchOptions;
};

const LIMITS: FetchOptions = { total_ms: 20_000, idle_ms: 10_000, max_bytes: 33_554_432 };
const CALENDAR_TYPE = "text/calendar; charset=utf-8";

type Method = NonNullable<FetchRequest["method"]>;
type Reply = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string };

export function createDavAccounts(accounts: Readonly<Record<string, DavAccount>>): DavAccounts {
  const withAccount = async <T>(name: string, run: (account: DavAccount) => Promise<Result<T>>): Promise<Result<T>> => {
    const account = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
    if (account) return run(account);
    const message = `account: there is no account ${JSON.stringify(name.slice(0, 40))}.`;
    return fail("request_invalid", message, { field: "account" });
  };
  return {
    names: () => Object.keys(accounts),
    collections: (name) =>
      withAccount(name, (account) =>
        viaTsdav(async ({ createDAVClient }) => {
          const client = await createDAVClient(clientOptions(account));
          const found = await client.fetchCalendars();
          return found.map(({ url, displayName }) => ({
            url,
            name: typeof displayName === "string" ? displayName : url,
          }));
        }),
      ),
    objects: (name, collection, tag) =>
      withAccount(name, async (account) => {
        const current = await collectionTag(account, collection);
        if (!current.ok) return current;
        if (current.value !== null && current.value === tag) return ok(null);
        const listed = await viaTsdav(({ fetchCalendarObjects }) =>
          fetchCalendarObjects({
            calendar: { url: collection },
            headers: authorization(account),
            fetch: fetchFor(account),
            urlFilter: () => true,
          }),
        );
        if (!listed.ok) return listed;
        const objects = listed.value.flatMap(({ url, etag, data }): DavObject[] =>
          typeof data === "string" ? [{ href: url, etag: quoted(etag), text: data }] : [],
        );
        return ok({ tag: current.value, objects });
      }),
    get: (name, href) =>
      withAccount(name, async (account) => {
        const reply = await send(account, "GET", href);
        if (!reply.ok) return reply;
        if (reply.value.status === 404 || reply.value.status === 410) return ok(null);
        if (reply.value.status !== 200) return refused(reply.value);
        return ok({ href, etag: reply.value.headers.etag ?? null, text: reply.value.text });
      }),
    put: (name, href, text, etag) =>
      withAccount(name, async (account) => {
        const condition = etag === null ? { "if-none-match": "*" } : { "if-match": etag };
        const headers = { ...condition, "content-type": CALENDAR_TYPE };
        return written(await send(account, "PUT", href, headers, text));
      }),
    remove: (name, href, etag) =>
      withAccount(name, async (account) => {
        const reply = await send(account, "DELETE", href, etag === null ? {} : { "if-match": etag });
        if (reply.ok && (reply.value.status === 404 || reply.value.status === 410))
          return ok({ kind: "written", etag: null });
        return written(reply);
      }),
  };
}

const authorization = ({ user, password }: DavAccount) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`,
});

const clientOptions = (account: DavAccount) => ({
  serverUrl: account.url,
  credentials: { username: account.user, password: account.password },
  authMethod: "Basic" as const,
  defaultAccountType: "caldav" as const,
  fetch: fetchFor(account),
});

const isOwnOrigin = (account: DavAccount, url: URL): boolean => url.origin === new URL(account.url).origin;

/** A request that was sent but not answered may have taken effect. */
async function send(
  account: DavAccount,
  method: Method,
  href: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Result<Reply>> {
  const url = new URL(href, account.url);
  if (!isOwnOrigin(account, url))
    return fail("blocked_address", "The server named an address of another origin; the password is not sent there.");
  const content = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  const request = { url: url.href, method, headers: { ...headers, ...authorization(account) }, ...content };
  const sent = await account.fetcher.fetch(request, account.limits ?? LIMITS);
  if (!sent.ok) return sent;
  return ok({ ...sent.value, text: new TextDecoder().decode(sent.value.body) });
}

function written(reply: Result<Reply>): Result<DavWrite> {
  if (!reply.ok) {
    if (reply.problem.code !== "fetch_failed") return reply;
    return fail("outcome_unknown", `The calendar server did not answer: ${reply.problem.message}`);
  }
  const { status, headers } = reply.value;
  if (status === 412 || status === 409) return ok({ kind: "conflict" });
  if (status >= 200 && status < 300) return ok({ kind: "written", etag: headers.etag ?? null });
  return refused(reply.value);
}

function refused({ status }: Reply): Failed {
  const why: Record<number, string> = {
    401: "it refused the user or the password of the account",
    403: "the account may not do that",
    507: "it has no room left",
  };
  const message = `The calendar server answered ${status}: ${why[status] ?? "it did not accept the request"}.`;
  return fail("fetch_failed", message, { reason: "status", status });
}

const PROPFIND_TAG =
  '<?xml version="1.0"?><propfind xmlns="DAV:" xmlns:cs="http://calendarserver.org/ns/"><prop><cs:getctag/><sync-token/></prop></propfind>';

async function collectionTag(account: DavAccount, collection: string): Promise<Result<string | null>> {
  const headers = { depth: "0", "content-type": "application/xml" };
  const reply = await send(account, "PROPFIND", collection, headers, PROPFIND_TAG);
  if (!reply.ok) return reply;
  if (reply.value.status !== 207) return refused(reply.value);
  const tagNamed = (name: string) => new RegExp(`<[^>]*${name}[^>]*>([^<]+)<`).exec(reply.value.text)?.[1] ?? null;
  return ok(tagNamed("getctag") ?? tagNamed("sync-token"));
}

const quoted = (etag: string | undefined): string | null =>
  etag === undefined || etag === "" ? null : /^(W\/)?"/.test(etag) ? etag : `"${etag}"`;

/** Passes the guarded fetcher to tsdav, restricted to the origin of the account. */
const fetchFor =
  (account: DavAccount): typeof fetch =>
  async (input, init) => {
    const url = new URL(typeof input === "string" ? input : input instanceof URL ? input.href : input.url, account.url);
    if (!isOwnOrigin(account, url)) throw new Error("an address of another origin");
    const given = Object.fromEntries(new Headers(init?.headers).entries());
    const { host: _host, "content-length": _length, ...headers } = given;
    const body = typeof init?.body === "string" ? { body: new TextEncoder().encode(init.body) } : {};
    const request = { url: url.href, method: (init?.method ?? "GET") as Method, headers, ...body };
    const sent = await account.fetcher.fetch(request, account.limits ?? LIMITS);
    if (!sent.ok) throw new Error(sent.problem.message);
    const { status, headers: answered, body: bytes } = sent.value;
    const content = status === 204 || status === 304 ? null : new Uint8Array(bytes);
    const response = new Response(content, { status, headers: answered });
    Object.defineProperty(response, "url", { value: sent.value.url });
    return response;
  };

type Tsdav = Pick<typeof import("tsdav"), "createDAVClient" | "fetchCalendarObjects">;

/** The exceptions of tsdav may contain URLs, but never the password. */
async function viaTsdav<T>(run: (tsdav: Tsdav) => Promise<T>): Promise<Result<T>> {
  const tsdav = await loadTsdav();
  if (!tsdav.ok) return tsdav;
  try {
    return ok(await run(tsdav.value));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fail("fetch_failed", `The calendar server could not be used: ${why.slice(0, 200)}`, { reason: "caldav" });
  }
}

async function loadTsdav(): Promise<Result<Tsdav>> {
  try {
    return ok(await import("tsdav"));
  } catch {
    return fail("package_missing", "The package tsdav is not installed. Run: npm install tsdav", { package: "tsdav" });
  }
}
