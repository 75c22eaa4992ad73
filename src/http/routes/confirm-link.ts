// Creates a link to a gate. Opening its page changes nothing; only submitting the form answers the gate.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import {
  createDirectLink,
  isIssuer,
  type LinkPayload,
  type LinkSettings,
  verifyLink,
} from "../../jobs/webhooks/confirm-links.ts";
import { findWebhook } from "../../jobs/webhooks/subscriptions.ts";
import { isoTime } from "../../ports/clock.ts";
import type { ListQuery } from "../../ports/thread-store.ts";
import { type Gate, hasExpired } from "../../schema/gate.ts";
import { type TenantId, ThreadId, type ThreadRef } from "../../schema/ids.ts";
import { fail, ok, type Problem, type Result } from "../../schema/problem.ts";
import type { ThreadState } from "../../schema/thread.ts";
import { isOrphan, parentNotWaiting } from "../../turn/admit/admit-child.ts";
import { loadThread } from "../../turn/load.ts";
import type { Runtime } from "../../turn/runtime.ts";
import { dispatchTurn } from "../dispatch-turn.ts";
import { type ApiKeyRecord, hasKeyExpired } from "../edge/api-keys.ts";
import { readTextOfType } from "../edge/body.ts";
import type { Ctx } from "../env.ts";
import { hydrateGate } from "../hydrate-gate.ts";
import { CONFIRM_PAGE_CSP, confirmPage, donePage, problemPage } from "../pages/confirm-page.ts";
import { respondJson } from "../respond.ts";
import { type Answer, type Route, route } from "../route.ts";
import { createTurnRequest } from "../turn-request.ts";

const htmlBody = { schema: z.string(), type: "text/html" } as const;
const linkProblems = [
  "link_invalid",
  "gate_closed",
  "gate_expired",
  "sub_agent_refused",
  "thread_not_found",
  "thread_removed",
  "store_unavailable",
] as const;

const LinkBody = z.strictObject({ thread: ThreadId.optional() });
const LinkResponse = z.object({ url: z.string(), expires_at: z.iso.datetime() });

export const confirmRoutes = (key: LinkSettings): readonly Route[] => [
  route(["post", "/v1/gates/:gate/link", "confirm"], (c, { body }) => postLink(c, key, body), {
    id: "createGateLink",
    summary: "Make a link with which a person approves or rejects a plan or a call",
    description:
      "Whoever has the link can answer this gate, once, for a day at most, and not after the key that made it was removed. `thread` saves a search through the open gates. The record names the actor as `link:` and the name of the key that made it.",
    body: LinkBody,
    example: {},
    responses: { 200: { description: "The link.", schema: LinkResponse } },
    problems: ["gate_closed", "gate_expired", "gate_mismatch", "sub_agent_refused"],
  }),
  route(["get", "/confirm/:token", null], (c) => getConfirm(c, key), {
    id: "showLink",
    summary: "Show what a gate asks, as a page. Opening it changes nothing",
    description: "Problems are HTML pages, too.",
    responses: { 200: { description: "The page with its form.", ...htmlBody } },
    html_problems: true,
    problems: linkProblems,
  }),
  route(["post", "/confirm/:token", null], (c) => postConfirm(c, key), {
    id: "answerLink",
    summary: "Answer the gate with the form of the page",
    description:
      "Takes `decision` (approve, reject) and `reason` as form fields. The record names the actor as `link:` and the name of the webhook.",
    responses: { 200: { description: "The gate was answered.", ...htmlBody } },
    html_problems: true,
    problems: [
      ...linkProblems,
      "request_invalid",
      "content_type_unsupported",
      "body_too_large",
      "digest_mismatch",
      "thread_moved",
      "turn_running",
      "tool_disabled",
      "tool_changed",
      "tool_denied",
    ],
  }),
];

