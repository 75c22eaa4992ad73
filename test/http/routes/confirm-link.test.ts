import { describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import { callTool, plan } from "../../support/decisions.ts";
import { createJobsApp, type HttpResult, type JobsApp, LINKS } from "../../support/jobs-app.ts";
import { clarify, createWriteTool } from "../../support/tools.ts";

const DAY = 86_400_000;
const LINE = `pay <b>now</b> & "twice" \u202eevil`;

/** Creates a run that waits at a gate and is reported to a webhook with links. */
async function aWaitingRun(script: Iterable<ScriptEntry> = [callTool("write", { line: LINE })], mode = "direct") {
  const ledger: string[] = [];
  const bench = createJobsApp({ script, tools: [createWriteTool(ledger), clarify] });
  const desk = { name: "desk", url: "https://example.com/hook", events: ["gate.opened"], links: true };
  const webhook = (await bench.ask("POST", "/v1/webhooks", desk)).headers.get("location") ?? "";
  const created = await bench.ask("POST", "/v1/threads", { goal: "Pay <the> bill", mode });
  const thread = created.headers.get("location") ?? "";
  await bench.ask("POST", `${thread}/turns`, {});
  await bench.work();
  const [event] = bench.endpoint.received.map(
    ({ body }) => JSON.parse(body) as { data: { links?: { confirm: string } } },
  );
  const link = event?.data.links?.confirm ?? "";
  return { ...bench, ledger, webhook, thread, link, path: link.replace(LINKS.base, "") };
}

const press = (bench: JobsApp, path: string, fields: Record<string, string>): Promise<HttpResult> =>
  bench.request(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });

type ThreadBody = { thread: { state: string; gate: object | null }; next: string };
const threadOf = async (bench: JobsApp, path: string) => (await bench.ask("GET", path)).body as unknown as ThreadBody;

