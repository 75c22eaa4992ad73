// Tests an instance that keeps running while its secret changes.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHostProvider, type HostProvider } from "../../../src/hosts/aws-lambda/instance.ts";
import { type SecretsExtension, startSecretsExtension } from "../../support/secrets-extension.ts";
import { apiKeyFor } from "../../support/server.ts";
import { look } from "../../support/tools.ts";

const MINUTE = 60_000;
const ENDS_IN_MS = 120_000;
const base = { TABLE_NAME: "pawl", AWS_REGION: "us-east-1", LAMBDA_TASK_ROOT: import.meta.dirname };

let secret: Record<string, string> | null;
let now = 0;
let extension: SecretsExtension;
beforeEach(async () => {
  secret = { PAWL_API_KEYS: `ann:acme:${apiKeyFor("ann")},bob:acme:${apiKeyFor("bob")}` };
  extension = await startSecretsExtension("token", "pawl/keys", () => secret);
});
afterEach(() => extension.close());

const anInstance = (more: Record<string, string> = {}): HostProvider =>
  createHostProvider({ ...base, ...extension.env, ...more }, {}, () => now);

/** Reports whether this key is accepted. The check reads nothing from the table. */
async function knows(instance: HostProvider, name: string): Promise<boolean> {
  const { app } = await instance(ENDS_IN_MS);
  const headers = { authorization: `Bearer ${apiKeyFor(name)}` };
  return (await app.request("/v1/about", { headers })).status === 200;
}

test("a key removed from the secret is refused a minute later, and an added one is accepted", async () => {
  const instance = anInstance();
  expect([await knows(instance, "bob"), await knows(instance, "cleo")]).toEqual([true, false]);
  secret = { PAWL_API_KEYS: `ann:acme:${apiKeyFor("ann")},cleo:acme:${apiKeyFor("cleo")}` };
  expect(await knows(instance, "bob")).toBe(true);
  now += MINUTE;
  expect([await knows(instance, "bob"), await knows(instance, "cleo")]).toEqual([false, true]);
});

test("the host stays the same while the secret does", async () => {
  const instance = anInstance();
  const first = await instance(ENDS_IN_MS);
  now += MINUTE;
  expect(await instance(ENDS_IN_MS)).toBe(first);
});

test.each([
  ["out of reach", null],
  ["broken", { PAWL_API_KEYS: "ann:short" }],
])("a secret that is %s changes nothing", async (_how, next) => {
  const instance = anInstance();
  const first = await instance(ENDS_IN_MS);
  secret = next;
  now += MINUTE;
  expect(await instance(ENDS_IN_MS)).toBe(first);
  secret = { PAWL_API_KEYS: `ann:acme:${apiKeyFor("ann")}` };
  now += MINUTE;
  expect([await knows(instance, "ann"), await knows(instance, "bob")]).toEqual([true, false]);
});

test.each([
  ["the last key is removed", {}],
  ["all keys are removed", { PAWL_API_KEYS: "" }],
  ["another value of the secret is wrong", { PAWL_API_KEYS: `ann:acme:${apiKeyFor("ann")}`, PAWL_SECRET: "short" }],
])("a removed key is not accepted any more when %s", async (_how, next) => {
  const instance = anInstance();
  expect(await knows(instance, "bob")).toBe(true);
  secret = next;
  now += MINUTE;
  await expect(instance(ENDS_IN_MS)).rejects.toThrow("config_invalid");
  await expect(instance(ENDS_IN_MS)).rejects.toThrow("config_invalid");
  secret = { PAWL_API_KEYS: `ann:acme:${apiKeyFor("ann")}` };
  expect([await knows(instance, "ann"), await knows(instance, "bob")]).toEqual([true, false]);
});

test("a start that fails is tried again by the next event", async () => {
  secret = null;
  const instance = anInstance();
  await expect(instance(ENDS_IN_MS)).rejects.toThrow("PAWL_SECRET_ID");
  secret = { PAWL_API_KEYS: `ann:acme:${apiKeyFor("ann")}` };
  expect(await knows(instance, "ann")).toBe(true);
});

test.each([
  [120_000, 60_000],
  [30_000, 15_000],
  [10_000, 1_000],
])("of an invocation of %i ms a turn gets at most %i", async (ends_in_ms, turn_ms) => {
  const { rt } = await anInstance()(ends_in_ms);
  expect(rt.config.turn_deadline_ms).toBe(turn_ms);
});

test("custom tools and a custom model are included", async () => {
  const model = { name: "mine", window: 8_192, max_output_tokens: 512, prices: null, reply: async () => never() };
  const options = { tools: [look], model };
  const instance = createHostProvider({ ...base, ...extension.env }, options, () => now);
  const { rt } = await instance(ENDS_IN_MS);
  expect(rt.pickModel("default", "execute").name).toBe("mine");
  const names = rt.toolbox.manifests().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["look", "move", "schedule_cron", "remote_trigger"]));
});

const never = (): never => {
  throw new Error("nobody asks it");
};
