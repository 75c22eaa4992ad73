// Tests memories, messages that wait for a desktop worker, and stored skills on a real DynamoDB-compatible server, up
// to its size limit for one item.
import { describe, expect, test } from "vitest";
import { createDynamoStore } from "../../src/adapters/store-dynamodb/create-store.ts";
import { LOCAL_TENANT, TenantId } from "../../src/schema/ids.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { createDesktopQueue } from "../../src/toolkits/channels/desktop-queue.ts";
import { createMemoryStore } from "../../src/toolkits/memory/memory-store.ts";
import { memory } from "../../src/toolkits/memory/toolkit.ts";
import { createStoredSkills } from "../../src/toolkits/skills/stored-skills.ts";
import { hasDynamoServer, useDynamoServer } from "../support/dynamodb.ts";
import { problemCode } from "../support/runtime.ts";
import { plugToolkit } from "../support/toolkit.ts";

const AT = "2026-03-02T08:00:00.000Z";

describe.runIf(hasDynamoServer())("on DynamoDB", () => {
  const server = useDynamoServer();
  const open = async () => createDynamoStore({ client: server().client(), table: await server().table() }).documents;
  const names = (value: unknown): readonly string[] =>
    (value as { memories: { name: string }[] }).memories.map(({ name }) => name);

  test("memories fill several items, keep their order, and belong to one tenant and agent", async () => {
    const documents = await open();
    const store = createMemoryStore(documents);
    const owner = { tenant: LOCAL_TENANT, agent: "default" };
    const save = (agent: string, name: string, text: string) =>
      store.save(
        { ...owner, agent },
        { name, text, effect: `${agent}/${name}`, trust: "trusted", thread: "thr_1", saved_at: AT },
      );
    for (let n = 0; n < 90; n += 1) succeeded(await save("default", `m${n}`, `${n % 7} river ${"größe ".repeat(330)}`));
    await Promise.all(
      ["a/b", "#META", "1/default", "__proto__"].map(async (agent) => succeeded(await save(agent, "own", agent))),
    );
    const [first, second] = [plugToolkit(memory, { documents }), plugToolkit(memory, { documents })];
    const ask = { query: "river 3", limit: 20 };
    const found = names((await first.call("memory_recall", ask)).value);
    expect(found).toHaveLength(20);
    expect(names((await second.call("memory_recall", ask)).value)).toEqual(found);
    for (const agent of ["a/b", "#META", "1/default", "__proto__"])
      expect((await first.call("memory_recall", {}, { agent })).value).toMatchObject({
        total: 1,
        memories: [{ text: agent }],
      });
    expect((await first.call("memory_recall", {}, { tenant: TenantId.parse("bolt") })).value).toMatchObject({
      total: 0,
    });
    succeeded(await store.clear(owner));
    expect((await first.call("memory_recall", {})).value).toMatchObject({ total: 0 });
    expect((await first.call("memory_recall", {}, { agent: "1/default" })).value).toMatchObject({ total: 1 });
  }, 60_000);

  test("the queue of desktop workers and the stored skills refuse what would not fit", async () => {
    const documents = await open();
    const queue = createDesktopQueue(documents);
    const task = {
      app: "weixin",
      channel: "c",
      to: null,
      agent: "a",
      thread: "t",
      created_at: AT,
      text: "长".repeat(4_000),
    };
    const added: (string | undefined)[] = [];
    for (let n = 0; n < 30; n += 1) added.push(problemCode(await queue.add(LOCAL_TENANT, { ...task, id: `t${n}` })));
    expect(new Set(added.slice(0, 15))).toEqual(new Set([added[0]]));
    expect(added.at(-1)).toBe("tool_refused");
    const skills = createStoredSkills(documents);
    const codes: (string | undefined)[] = [];
    for (let n = 0; n < 12; n += 1) {
      const skill = {
        name: `s${n}`,
        description: "d",
        body: "长".repeat(10_000),
        files: {},
        trust: "trusted" as const,
      };
      codes.push(
        problemCode(
          await skills.change(LOCAL_TENANT, { action: "save", skill: { ...skill, saved_at: AT, effect: `e${n}` } }),
        ),
      );
    }
    expect(codes.at(-1)).toBe("tool_refused");
    expect(succeeded(await skills.list(LOCAL_TENANT)).length).toBeGreaterThan(5);
  }, 60_000);
});