describe("a link to a gate", () => {
  test("shows what will happen, escaped and with hidden characters written out, and changes nothing", async () => {
    const run = await aWaitingRun();
    expect(run.link).toMatch(/^https:\/\/pawl\.example\.com\/confirm\/cft_[\w-]+\.[\w-]+$/);
    for (const method of ["GET", "HEAD", "GET"]) {
      const page = await run.request(run.path, { method });
      expect(page.status).toBe(200);
    }
    // Simulates a browser or a mail program that fetches links before anybody clicks them.
    const ahead = { "sec-purpose": "prefetch", "x-moz": "prefetch", purpose: "preview" };
    expect((await run.request(`${run.path}?decision=approve`, { method: "GET", headers: ahead })).status).toBe(200);
    expect((await run.request(run.path, { method: "OPTIONS" })).status).toBe(204);
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect((await run.request(run.path, { method, body: "decision=approve" })).status).toBe(405);
    const page = await run.request(run.path, { method: "GET" });
    expect(page.text).toContain("pay &lt;b&gt;now&lt;/b&gt; &amp;");
    expect(page.text).toContain("Pay &lt;the&gt; bill");
    expect(page.text).toContain("\\u{202e}evil");
    expect(page.text).not.toContain("<b>");
    expect(page.text).not.toMatch(/<script|\u202e/);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
    expect((await threadOf(run, run.thread)).next).toBe("confirm");
    expect(run.ledger).toEqual([]);
  });

  test("approves once, as the link of its webhook", async () => {
    const run = await aWaitingRun();
    expect(await press(run, run.path, { decision: "approve" })).toMatchObject({ status: 200 });
    expect(run.ledger).toHaveLength(1);
    const turn = await run.ask("GET", `${run.thread}/turns/2`);
    expect(turn.body).toMatchObject({ turn: { actor: "link:desk", receipts: [{}, { success: true }] } });
    for (const decision of ["approve", "reject"]) expect((await press(run, run.path, { decision })).status).toBe(409);
    expect((await run.request(run.path, { method: "GET" })).status).toBe(409);
    expect(run.ledger).toHaveLength(1);
  });

  test("of fifty concurrent submissions exactly one counts", async () => {
    const run = await aWaitingRun();
    const pressed = await Promise.all(Array.from({ length: 50 }, () => press(run, run.path, { decision: "approve" })));
    expect(pressed.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(run.ledger).toHaveLength(1);
  });

  test("rejects with a reason that the model receives", async () => {
    const run = await aWaitingRun();
    await press(run, run.path, { decision: "reject", reason: "too much" });
    const turn = await run.ask("GET", `${run.thread}/turns/2`);
    expect(turn.text).toContain("too much");
    expect(run.ledger).toEqual([]);
  });

  test("approves a plan as well", async () => {
    const run = await aWaitingRun([plan("Pay", "Tell <me>")], "plan");
    const page = await run.request(run.path, { method: "GET" });
    expect(page.text).toContain("<li>Tell &lt;me&gt;</li>");
    await press(run, run.path, { decision: "approve" });
    expect((await threadOf(run, run.thread)).thread.state).toBe("execute");
  });

  test("is not created for a question", async () => {
    const run = await aWaitingRun([callTool("clarify", { question: "Which?" })]);
    expect(run.link).toBe("");
  });

  test("is the same in every delivery, and works for a week", async () => {
    const run = await aWaitingRun();
    run.rt.clock.advance(7 * DAY - 1);
    expect((await run.request(run.path, { method: "GET" })).status).toBe(200);
    run.rt.clock.advance(1);
    for (const method of ["GET", "POST"]) {
      const late = await (method === "GET"
        ? run.request(run.path, { method })
        : press(run, run.path, { decision: "approve" }));
      expect(late.status).toBe(403);
    }
    expect(run.ledger).toEqual([]);
  });

  test("is invalid once its webhook may not send links", async () => {
    for (const change of [{ links: false }, { enabled: false }, null]) {
      const run = await aWaitingRun();
      await (change ? run.ask("PATCH", run.webhook, change) : run.ask("DELETE", run.webhook));
      expect((await press(run, run.path, { decision: "approve" })).status).toBe(403);
      expect(run.ledger).toEqual([]);
    }
  });

  test("is invalid if any character is changed", async () => {
    const run = await aWaitingRun();
    const token = run.path.replace("/confirm/", "");
    const passed: string[] = [];
    for (let i = "cft_".length; i < token.length; i++) {
      const other = token[i] === "A" ? "B" : "A";
      const forged = `/confirm/${token.slice(0, i)}${other}${token.slice(i + 1)}`;
      if ((await press(run, forged, { decision: "approve" })).status !== 403) passed.push(forged);
    }
    expect(passed).toEqual([]);
    expect(run.ledger).toEqual([]);
  });

  test("accepts only its own form", async () => {
    const run = await aWaitingRun();
    expect((await press(run, run.path, { decision: "yes" })).status).toBe(400);
    expect((await press(run, run.path, {})).status).toBe(400);
    const json = await run.request(run.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ decision: "approve" }),
    });
    expect(json.status).toBe(415);
    expect(run.ledger).toEqual([]);
  });

  test("cannot be submitted by a page of another origin, which a browser reports", async () => {
    const run = await aWaitingRun();
    const from = (site: string): Promise<HttpResult> =>
      run.request(run.path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": site },
        body: "decision=approve",
      });
    for (const site of ["cross-site", "same-site", "anything"]) expect((await from(site)).status).toBe(403);
    expect(run.ledger).toEqual([]);
    expect((await from("same-origin")).status).toBe(200);
    expect(run.ledger).toHaveLength(1);
  });

  test("is in no log", async () => {
    const run = await aWaitingRun();
    await press(run, run.path, { decision: "approve" });
    expect(run.lines.join("")).not.toContain(run.path.slice(-30));
    expect(run.lines.join("")).toContain("/confirm/cft_");
  });
});

test("a webhook that did not ask for links gets none", async () => {
  const bench = createJobsApp({ script: [callTool("write", { line: "a" })], tools: [createWriteTool([])] });
  await bench.ask("POST", "/v1/webhooks", { name: "d", url: "https://example.com/", events: ["gate.opened"] });
  const thread = (await bench.ask("POST", "/v1/threads", { goal: "Pay", mode: "direct" })).headers.get("location");
  await bench.ask("POST", `${thread}/turns`, {});
  await bench.work();
  expect(bench.endpoint.received[0]?.body).not.toContain("confirm/");
});
