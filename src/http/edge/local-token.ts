// Authenticates callers of a server that has no keys but has tools that can start processes. Any process on the machine
// may read and advance, but approving and administering need the token that the server printed at startup. Otherwise
// a command that a thread runs could approve the thread's other calls.
import { deleteCookie, setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import * as z from "zod";
import type { Hash } from "../../ports/hash.ts";
import { LOCAL_NAME, LOCAL_TENANT } from "../../schema/ids.ts";
import { fail, ok, problem, type Result } from "../../schema/problem.ts";
import type { RouteDescription } from "../../tools/route.ts";
import type { Ctx } from "../env.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type ReadBody, type Route, route } from "../route.ts";
import { type Authenticate, type Caller, SCOPES } from "./caller.ts";

export type LocalToken = {
  /** The token that the terminal sends as Authorization: Bearer. */
  readonly token: string;
  /** Issues a code for a link to the console, which exchanges the code once for a cookie. */
  readonly issueLinkCode: () => string;
  readonly authenticate: Authenticate;
  readonly routes: readonly Route[];
};

type Parts = {
  /** Returns at least 256 random bits as letters, digits, - and _. */
  readonly random: () => string;
  readonly hash: Hash;
};

/** The maximum number of unused link codes, and also of sessions. Beyond it, the oldest are dropped. */
const KEPT_MAX = 64;

const SessionBody = z.strictObject({ token: z.string().min(1).max(256) });
const LinkBody = z.object({ token: z.string().describe("Opens the console once, as `/#token=…`.") });

const OPEN_SESSION = {
  id: "openSession",
  summary: "Exchange the token of a link for a cookie that may approve and administer",
  description: "Only on a server without keys whose tools can start processes. The token of a link is valid once.",
  body: SessionBody,
  responses: { 204: { description: "The cookie is set. Scripts cannot read it.", schema: null } },
  problems: ["token_required", "request_invalid"],
} satisfies RouteDescription;
const CLOSE_SESSION = {
  id: "closeSession",
  summary: "Revoke and delete the cookie",
  responses: { 204: { description: "The cookie no longer grants access.", schema: null } },
} satisfies RouteDescription;
const CREATE_LINK = {
  id: "makeLink",
  summary: "Create a token for another link to the console",
  responses: { 201: { description: "The token; it is valid once.", schema: LinkBody } },
} satisfies RouteDescription;

const WITH_TOKEN: Caller = { tenant: LOCAL_TENANT, name: LOCAL_NAME, scopes: new Set(SCOPES) };
const WITHOUT_TOKEN: Caller = {
  tenant: LOCAL_TENANT,
  name: LOCAL_NAME,
  scopes: new Set(["read", "advance"]),
  denied: problem(
    "token_required",
    "Tools of this server can start processes, so this needs the token that the server printed at its start.",
  ),
};

export function createLocalToken({ random, hash }: Parts): LocalToken {
  const token = `pawl_local_${random()}`;
  const tokenHash = hash.sha256(token);
  const codes = createHashSet(hash);
  const sessions = createHashSet(hash);

  const authenticate: Authenticate = (headers) => {
    const bearer = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
    if (bearer !== undefined && hash.sha256(bearer) === tokenHash) return ok(WITH_TOKEN);
    const session = readSession(headers);
    return ok(session !== null && sessions.has(session) ? WITH_TOKEN : WITHOUT_TOKEN);
  };

  const issueLinkCode = (): string => {
    const code = random();
    codes.add(code);
    return code;
  };

  const postSession = async (c: Ctx, { body }: ReadBody<typeof SessionBody>): Promise<Answer> => {
    const spent = redeemCode(codes, body.token);
    if (!spent.ok) return spent;
    const session = random();
    sessions.add(session);
    setCookie(c, cookieName(c.req.header("host")), session, { httpOnly: true, sameSite: "Strict", path: "/" });
    return c.body(null, 204);
  };

  const deleteSession = (c: Ctx): Response => {
    const session = readSession(c.req.raw.headers);
    if (session !== null) sessions.delete(session);
    deleteCookie(c, cookieName(c.req.header("host")), { path: "/" });
    return c.body(null, 204);
  };

  return {
    token,
    issueLinkCode,
    authenticate,
    routes: [
      route(["post", "/v1/session", null], postSession, OPEN_SESSION),
      route(["delete", "/v1/session", null], deleteSession, CLOSE_SESSION),
      route(["post", "/v1/session/link", "admin"], (c) => respondJson(c, { token: issueLinkCode() }, 201), CREATE_LINK),
    ],
  };
}

function redeemCode(codes: ReturnType<typeof createHashSet>, code: string): Result<void> {
  if (codes.delete(code)) return ok(undefined);
  return fail("token_required", "The link was used before, or is from an earlier start of the server.");
}

/** Browsers share cookies between all ports of a machine, so each server needs its own cookie name. */
const cookieName = (host: string | undefined): string => `pawl_session_${/:(\d{1,5})$/.exec(host ?? "")?.[1] ?? "80"}`;

function readSession(headers: Headers): string | null {
  const cookies = headers.get("cookie");
  if (cookies === null) return null;
  const name = cookieName(headers.get("host") ?? undefined);
  return parse(cookies, name)[name] ?? null;
}

/** Stores random strings only as hashes, so the duration of a lookup reveals nothing about them. */
function createHashSet(hash: Hash) {
  const hashes = new Set<string>();
  return {
    add(text: string): void {
      for (const oldest of hashes) {
        if (hashes.size < KEPT_MAX) break;
        hashes.delete(oldest);
      }
      hashes.add(hash.sha256(text));
    },
    has: (text: string): boolean => hashes.has(hash.sha256(text)),
    delete: (text: string): boolean => hashes.delete(hash.sha256(text)),
  };
}
