// Who calls a server without keys whose tools can start processes: everybody on the machine may read and advance, but
// approving and administration need the token of this start. Otherwise a command could approve the calls of its own thread.
import { deleteCookie, setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import { z } from "zod";
import type { Hash } from "../../ports/hash.ts";
import { LOCAL_TENANT } from "../../schema/ids.ts";
import { fail, ok, problem, type Result } from "../../schema/problem.ts";
import type { Route } from "../app.ts";
import type { Ctx } from "../env.ts";
import { respondProblem } from "../respond.ts";
import { readBody } from "./body.ts";
import { type Authenticate, type Caller, SCOPES } from "./caller.ts";

export type LocalToken = {
  /** Sent as Authorization: Bearer by the terminal. */
  readonly token: string;
  /** A code for one link, which the console exchanges once for a cookie. */
  readonly issueLinkCode: () => string;
  readonly authenticate: Authenticate;
  readonly routes: readonly Route[];
};

type Parts = {
  /** At least 256 bits, as letters, digits, - and _. */
  readonly random: () => string;
  readonly hash: Hash;
};

/** Codes and sessions beyond this are forgotten, oldest first. */
const KEPT_MAX = 64;

export const SessionBody = z.strictObject({ token: z.string().min(1).max(256) });
export const LinkBody = z.object({ token: z.string().describe("Opens the console once, as `/#token=…`.") });

const WITH_TOKEN: Caller = { tenant: LOCAL_TENANT, name: "local", scopes: new Set(SCOPES) };
const WITHOUT_TOKEN: Caller = {
  tenant: LOCAL_TENANT,
  name: "local",
  scopes: new Set(["read", "advance"]),
  denied: problem("token_required", "Tools of this server can start processes, so this needs the token of its start."),
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

  const postSession = async (c: Ctx): Promise<Response> => {
    const body = await readBody(c, SessionBody);
    if (!body.ok) return respondProblem(c, body.problem);
    const spent = spendCode(codes, body.value.token);
    if (!spent.ok) return respondProblem(c, spent.problem);
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
      ["post", "/v1/session", null, postSession],
      ["delete", "/v1/session", null, deleteSession],
      ["post", "/v1/session/link", "admin", (c) => c.json({ token: issueLinkCode() }, 201)],
    ],
  };
}

function spendCode(codes: HashSet, code: string): Result<void> {
  if (codes.delete(code)) return ok(undefined);
  return fail("token_required", "The link was used before, or belongs to another start of the server.");
}

/** Browsers share cookies between all ports of a machine, so two servers must not use the same name. */
const cookieName = (host: string | undefined): string => `pawl_session_${/:(\d{1,5})$/.exec(host ?? "")?.[1] ?? "80"}`;

function readSession(headers: Headers): string | null {
  const cookies = headers.get("cookie");
  if (cookies === null) return null;
  const name = cookieName(headers.get("host") ?? undefined);
  return parse(cookies, name)[name] ?? null;
}

type HashSet = ReturnType<typeof createHashSet>;

/** Random texts, known by their hashes only: looking one up says nothing about the others, not even by its time. */
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