async function postLink(c: Ctx, key: LinkSettings, { thread }: z.infer<typeof LinkBody>): Promise<Answer> {
  const { rt } = c.get("options");
  const caller = c.get("caller");
  const gateId = c.req.param("gate") ?? "";
  const found = await findOpenGate(rt, caller.tenant, gateId, thread);
  if (!found.ok) return found;
  const { at, gate } = found.value;
  const base = key.base || new URL(c.req.url).origin;
  const link = createDirectLink({ ...key, base }, at, gate, { caller, now: rt.clock.now() });
  if (!link) return fail("gate_mismatch", `A ${gate.kind} gate is not answered with yes or no.`);
  return respondJson(c, { url: link.url, expires_at: isoTime(link.exp) });
}

const PAGE = 200;

async function findOpenGate(
  rt: Runtime,
  tenant: TenantId,
  gateId: string,
  thread: ThreadId | undefined,
): Promise<Result<{ readonly at: ThreadRef; readonly gate: Gate }>> {
  const id = thread ? ok(thread) : await threadOfGate(rt, tenant, gateId);
  if (!id.ok) return id;
  const at = { tenant, thread: id.value };
  const loaded = await loadThread(rt, at);
  if (!loaded.ok) return loaded;
  const { gate } = loaded.value.state;
  if (gate?.id !== gateId) return gateClosed();
  const awaited = await requireAwaited(rt, at, loaded.value.state);
  if (!awaited.ok) return awaited;
  if (hasExpired(gate, rt.clock.now())) return fail("gate_expired", `Gate ${gate.id} expired at ${gate.expires_at}.`);
  return ok({ at, gate });
}

async function threadOfGate(rt: Runtime, tenant: TenantId, gateId: string): Promise<Result<ThreadId>> {
  let after: NonNullable<ListQuery["after"]> | undefined;
  for (;;) {
    const page = await rt.store.list(tenant, { gated: true, limit: PAGE, ...(after && { after }) });
    if (!page.ok) return page;
    const found = page.value.find(({ gate }) => gate?.id === gateId);
    if (found) return ok(found.thread);
    const last = page.value.at(-1);
    if (!last || page.value.length < PAGE) return gateClosed();
    after = { created_at: last.created_at, thread: last.thread };
  }
}

type OpenGate = {
  readonly payload: LinkPayload;
  /** The name of the webhook or key that created the link. */
  readonly source: string;
  readonly goal: string;
  readonly gate: Extract<Gate, { kind: "plan" | "confirmation" }>;
};

/** The gate of a sub-agent whose parent has ended stays open until the sub-agent's thread is read, which cancels it. */
const requireAwaited = async (rt: Runtime, at: ThreadRef, state: ThreadState): Promise<Result<void>> =>
  state.child && (await isOrphan(rt, at, state)) ? parentNotWaiting(state.child) : ok(undefined);

const gateClosed = () => fail("gate_closed", "This gate has already been answered or is no longer open.");

/** A link is valid only while the webhook or key that created it may give approvals. Removing or disabling it, or its expiry, revokes its links. */
async function loadOpenGate(c: Ctx, key: LinkSettings): Promise<Result<OpenGate>> {
  const { rt } = c.get("options");
  const payload = verifyLink(key, c.req.param("token") ?? "", rt.clock.now());
  if (!payload.ok) return payload;
  const { tenant, thread: id, gate: gateId, digest } = payload.value;
  const source = await sourceOf(c, key, payload.value);
  if (source === null) return fail("link_invalid", "This link is not valid or has expired.");
  const thread = await loadThread(rt, { tenant, thread: id });
  if (!thread.ok) return thread;
  const { gate, goal } = thread.value.state;
  if (gate?.id !== gateId || (gate.kind !== "plan" && gate.kind !== "confirmation") || gate.digest !== digest)
    return gateClosed();
  const awaited = await requireAwaited(rt, { tenant, thread: id }, thread.value.state);
  if (!awaited.ok) return awaited;
  const hydrated = await hydrateGate(rt, { tenant, thread: id }, gate);
  return ok({ payload: payload.value, source, goal, gate: hydrated });
}

