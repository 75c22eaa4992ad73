// Tests workflows, deliverables and requests that try to break a workflow thread.
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { ScriptEntry } from "../../../src/adapters/model-scripted.ts";
import { readWorkflow } from "../../../src/workflow/parse.ts";
import { rolePrompt } from "../../../src/workflow/role-prompt.ts";
import { route } from "../../../src/workflow/route.ts";
import { createJobsApp } from "../../support/jobs-app.ts";
import { createTestRuntime, unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";
import { createWorkflowThread, deliverable, PAIR, visits, WRITTEN } from "../../support/workflow.ts";

function createApp(script: Iterable<ScriptEntry> = []) {
  const { rt, request, ask } = createJobsApp({ script });
  const store = async (workflow: unknown) => {
    const headers = { authorization: `Bearer ${apiKeyFor("ann")}`, "content-type": "application/yaml" };
    return request("/v1/workflows", { method: "POST", headers, body: stringify(workflow) });
  };
  return { rt, ask, store };
}

const status = (name: string) => ({ properties: { $status: { const: name } }, required: ["$status"] });
const START = (role: string) => ({
  new: { role, prompt: "Begin with {{ x }}text." },
  resume: { role, prompt: "Again." },
});

async function runToEnd(thread: Awaited<ReturnType<typeof createWorkflowThread>>) {
  for (let i = 0; i < 20; i++) {
    const { outcome } = unwrap(await thread.turn());
    if (outcome.next !== "advance") return outcome.thread;
  }
  throw new Error("the workflow did not end");
}

describe("names that every object has", () => {
  test.each(["constructor", "toString", "hasOwnProperty", "name"])("a role may be named %s", async (name) => {
    const value = {
      version: 1,
      name: "constructor",
      roles: { [name]: { goal: "Work.", frontmatter: status("valueOf") } },
      graph: { $START: START(name), [name]: { valueOf: { role: "$END", prompt: "Done." } } },
    };
    const { workflow } = unwrap(readWorkflow(value, null));
    const rt = createTestRuntime(visits(deliverable({ $status: "valueOf" }, "Worked.")));
    const end = await runToEnd(await createWorkflowThread(rt, workflow));
    expect(end).toMatchObject({ agent: rt.config.default_agent, workflow: { status: "end", count: 1 } });
  });

  test("fields of a deliverable change no object but its own", async () => {
    const text =
      "---\n$status: written\ntitle: a\n__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\n---\nx";
    const rt = createTestRuntime(visits(text));
    const thread = await createWorkflowThread(rt, PAIR);
    unwrap(await thread.turn());
    expect(unwrap(await thread.turn()).outcome.thread.workflow).toMatchObject({ count: 1, current_role: "reviewer" });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("text that looks like a template", () => {
  test("a deliverable is inserted, never rendered", () => {
    const attack = "{{ title }}{% for i in (1..9) %}x{% endfor %}{{ 'now' | date: '%s' }}";
    const next = unwrap(route(PAIR, { role: "writer", output: { $status: "written", title: attack }, body: attack }));
    expect(next.prompt).toContain(attack);
  });

  test("a list of a deliverable cannot make a template run without end", () => {
    const loop =
      "{% for a in l %}{% for b in l %}{% for c in l %}{% for d in l %}{% endfor %}{% endfor %}{% endfor %}{% endfor %}x";
    const edge = { role: "reviewer", prompt: loop, location: null };
    const workflow = { ...PAIR, graph: { ...PAIR.graph, writer: { written: edge } } };
    const output = { $status: "written", l: Array.from({ length: 5_000 }, (_, i) => i) };
    expect(route(workflow, { role: "writer", output, body: "" })).toMatchObject({
      ok: false,
      problem: { code: "route_template" },
    });
  });
});

describe("large deliverables", () => {
  test("frontmatter above 64 KB is corrected, not stored", async () => {
    const rt = createTestRuntime([...visits(deliverable({ $status: "written", title: "t".repeat(70_000) })), WRITTEN]);
    const thread = await createWorkflowThread(rt, PAIR);
    unwrap(await thread.turn());
    const { outcome } = unwrap(await thread.turn());
    expect(outcome.turn?.corrections[0]?.message).toContain("too long");
    expect(outcome.thread.workflow).toMatchObject({ count: 1 });
  });

  test("the outputs since the last visit of a role take a bounded part of its prompt", () => {
    const since = Array.from({ length: 40 }, (_, i) => ({
      n: 60 - i,
      role: "other",
      output: { $status: "x", text: "y".repeat(60_000) },
      body: "",
    }));
    const role = PAIR.roles.writer;
    if (!role) throw new Error("no role");
    const visit = { thread: "thr_1", n: 61, visits: 1, task: "t", since, more: 0, instruction: "i", location: null };
    const text = rolePrompt("writer", role, visit);
    expect(text.length).toBeLessThan(40_000);
    expect(text).toContain("(39 earlier steps are left out.)");
    expect(text).toContain("- Step 60, other");
  });
});

describe("requests", () => {
  test("a workflow of another tenant is not found by its hash, even if this process has read it", async () => {
    const { ask, store } = createApp(visits(WRITTEN));
    const stored = await store(PAIR);
    const { hash } = stored.body as Json;
    expect((await ask("GET", `/v1/workflows/${hash}`, undefined, "ann")).status).toBe(200);
    expect((await ask("GET", `/v1/workflows/${hash}`, undefined, "bob")).status).toBe(404);
    expect((await ask("POST", "/v1/threads", { workflow: hash, prompt: "x" }, "bob")).status).toBe(404);
  });

  test("a node that is not a step is not shown as one", async () => {
    const { ask, store } = createApp(visits(WRITTEN));
    await store(PAIR);
    const created = (await ask("POST", "/v1/threads", { workflow: "pair", prompt: "x" }, "ann")).body as Json;
    const path = `/v1/threads/${created.thread.id}`;
    const { head, workflow } = created.thread.workflow;
    for (const hash of [head, workflow, "constructor"])
      expect((await ask("GET", `${path}/steps/${hash}`, undefined, "ann")).status).toBe(404);
    expect((await ask("GET", `${path}/steps?before=${workflow}`, undefined, "ann")).status).toBe(404);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: responses are compared field by field.
type Json = Record<string, any>;

describe("a workflow thread whose nodes are damaged", () => {
  test.each([
    ["is missing", null, "is missing"],
    ["is not a node", "{", "cannot be read"],
  ])("is shown as corrupt if its head %s, its turns fail, and nothing is changed", async (_name, text, reason) => {
    const { rt, ask, store } = createApp(visits(WRITTEN));
    await store(PAIR);
    const created = (await ask("POST", "/v1/threads", { workflow: "pair", prompt: "x" }, "ann")).body as Json;
    const path = `/v1/threads/${created.thread.id}`;
    await ask("POST", `${path}/turns?until=step`, {}, "ann");
    const before = (await ask("GET", path, undefined, "ann")).body as Json;
    expect(before.thread.workflow).toMatchObject({ status: "idle", error: null });

    const { getBlob } = rt.store;
    rt.store.getBlob = async (at, hash) => {
      if (hash !== before.thread.workflow.head) return getBlob(at, hash);
      return text === null ? { ok: false, problem: missing } : { ok: true, value: text };
    };
    const damaged = (await ask("GET", path, undefined, "ann")).body as Json;
    expect(damaged.thread.workflow).toMatchObject({ status: "corrupt", done: false });
    expect(damaged.thread.workflow.error).toContain(reason);
    const poked = await ask("POST", `${path}/poke`, { text: "x" }, "ann");
    expect(poked).toMatchObject({ status: 500, body: { code: "state_corrupt" } });
    expect((await ask("GET", `${path}/visits`, undefined, "ann")).body).toMatchObject({ code: "state_corrupt" });

    rt.store.getBlob = getBlob;
    expect((await ask("GET", path, undefined, "ann")).body).toEqual(before);
  });
});

const missing = { code: "blob_not_found", message: "gone", hint: "", retry: "never", status: 404 } as const;
