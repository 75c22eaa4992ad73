// Tests the runtime in the user's own program: toolkits, their routes, and a job worker.
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/client/client.ts";
import {
  createFetch,
  createLinearSearch,
  createRuntime,
  createScriptedModel,
  createVirtualOperations,
  defineTool,
  defineToolkit,
  ok,
  startWorker,
  TOOLKITS,
  type Worker,
} from "../../src/index.ts";
import { unwrap } from "../support/runtime.ts";
import { callTool, doneDecision } from "../support/story.ts";
import { createTestEndpoint } from "../support/test-endpoint.ts";

const count = defineTool(
  { name: "count", description: "Counts.", input: z.object({ n: z.number() }), output: z.string() },
  ({ n }) => `counted ${n}`,
);
const counting = defineToolkit({
  name: "counting",
  parts: [],
  offered: "always",
  tools: () => [count],
  routes: () => [
    {
      method: "get",
      path: "/v1/threads/:id/count",
      scope: "read",
      openapi: null,
      handler: async (request) => {
        const thread = await request.thread();
        return thread.ok ? ok({ body: { turn: thread.value.state.turn, by: request.caller.name } }) : thread;
      },
    },
  ],
});

const SCRIPT = [callTool("count", { n: 1 }), doneDecision, "Counted."];
const aRuntime = (script: readonly unknown[] = SCRIPT) =>
  createRuntime({ model: createScriptedModel(script as []), toolkits: [counting] });

const workers: Worker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.drain();
});

describe("a job worker in process", () => {
  test("advances a background run to its end", async () => {
    const rt = aRuntime();
    workers.push(startWorker(rt, { jobs: { poll_ms: 60_000 } }));
    const client = createClient("http://localhost", null, createFetch(rt));
    const { thread } = unwrap(await client.create({ goal: "Count", mode: "direct", run: "background" }));
    // The worker is notified of the new run, so it does not wait for its next poll.
    await expect
      .poll(async () => unwrap(await client.get(thread.id)).thread.outcome, { timeout: 5_000 })
      .toBe("completed");
  });

  test("sends webhooks", async () => {
    const rt = aRuntime();
    const endpoint = createTestEndpoint();
    workers.push(startWorker(rt, { fetcher: endpoint, jobs: { poll_ms: 50 } }));
    const client = createClient("http://localhost", null, createFetch(rt, { fetcher: endpoint }));
    unwrap(
      await client.call("POST", "/v1/webhooks", {
        name: "all",
        url: "https://hooks.example.com/x",
        events: ["turn.committed"],
      }),
    );
    unwrap(await client.create({ goal: "Count", mode: "direct", run: "background" }));
    await expect.poll(() => endpoint.received.length, { timeout: 5_000 }).toBeGreaterThan(0);
  });

  test("is known to the runtime while it runs, and only then", async () => {
    const rt = aRuntime();
    expect(rt.worker?.running).toBe(false);
    const worker = startWorker(rt);
    expect(rt.worker?.running).toBe(true);
    await worker.drain();
    expect(rt.worker?.running).toBe(false);
  });
});

describe("toolkits in process", () => {
  test("have routes, which know the thread and the caller", async () => {
    const fetch = createFetch(aRuntime(), { name: "ann" });
    const client = createClient("http://localhost", null, fetch);
    const { thread } = unwrap(await client.create({ goal: "Count", mode: "direct" }));
    unwrap(await client.advance(thread.id));
    const response = await fetch(`http://localhost/v1/threads/${thread.id}/count`);
    expect([response.status, await response.json()]).toEqual([200, { turn: 1, by: "ann" }]);
    const missing = await fetch(`http://localhost/v1/threads/thr_${"0".repeat(26)}/count`);
    expect(missing.status).toBe(404);
  });

  test("work on the parts that the program gives them", async () => {
    const write = callTool("write_file", { path: "a.txt", content: "hello" });
    const search = createLinearSearch();
    const rt = createRuntime({
      model: createScriptedModel([write, callTool("read_file", { path: "a.txt" })]),
      toolkits: TOOLKITS,
      parts: { files: ({ own }) => createVirtualOperations({ store: own.files, search }) },
      config: { agents: { default: { instructions: "", tools: null, toolkits: ["files"] } } },
    });
    const client = createClient("http://localhost", null, createFetch(rt));
    const { thread } = unwrap(await client.create({ goal: "Write", mode: "direct", auto_approve: ["write_file"] }));
    unwrap(await client.advance(thread.id));
    const { turn } = unwrap(await client.advance(thread.id));
    expect(turn?.observation?.text).toContain("hello");
  });
});
