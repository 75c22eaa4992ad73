import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import type { TenantId, ThreadId } from "../../../src/schema/ids.ts";
import { loadThread } from "../../../src/turn/load.ts";
import { createJobsApp } from "../../support/jobs-app.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";
import { ASKED, BAD, deliverable, GOOD, PUBLISHED, visits, WRITTEN } from "../../support/workflow.ts";

const brainstorm = readFileSync(new URL("../../../examples/workflows/brainstorm.yaml", import.meta.url), "utf8");
const pair = readFileSync(new URL("../../fixtures/workflows/pair.yaml", import.meta.url), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: responses are compared field by field.
type Json = Record<string, any>;

function createWorkflowApp(script: Iterable<ScriptEntry> = []) {
  const { rt, request: send, ask } = createJobsApp({ script });
  const authorization = `Bearer ${apiKeyFor("ann")}`;
  const request = async (method: string, path: string, body?: string, type = "application/json", more = {}) => {
    const headers = { authorization, ...(body === undefined ? {} : { "content-type": type }), ...more };
    const response = await send(path, { method, headers, ...(body === undefined ? {} : { body }) });
    return { ...response, body: response.body as Json };
  };
  const post = (path: string, body: unknown = {}, more = {}) =>
    request("POST", path, JSON.stringify(body), "application/json", more);
  const store = (yaml: string, query = "") => request("POST", `/v1/workflows${query}`, yaml, "application/yaml");
  const start = async () => {
    await store(pair);
    const created = await post("/v1/threads", { workflow: "pair", prompt: "Rain.", budget: { turns: 1000 } });
    return `/v1/threads/${created.body.thread.id}`;
  };
  return { rt, ask, request, post, store, start, get: (path: string) => request("GET", path) };
}

describe("storing workflows", () => {
  test("a valid one is stored, listed and shown", async () => {
    const { store, get } = createWorkflowApp();
    const stored = await store(brainstorm, "?name=brainstorm");
    expect(stored).toMatchObject({ status: 201, body: { name: "brainstorm", warnings: [] } });
    expect(stored.headers.get("location")).toBe("/v1/workflows/brainstorm");
    const again = await store(brainstorm);
    expect(again.body.hash).toBe(stored.body.hash);
    expect((await get("/v1/workflows")).body.workflows).toHaveLength(1);
    expect((await get("/v1/workflows/brainstorm")).body).toMatchObject({ hash: stored.body.hash });
    expect((await get(`/v1/workflows/${stored.body.hash}`)).status).toBe(200);
    expect(await get("/v1/workflows/nothing")).toMatchObject({ status: 404, body: { code: "workflow_not_found" } });
  });

  test("validate=true stores nothing", async () => {
    const { store, get } = createWorkflowApp();
    expect((await store(brainstorm, "?validate=true&name=brainstorm")).status).toBe(200);
    expect((await get("/v1/workflows")).body.workflows).toEqual([]);
  });

  test("a file with mistakes is refused with all of them", async () => {
    const { store, get } = createWorkflowApp();
    const broken = brainstorm.replace("version: 1", "version: one").replace("role: editor", "role: printer");
    const refused = await store(broken, "?validate=true&name=storm");
    expect(refused).toMatchObject({ status: 422, body: { code: "workflow_invalid" } });
    const errors = refused.body.errors as { path: string; legal?: string[] }[];
    expect(refused.body.details).toEqual({ errors });
    expect(errors.map(({ path }) => path)).toEqual(["version", "name", "graph.collector.enough.role", "roles.editor"]);
    expect(errors[2]?.legal).toContain("editor");
    expect((await store(broken)).status).toBe(422);
    expect((await get("/v1/workflows")).body.workflows).toEqual([]);
  });

  test.each([
    ["JSON as content type", brainstorm, "application/json", 415],
    ["an included file", "name: !include /etc/passwd", "application/yaml", 422],
    ["no YAML", "{{{", "application/yaml", 422],
  ])("%s is refused", async (_name, body, type, status) => {
    const { request } = createWorkflowApp();
    expect((await request("POST", "/v1/workflows", body, type)).status).toBe(status);
  });

  test("a file above 256 KB is refused with the limit of workflows", async () => {
    const { store } = createWorkflowApp();
    expect(await store(`# ${"x".repeat(270_000)}`)).toMatchObject({
      status: 413,
      body: { code: "workflow_too_large" },
    });
  });

  test("a workflow of one tenant is not visible to another", async () => {
    const { ask, store } = createWorkflowApp();
    await store(pair);
    expect((await ask("GET", "/v1/workflows/pair", undefined, "ann")).status).toBe(200);
    expect((await ask("GET", "/v1/workflows/pair", undefined, "bob")).status).toBe(404);
    expect((await ask("POST", "/v1/threads", { workflow: "pair", prompt: "x" }, "bob")).status).toBe(404);
  });
});

describe("a workflow thread over HTTP", () => {
  test("advances one step per request with until=step", async () => {
    const { start, post, get } = createWorkflowApp(visits(WRITTEN, BAD, WRITTEN, GOOD, PUBLISHED));
    const thread = await start();
    const first = await post(`${thread}/turns?until=step`);
    expect(first.body).toMatchObject({
      stopped: "step",
      thread: { workflow: { status: "idle", current_role: "reviewer", count: 1 } },
    });
    expect(first.body.turns).toHaveLength(2);
    for (const stopped of ["step", "step", "step", "rest"])
      expect((await post(`${thread}/turns?until=step`)).body.stopped).toBe(stopped);
    const end = await get(thread);
    expect(end.body).toMatchObject({
      next: "none",
      thread: { workflow: { status: "end", done: true, current_role: null } },
    });
  });

  test("a request for a step that is sent again with its key gets the same response", async () => {
    const { start, post } = createWorkflowApp(visits(WRITTEN));
    const thread = await start();
    const first = await post(`${thread}/turns?until=step`, {}, { "idempotency-key": "k1" });
    const second = await post(`${thread}/turns?until=step`, {}, { "idempotency-key": "k1" });
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
  });

  test("steps are listed newest first, page by page, and shown with their prompt", async () => {
    const { start, post, get } = createWorkflowApp(visits(WRITTEN, BAD, WRITTEN));
    const thread = await start();
    for (let i = 0; i < 3; i++) await post(`${thread}/turns?until=step`);
    const page = await get(`${thread}/steps?limit=2`);
    const steps = page.body.steps as { n: number; step: string }[];
    expect(steps.map(({ n }) => n)).toEqual([3, 2]);
    const rest = await get(`${thread}/steps?before=${page.body.before}`);
    expect(rest.body).toMatchObject({
      before: null,
      steps: [{ n: 1, role: "writer", output: { title: "One" }, text: "A sentence." }],
    });
    const shown = await get(`${thread}/steps/${steps[1]?.step}`);
    expect(shown.body.prompt).toContain("## Instruction\nReview One");
    expect((await get(`${thread}/steps/${"0".repeat(64)}`)).status).toBe(404);
  });

  test("its turns are listed by visit, with the one in progress, a role first, then a range", async () => {
    const done = { action: "done", goal_check: "ok" };
    const prose = [done, "No frontmatter.", "No frontmatter.", "No frontmatter."];
    const { start, post, get } = createWorkflowApp([...visits(WRITTEN), ...prose, ...visits(BAD), done]);
    const thread = await start();
    await post(`${thread}/turns?until=step`);
    const failed = (await post(`${thread}/turns?until=step`)).body.thread.workflow;
    expect(failed).toMatchObject({ status: "suspended", count: 1, attempts: [expect.any(String)] });
    const attempt = (await get(`${thread}/steps/${failed.attempts[0]}`)).body;
    expect(attempt).toMatchObject({
      role: "reviewer",
      status: "error",
      output: { phase: "frontmatter" },
      text: "No frontmatter.",
    });
    await post(`${thread}/resume`, { supplement: "Mind the format." });
    await post(`${thread}/turns?until=step`);
    await post(`${thread}/turns`);
    const { visits: all, total } = (await get(`${thread}/visits`)).body;
    const lines = (visited: Json[]) =>
      visited.map(({ n, role, status, in_flight, turns }) => [
        `${n} ${role} ${status}${in_flight ? " in flight" : ""}`,
        ...turns.map((one: Json) => `${one.index}:${one.turn}`),
      ]);
    expect(lines(all)).toEqual([
      ["1 writer written", "0:1", "1:2"],
      ["2 reviewer error", "2:3", "3:4"],
      ["2 reviewer bad", "4:6", "5:7"],
      ["3 writer null in flight", "6:8"],
    ]);
    expect(total).toBe(7);
    expect(all[1].step).toBe(failed.attempts[0]);
    expect(all[3].step).toBeNull();
    const some = (await get(`${thread}/visits?role=writer&offset=1&limit=2`)).body;
    expect(lines(some.visits)).toEqual([
      ["1 writer written", "1:2"],
      ["3 writer null in flight", "2:8"],
    ]);
    expect((await get(`${thread}/visits?limit=0`)).body).toEqual({ visits: [], total: 7 });
    expect((await get(`${thread}/visits?offset=-1`)).status).toBe(400);
  });

  test("a question about a past step goes to a fork and leaves the thread as it is", async () => {
    const { start, post, get } = createWorkflowApp(visits(WRITTEN, BAD, WRITTEN));
    const thread = await start();
    await post(`${thread}/turns?until=step`);
    await post(`${thread}/turns?until=step`);
    const before = (await get(thread)).body;
    const { thread: fork } = (await post(`${thread}/fork`, { step: 1 })).body;
    await post(`/v1/threads/${fork.id}/poke`, { text: "Why this title?" });
    expect((await post(`/v1/threads/${fork.id}/turns?until=step`)).body.stopped).toBe("step");
    expect((await get(thread)).body).toEqual(before);
  });

  test("is suspended, and resumed with a supplement", async () => {
    const { start, post, get } = createWorkflowApp(visits(ASKED, WRITTEN));
    const thread = await start();
    const waiting = await post(`${thread}/turns?until=step`);
    expect(waiting.body).toMatchObject({ stopped: "gate", next: "resume", thread: { gate: { kind: "suspend" } } });
    expect((await get("/v1/gates")).body.gates).toMatchObject([{ gate: { kind: "suspend", role: "writer" } }]);
    const again = await post(`${thread}/turns?until=step`);
    expect(again).toMatchObject({ status: 200, body: { stopped: "gate", next: "resume", turns: [] } });
    expect(again.body.thread).toEqual(waiting.body.thread);
    expect(await post(`${thread}/turns`)).toMatchObject({ status: 409, body: { code: "gate_open" } });
    expect(await post(`${thread}/resume`, { supplement: "For children." })).toMatchObject({
      status: 200,
      body: { next: "advance" },
    });
    expect(await post(`${thread}/resume`, { supplement: "Again." })).toMatchObject({
      status: 409,
      body: { code: "not_resumable" },
    });
    expect((await post(`${thread}/turns?until=step`)).body).toMatchObject({ stopped: "step" });
  });

  test("is poked, and forked at a step", async () => {
    const two = deliverable({ $status: "written", title: "Two" }, "Another.");
    const { start, post, get } = createWorkflowApp(visits(WRITTEN, two, BAD, GOOD));
    const thread = await start();
    expect(await post(`${thread}/poke`, { text: "x" })).toMatchObject({ status: 409, body: { code: "not_pokable" } });
    await post(`${thread}/turns?until=step`);
    expect((await post(`${thread}/poke`, { text: "Shorter." })).status).toBe(200);
    await post(`${thread}/turns?until=step`);
    expect((await get(`${thread}/steps`)).body.steps).toMatchObject([{ n: 1, output: { title: "Two" } }]);
    await post(`${thread}/turns?until=step`);
    const forked = await post(`${thread}/fork`, { step: 1 });
    expect(forked).toMatchObject({
      status: 201,
      body: { thread: { workflow: { status: "idle", count: 1, current_role: "reviewer" } } },
    });
    expect(await post(`${thread}/fork`, { step: 9 })).toMatchObject({ status: 404 });
    // The fork continues along a different edge, and the original is unchanged.
    const copy = `/v1/threads/${forked.body.thread.id}`;
    expect((await post(`${copy}/turns?until=step`)).body.thread.workflow).toMatchObject({
      current_role: "publisher",
      count: 2,
    });
    expect((await get(thread)).body.thread.workflow).toMatchObject({ current_role: "writer", count: 2 });
  });

  test("is exported as nodes that are named by their content", async () => {
    const { start, post, get, rt } = createWorkflowApp(visits(WRITTEN, BAD));
    const thread = await start();
    for (let i = 0; i < 2; i++) await post(`${thread}/turns?until=step`);
    const file = await get(`${thread}/export?format=nodes`);
    const lines = file.text.trim().split("\n");
    const known = new Set<string>();
    for (const line of lines) {
      const { hash, node } = JSON.parse(line) as { hash: string; node: { type?: string } };
      expect(line.slice(`{"hash":"${hash}","node":`.length, -1)).toSatisfy(
        (text: string) => rt.hash.sha256(text) === hash,
      );
      // Every node is written after the nodes that it refers to.
      if (node.type)
        for (const [, name = ""] of line.slice(80).matchAll(/"([0-9a-f]{64})"/g)) expect(known).toContain(name);
      known.add(hash);
    }
    const { workflow } = (await get(thread)).body.thread;
    expect(known).toContain(workflow.head);
    expect(known).toContain(workflow.workflow);
    const { body } = await post("/v1/threads", {});
    expect(await get(`/v1/threads/${body.thread.id}/export?format=nodes`)).toMatchObject({ status: 404 });
    expect(await get(`/v1/threads/${body.thread.id}/export?format=node`)).toMatchObject({
      status: 400,
      body: { code: "request_invalid", field: "format" },
    });
  });

  test("is exported without blobs that text only quotes", async () => {
    const quoting = () => deliverable({ $status: "written", title: "One" }, quoted);
    let quoted = "";
    const [done] = visits(WRITTEN);
    const { start, post, get, rt } = createWorkflowApp([...(done ? [done] : []), quoting]);
    const thread = await start();
    await post(`${thread}/turns`);
    const at = { tenant: "acme" as TenantId, thread: thread.split("/").at(-1) as ThreadId };
    quoted = unwrap(await loadThread(rt, at)).entries.at(-1)?.entry.prompt_hash ?? "none";
    await post(`${thread}/turns?until=step`);
    const lines = (await get(`${thread}/export?format=nodes`)).text.trim().split("\n");
    expect(lines.join()).toContain(`"payload":"${quoted}"`);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("node");
  });

  test("is exported and imported with all its steps", async () => {
    const { start, post, get, request } = createWorkflowApp(visits(WRITTEN, BAD, WRITTEN));
    const thread = await start();
    for (let i = 0; i < 2; i++) await post(`${thread}/turns?until=step`);
    const file = await get(`${thread}/export`);
    const steps = (await get(`${thread}/steps`)).body;
    await request("DELETE", thread);
    const imported = await request("POST", "/v1/import", file.text, file.headers.get("content-type") ?? "");
    expect(imported.status).toBe(201);
    expect((await get(`${thread}/steps`)).body).toEqual(steps);
    expect((await post(`${thread}/turns?until=step`)).body).toMatchObject({ stopped: "step" });
  });
});
