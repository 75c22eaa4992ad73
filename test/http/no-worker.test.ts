// Tests that background runs are refused without a job worker, instead of being accepted and never started.
import { describe, expect, test } from "vitest";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { createClient } from "../../src/client/client.ts";
import { createFetch, createRuntime } from "../../src/hosts/in-process.ts";
import { unwrap } from "../support/runtime.ts";

const start = () => {
  const rt = createRuntime({ model: createScriptedModel([]) });
  return { rt, client: createClient("http://embedded", null, createFetch(rt)) };
};
const refused = { ok: false, problem: { code: "no_worker", status: 501 } };

describe("a runtime inside another program", () => {
  test("refuses background runs and stores nothing", async () => {
    const { client } = start();
    expect(await client.create({ goal: "Tidy up", run: "background" })).toMatchObject(refused);
    expect(unwrap(await client.list()).threads).toEqual([]);
    const { thread } = unwrap(await client.create({ goal: "Tidy up" }));
    expect(await client.run(thread.id)).toMatchObject(refused);
    expect(await client.resume(thread.id)).toMatchObject(refused);
    expect(unwrap(await client.get(thread.id)).thread.version).toBe(0);
  });

  test("accepts them as soon as a worker runs", async () => {
    const { rt, client } = start();
    if (rt.worker) rt.worker.running = true;
    const { thread } = unwrap(await client.create({ goal: "Tidy up", run: "background" }));
    expect(thread.background).toMatchObject({ status: "on" });
  });
});
