// Tests that the interface of 0.1 stays: the document may gain routes, fields and codes, and its descriptions may
// change, but nothing is removed.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createApp } from "../../src/http/app.ts";
import { createLocalToken } from "../../src/http/edge/local-token.ts";
import { aboutRoutes } from "../../src/http/routes/about.ts";
import { confirmRoutes } from "../../src/http/routes/confirm-link.ts";
import { webhookRoutes } from "../../src/http/routes/webhooks.ts";
import { createTimetable } from "../support/calendars.ts";
import { createTestRuntime } from "../support/runtime.ts";
import { testSettings } from "../support/server.ts";

type Json = Record<string, unknown>;
const baseline = JSON.parse(readFileSync(new URL("../fixtures/openapi-0.1.json", import.meta.url), "utf8")) as Json;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (key: string, value: unknown): value is string =>
  ["summary", "description", "hint"].includes(key) && typeof value === "string";

/** Returns everything of `before` that is missing in `after`, as paths. */
function lost(before: unknown, after: unknown, path = ""): readonly string[] {
  if (Array.isArray(before)) return lostItems(before, after, path);
  if (!isObject(before)) return before === after ? [] : [`${path}: ${String(before)} became ${String(after)}`];
  if (!isObject(after)) return [`${path}: is gone`];
  return Object.entries(before).flatMap(([key, value]) => {
    const at = `${path}/${key}`;
    if (isText(key, value)) return lostCodes(value, String(after[key] ?? ""), at);
    // The schema number of a record is data, which a later release increases.
    if (at === "/schemas/Record/properties/schema/const") return [];
    // A parameter with one possible value may get more values.
    if (key === "const" && Array.isArray(after.enum) && after.enum.includes(value)) return [];
    // A request may need fewer fields than before.
    if (key === "required" && path.includes("/requestBody/")) return [];
    return lost(value, after[key], at);
  });
}

function lostItems(before: readonly unknown[], after: unknown, path: string): readonly string[] {
  if (!Array.isArray(after)) return [`${path}: is gone`];
  return before.flatMap((item, i) => {
    const others = after.map((other) => lost(item, other, `${path}[${i}]`));
    return others.some((issues) => issues.length === 0) ? [] : (others[i] ?? [`${path}[${i}]: is gone`]);
  });
}

/**
 * Returns the codes that a description lost. The description of a problem response lists its codes; other descriptions
 * may change.
 */
const lostCodes = (before: string, after: string, path: string): readonly string[] =>
  (before.match(/`\w+`/g) ?? []).filter((code) => !after.includes(code)).map((code) => `${path}: ${code} is gone`);

async function currentDocument(): Promise<Json> {
  const rt = createTestRuntime([]);
  const local = createLocalToken({ random: () => "x".repeat(43), hash: rt.hash });
  const app = createApp(testSettings(rt), [
    ...aboutRoutes({ model: "scripted", demo: false, data: null }),
    ...webhookRoutes({ check: async () => ({ ok: true, value: undefined }) }),
    ...confirmRoutes({ secret: "s".repeat(32), base: "" }),
    ...createTimetable().routes,
    ...local.routes,
  ]);
  const document = (await (await app.request("/openapi.json", { headers: { host: "localhost" } })).json()) as Json;
  const { schemas } = document.components as Json;
  return { paths: document.paths, schemas, "x-problems": document["x-problems"] };
}

test("the document has every route, field, parameter and code of 0.1", async () => {
  expect(Object.keys(baseline.paths as Json).length).toBe(40);
  expect(lost(baseline, await currentDocument())).toEqual([]);
});

test("a lost route, field, enum value or problem code is found", async () => {
  const current = await currentDocument();
  const without = (change: (copy: Json) => void): readonly string[] => {
    const copy = structuredClone(current);
    change(copy);
    return lost(baseline, copy);
  };
  // biome-ignore lint/suspicious/noExplicitAny: the test reaches deep into a JSON document
  const deep = (copy: Json) => copy as any;
  expect(without((copy) => delete deep(copy).paths["/v1/gates"])).toHaveLength(1);
  expect(without((copy) => delete deep(copy).schemas.Thread.properties.state)).toHaveLength(1);
  expect(without((copy) => deep(copy).paths["/v1/threads"].get.parameters.pop())).toHaveLength(1);
  expect(without((copy) => deep(copy).schemas.DurableEvent.oneOf.pop())).toHaveLength(1);
  const codes = without((copy) => {
    deep(copy).paths["/v1/threads/{id}"].delete.responses[412].description = "";
  });
  expect(codes).toEqual(["/paths//v1/threads/{id}/delete/responses/412/description: `version_mismatch` is gone"]);
});
