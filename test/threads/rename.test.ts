// Tests that a thread keeps its title: the one a user gave it, otherwise the goal of its first run.
import { expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import { createThread } from "../../src/threads/create.ts";
import { createTestRuntime, unwrap } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";

type Shown = { thread: { title?: string; goal: string; state: string; turn: number }; threads: { title?: string }[] };

async function createServer(input: { goal: string; metadata?: Record<string, unknown> }) {
  const rt = createTestRuntime([
    { action: "answer", speak: "Done." },
    { action: "answer", speak: "Done again." },
  ]);
  const created = unwrap(
    await createThread(rt, {
      tenant: LOCAL_TENANT,
      actor: "tester",
      input,
      key: null,
    }),
  );
  const app = createApp(testSettings(rt));
  const { id } = created.outcome.thread;
  const send = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Shown }> => {
    const response = await app.request(`/v1/threads${path}`, {
      method,
      headers: { host: "localhost", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Shown };
  };
  return { id, send };
}

const message = (text: string) => ({ input: { type: "message", text } });

test("a title is shown, listed and found, and stays when the goal changes", async () => {
  const { id, send } = await createServer({ goal: "Water the plants" });
  await send("POST", `/${id}/turns?until=pause`, {});
  expect(await send("PATCH", `/${id}`, { title: "  Garden " })).toMatchObject({
    status: 200,
    body: { thread: { title: "Garden", goal: "Water the plants", state: "rest" } },
  });
  await send("POST", `/${id}/turns?until=pause`, message("Water the trees"));
  expect((await send("GET", `/${id}`)).body.thread).toMatchObject({ title: "Garden", goal: "Water the trees" });
  expect((await send("GET", "?q=garden")).body.threads).toMatchObject([{ title: "Garden" }]);
});

test("the same title again adds no record", async () => {
  const { id, send } = await createServer({ goal: "Water the plants" });
  const first = await send("PATCH", `/${id}`, { title: "Garden" });
  const second = await send("PATCH", `/${id}`, { title: "Garden" });
  expect(second.body.thread.turn).toBe(first.body.thread.turn);
});

test("a thread without a name keeps the goal of its first run as its title", async () => {
  const { id, send } = await createServer({ goal: "Water the plants" });
  await send("POST", `/${id}/turns?until=pause`, {});
  expect((await send("GET", `/${id}`)).body.thread.title).toBeUndefined();
  await send("POST", `/${id}/turns?until=pause`, message("Water the trees"));
  expect((await send("GET", `/${id}`)).body.thread).toMatchObject({
    title: "Water the plants",
    goal: "Water the trees",
  });
});

test("a title given on creation is not replaced by a goal", async () => {
  const { id, send } = await createServer({ goal: "Water the plants", metadata: { title: "Garden" } });
  await send("POST", `/${id}/turns?until=pause`, {});
  await send("POST", `/${id}/turns?until=pause`, message("Water the trees"));
  expect((await send("GET", `/${id}`)).body.thread.title).toBeUndefined();
});

test.each([{ title: "" }, { title: "   " }, { title: "x".repeat(121) }, {}, { title: 3 }])(
  "%j is refused",
  async (body) => {
    const { id, send } = await createServer({ goal: "Water the plants" });
    expect((await send("PATCH", `/${id}`, body)).status).toBe(400);
  },
);
