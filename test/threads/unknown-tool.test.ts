import { describe, expect, test } from "vitest";
import { fireSchedule } from "../../src/jobs/schedules/fire-schedule.ts";
import { createSchedule } from "../../src/jobs/schedules/schedules.ts";
import { LOCAL_TENANT } from "../../src/schema/ids.ts";
import type { CreateInput } from "../../src/schema/input.ts";
import { changeTool } from "../../src/threads/change-tool.ts";
import { type CreateRequest, createThread } from "../../src/threads/create.ts";
import type { Runtime } from "../../src/turn/runtime.ts";
import { createTestRuntime, unwrap } from "../support/runtime.ts";
import { createWriteTool, look } from "../support/tools.ts";

const createToolRuntime = () => createTestRuntime([], [look, createWriteTool([], { name: "write_line" })]);
const create = (rt: Runtime, input: CreateInput, key: CreateRequest["key"] = null) =>
  createThread(rt, { tenant: LOCAL_TENANT, actor: "tester", input, key });
const unknown = (details: object) => ({ ok: false, problem: { code: "tool_unknown", status: 422, details } });

describe("a tool name given on create", () => {
  test("is accepted if the tool exists, even if it is disabled", async () => {
    const rt = createToolRuntime();
    unwrap(await changeTool(rt, LOCAL_TENANT, { name: "look", agent: null, enabled: false, if_match: null }));
    unwrap(await create(rt, { tools: { look: true, write_line: false }, auto_approve: ["write_line", "look"] }));
  });

  test("is refused if no tool has it, with the field and the nearest names", async () => {
    const rt = createToolRuntime();
    const misspelt = await create(rt, { tools: { look: false, write_lime: false } });
    expect(misspelt).toMatchObject(unknown({ field: "tools", nearest: ["write_line"] }));
    expect(misspelt).toMatchObject({ problem: { message: expect.stringContaining("nearest: write_line") } });
    expect(await create(rt, { auto_approve: ["lok"] })).toMatchObject(
      unknown({ field: "auto_approve", nearest: ["look"] }),
    );
    expect(await create(rt, { tools: { constructor: true } })).toMatchObject(unknown({ field: "tools", nearest: [] }));
    expect(unwrap(await rt.store.list(LOCAL_TENANT, { limit: 10 }))).toEqual([]);
  });

  test("that was valid the first time returns the same response under the same key after its tool was removed", async () => {
    const rt = createToolRuntime();
    const key = { name: "k", hash: "0".repeat(18), body: "b" };
    const first = unwrap(await create(rt, { auto_approve: ["look"] }, key));
    rt.toolbox.remove("look");
    const again = unwrap(await create(rt, { auto_approve: ["look"] }, key));
    expect([again.replayed, again.outcome]).toEqual([true, first.outcome]);
    expect(await create(rt, { auto_approve: ["look"] }, { ...key, name: "other" })).toMatchObject(unknown({}));
  });
});

test("is checked when a schedule is created, and a tool that is removed later does not stop the schedule", async () => {
  const rt = createToolRuntime();
  const schedule = (name: string) =>
    createSchedule(rt, {
      tenant: LOCAL_TENANT,
      actor: "tester",
      key: null,
      input: {
        name: "nightly",
        when: { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" },
        what: { kind: "thread", create: { goal: "Tidy up", mode: "direct", tools: { [name]: false } } },
      },
    });
  expect(await schedule("loook")).toMatchObject(unknown({ nearest: ["look"] }));
  unwrap(await schedule("look"));
  rt.toolbox.remove("look");
  rt.clock.advance(24 * 3_600_000);
  const [tick] = unwrap(await rt.store.dueDeliveries(rt.clock.now(), 10));
  if (!tick) throw new Error("nothing is due");
  const turnRequest = () => {
    throw new Error("no message is sent here");
  };
  const options = { owner: "worker-1", lease_ms: 90_000, missed_after_ms: Number.POSITIVE_INFINITY, turnRequest };
  expect(await fireSchedule(rt, tick, options)).toMatchObject({ kind: "fired" });
});
