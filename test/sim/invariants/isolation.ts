// I7 and I8: tenants are isolated, and secrets appear nowhere. Only text of users is attributed to the user.
import { dialogueLines } from "../../../src/prompt/dialogue.ts";
import { tenantMarker } from "../choose-request.ts";
import type { Evidence } from "../evidence.ts";

export function nothingLeaks({
  threads,
  clientRequests,
  prompts,
  live,
  effects,
  secret,
  jobs,
}: Evidence): readonly string[] {
  const wrong: string[] = [];
  const check = (where: string, text: string, tenant: string | null): void => {
    if (text.includes(secret)) wrong.push(`I8 the secret is in ${where}`);
    const other = tenant === "acme" ? "borg" : "acme";
    if (tenant !== null && text.includes(tenantMarker(other))) wrong.push(`I7 ${where} of ${tenant} mentions ${other}`);
  };
  for (const { at, rows, blobs } of threads) {
    for (const { version, entry, state } of rows)
      for (const text of [entry, state]) check(`record ${version}`, text, at.tenant);
    for (const text of blobs.values()) check("a blob", text, at.tenant);
  }
  for (const { request, tries } of clientRequests) {
    const tenant = "at" in request ? request.at.tenant : request.tenant;
    for (const { response } of tries) if (response) check("a response", response.body, tenant);
  }
  // Most prompts begin with the same rules, which are checked only once per tenant.
  const seen = { acme: new Set<string>(), borg: new Set<string>() };
  for (const { messages } of prompts) {
    const [rules, ...own] = messages.map(({ content }) => content);
    const isOf = own.some((text) => text.includes(tenantMarker("acme"))) ? "acme" : "borg";
    for (const text of own) check("a prompt", text, isOf);
    if (rules === undefined || seen[isOf].has(rules)) continue;
    seen[isOf].add(rules);
    check("a prompt", rules, isOf);
  }
  for (const { at, event } of live) check("an event", JSON.stringify(event), at.tenant);
  for (const effect of effects) check("an effect", effect.arguments, effect.tenant);
  const signing = jobs?.facts.endpoints.flatMap(({ webhook }) => webhook.secrets.map((one) => one.secret)) ?? [];
  for (const { tenant, body, url } of jobs?.facts.posts ?? []) {
    check("a webhook", body, tenant);
    if (signing.some((one) => body.includes(one))) wrong.push(`I8 a signing secret was sent to ${url}`);
  }
  return wrong;
}

/** Checks that another tenant's objects are not found, with the same response as for objects that never existed. */
export const otherTenantsFindNothing = ({ clientRequests }: Evidence): readonly string[] =>
  clientRequests.flatMap(({ client, request, tries }) => {
    if (request.kind !== "api" || !request.other_tenant) return [];
    return tries.flatMap(({ response }) =>
      response && !NOT_FOUND.test(response.code)
        ? [
            `I7 ${client} tried ${request.method} ${request.path} and got ${response.code} ${response.body.slice(0, 60)}`,
          ]
        : [],
    );
  });

const NOT_FOUND = /_not_found$|^store_unavailable$/;

/** Checks that external text is treated as data: afterwards nothing leaves the thread without approval. */
export const inboundEventsTaint = ({ threads }: Evidence): readonly string[] =>
  threads.flatMap(({ at, records }) => {
    const first = records.findIndex(
      ({ entry }) => entry.actor.startsWith("hook:") && (entry.create !== null || entry.input !== null),
    );
    const clean = first < 0 ? undefined : records.slice(first).find(({ state }) => state.taint === null);
    return clean ? [`I4 ${at.thread}: record ${clean.version} lost the taint of external input`] : [];
  });

/** Matches valid user lines: text that a client sent, a choice, or the marker of an answer or a timeout. */
const USER_LINE =
  /^(?:mark-[a-z]+ says |left$|right$|\(the goal above\)|\((?:rejected|happened|not happened|try again|abort)\)(?: mark-[a-z]+ says |$)|\(The user did not answer)/;

export function onlyUsersSpeakAsUsers({ threads, prompts }: Evidence): readonly string[] {
  const wrong: string[] = [];
  for (const { at, records } of threads) {
    for (const { version, entry, state } of records) {
      for (const line of dialogueLines(entry))
        if (line.role === "user" && !USER_LINE.test(line.text))
          wrong.push(`I4 ${at.thread}: record ${version} attributes to the user ${line.text}`);
      for (const line of state.dialogue.lines)
        if (line.startsWith("user: ") && !USER_LINE.test(line.slice(6)))
          wrong.push(`I4 ${at.thread}: state ${version} attributes to the user ${line}`);
    }
  }
  for (const { messages } of prompts) {
    for (const line of (messages[1]?.content ?? "").split("\n")) {
      const text = /^user(?: \(new in this turn\))?: (.*)$/.exec(line)?.[1];
      if (text !== undefined && !USER_LINE.test(text)) wrong.push(`I4 a prompt attributes to the user ${text}`);
    }
  }
  return wrong;
}
