// Tests that one damaged entry of the tenant's settings does not hide the others and is not lost.
import { expect, test } from "vitest";
import { createMemorySettings } from "../../../src/adapters/settings-memory.ts";
import { createFetch } from "../../../src/hosts/in-process.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { createTestRuntime } from "../../support/runtime.ts";

const data: Parameters<typeof createMemorySettings>[0] = new Map();
const api = createFetch(createTestRuntime([], [], { settings: createMemorySettings(data) }), {
  fetcher: { check: async () => ({ ok: true, value: undefined }) } as never,
});
const get = async (path: string) => {
  const response = await api(`http://localhost${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const post = (path: string, body: unknown) =>
  api(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const stored = () => JSON.parse(data.get(LOCAL_TENANT)?.body ?? "{}") as Record<string, unknown[]>;
const store = (settings: unknown) => data.set(LOCAL_TENANT, { version: 9, body: JSON.stringify(settings) });

test("a list shows the readable entries and the ids of the damaged ones, which a change keeps", async () => {
  const what = { kind: "thread", create: { goal: "File it." } };
  for (const name of ["a", "b"]) {
    expect((await post("/v1/inbound-webhooks", { name, what })).status).toBe(201);
    const when = { kind: "cron", expression: "0 3 * * *", time_zone: "UTC" };
    expect((await post("/v1/schedules", { name, when, what })).status).toBe(201);
  }
  const whole = stored();
  const damages: readonly unknown[] = [null, 7, {}, { id: "hok_damaged" }, []];
  for (const damage of damages) {
    store({
      ...whole,
      hooks: [damage, whole.hooks?.[1]],
      schedules: [damage, whole.schedules?.[1]],
      webhooks: [damage],
    });
    const id = typeof damage === "object" && damage !== null && "id" in damage ? damage.id : "unknown";
    for (const [path, list, left] of [
      ["/v1/inbound-webhooks", "hooks", 1],
      ["/v1/schedules", "schedules", 1],
      ["/v1/webhooks", "webhooks", 0],
    ] as const) {
      const { status, body } = await get(path);
      expect([path, status, (body[list] as unknown[]).length, body.damaged]).toEqual([path, 200, left, [id]]);
    }
    expect((await post("/v1/inbound-webhooks", { name: "c", what })).status).toBe(201);
    expect(stored().damaged).toEqual({ schedules: [damage], webhooks: [damage], hooks: [damage] });
    expect(stored().hooks).toHaveLength(2);
  }
});

test("settings without readable switches are refused: a tool that was switched off must not be on again", async () => {
  for (const damage of ["null", "7", "{", "[]", '{"tools":{"bash":"no"}}', '{"tools":7}']) {
    data.set(LOCAL_TENANT, { version: 9, body: damage });
    const { status, body } = await get("/v1/schedules");
    expect([damage, status, body.code]).toEqual([damage, 500, "state_corrupt"]);
  }
});