async function sourceOf(c: Ctx, link: LinkSettings, payload: LinkPayload): Promise<string | null> {
  const { rt, keys } = c.get("options");
  const { tenant, webhook: id, by = "" } = payload;
  const mayApprove = (key: ApiKeyRecord): boolean =>
    key.scopes.includes("confirm") && !hasKeyExpired(key, rt.clock.now()) && isIssuer(link, payload, key);
  if (id === "") return keys === null || keys(tenant).some(mayApprove) ? by : null;
  const webhook = await findWebhook(rt, tenant, id);
  return webhook.ok && webhook.value.enabled && webhook.value.links ? webhook.value.name : null;
}

async function getConfirm(c: Ctx, key: LinkSettings): Promise<Answer> {
  const open = await loadOpenGate(c, key);
  if (!open.ok) return respondPage(c, problemPage(open.problem), open.problem);
  return respondPage(c, confirmPage(open.value.goal, open.value.gate, isoTime(open.value.payload.exp)), null);
}

async function postConfirm(c: Ctx, key: LinkSettings): Promise<Answer> {
  const options = c.get("options");
  const sameOrigin = requireSameOrigin(c);
  if (!sameOrigin.ok) return respondPage(c, problemPage(sameOrigin.problem), sameOrigin.problem);
  const form = await readForm(c);
  if (!form.ok) return respondPage(c, problemPage(form.problem), form.problem);
  const open = await loadOpenGate(c, key);
  if (!open.ok) return respondPage(c, problemPage(open.problem), open.problem);
  const { payload: claims, source, gate } = open.value;
  const { tenant, thread } = claims;
  const caller = { tenant, name: `link:${source}`, scopes: new Set<never>() };
  const input = { type: "confirm" as const, gate_id: gate.id, digest: gate.digest, ...form.value };
  const request = createTurnRequest(options, caller, { tenant, thread }, { input });
  const answered = await dispatchTurn(options, request, { max_turns: null, if_busy: "reject" });
  if (!answered.ok) return respondPage(c, problemPage(answered.problem), answered.problem);
  return respondPage(c, donePage(form.value.decision === "approve" ? "Approved" : "Rejected", DONE_TEXT), null);
}

const DONE_TEXT = "Thank you. You can close this page.";
const FORM_BYTES_MAX = 4_096;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** A page of another site may know the link and submit a form through the user's browser. */
function requireSameOrigin(c: Ctx): Result<void> {
  const site = c.req.header("sec-fetch-site");
  return site === undefined || site === "same-origin" || site === "none"
    ? ok(undefined)
    : fail("origin_refused", "Only requests from the form on this page are accepted.");
}

type Form = { readonly decision: "approve" | "reject"; readonly reason?: string };

async function readForm(c: Ctx): Promise<Result<Form>> {
  const text = await readTextOfType(c, FORM_TYPE, FORM_BYTES_MAX);
  if (!text.ok) return text;
  const fields = new URLSearchParams(text.value);
  const decision = fields.get("decision");
  const reason = fields.get("reason")?.trim();
  if (decision !== "approve" && decision !== "reject")
    return fail("request_invalid", "decision: must be approve or reject.", { field: "decision" });
  return ok({ decision, ...(decision === "reject" && reason ? { reason } : {}) });
}

function respondPage(c: Ctx, page: string, failure: Problem | null): Answer {
  c.header("content-security-policy", CONFIRM_PAGE_CSP);
  // The browser sends the form's origin only with this policy. A server without keys would refuse the form without it.
  c.header("referrer-policy", "same-origin");
  c.header("x-robots-tag", "noindex");
  if (failure) c.set("problem_code", failure.code);
  return c.html(page, (failure?.status ?? 200) as ContentfulStatusCode);
}
