// Tests callers that a ticket or a socket refers to later: only the authenticated key counts, not another one with the
// same name.
import fs, { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { createAccess, referenceOf } from "../../../src/hosts/shared/access.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";

const strong = `ada:acme:read+confirm:${apiKeyFor("strong")}`;
const weak = `ada:acme:read:${apiKeyFor("weak")}`;
const access = (...keys: readonly string[]) =>
  unwrap(createAccess({ keys_file: null, host: null }, { PAWL_API_KEYS: keys.join(",") }));

async function referenceFor(keys: readonly string[], name: string) {
  const headers = new Headers({ authorization: `Bearer ${apiKeyFor(name)}` });
  return referenceOf(unwrap(await access(...keys).authenticate(headers)));
}

test("of two keys with one name, each keeps its own scopes", async () => {
  const keys = [strong, weak];
  const { findCaller } = access(...keys);
  const scopes = async (name: string) => [...unwrap(findCaller(await referenceFor(keys, name))).scopes];
  expect(await scopes("strong")).toEqual(["read", "confirm"]);
  expect(await scopes("weak")).toEqual(["read"]);
});

test("a key that replaced another of the same name is not accepted in its place", async () => {
  const reference = await referenceFor([weak], "weak");
  expect(access(weak).findCaller(reference)).toMatchObject({ ok: true });
  expect(access(strong).findCaller(reference)).toMatchObject({ ok: false, problem: { code: "unauthorized" } });
  expect(access(`ada:other:${apiKeyFor("weak")}`).findCaller(reference)).toMatchObject({ ok: false });
  expect(access(`eve:acme:${apiKeyFor("weak")}`).findCaller(reference)).toMatchObject({ ok: false });
});

test("a reference without a key is refused if there are keys", async () => {
  const reference = { ...(await referenceFor([weak], "weak")), key: null };
  expect(access(weak).findCaller(reference)).toMatchObject({ ok: false });
  expect(access().findCaller(reference)).toMatchObject({ ok: true });
});

const folder = mkdtempSync(join(tmpdir(), "pawl-keys-"));
const keys_file = join(folder, "keys.json");
const readFile = fs.readFileSync;
afterEach(() => {
  fs.readFileSync = readFile;
  syncBuiltinESMExports();
  rmSync(keys_file, { force: true });
});

const rowFor = (name: string) => ({
  name,
  tenant: "acme",
  scopes: ["read"],
  sha256: nodeHash.sha256(apiKeyFor(name)),
});
const writeKeys = (...names: readonly string[]): void => writeFileSync(keys_file, JSON.stringify(names.map(rowFor)));
const accepts = async ({ authenticate }: ReturnType<typeof access>, name: string): Promise<boolean> =>
  (await authenticate(new Headers({ authorization: `Bearer ${apiKeyFor(name)}` }))).ok;

test("a server whose keys file lists no key accepts nobody, and is not taken for a local one", async () => {
  writeKeys();
  const empty = unwrap(createAccess({ keys_file, host: "127.0.0.1" }, {}));
  expect(empty).toMatchObject({ local_only: false, keys: expect.any(Function) });
  expect(await accepts(empty, "ann")).toBe(false);
  expect(empty.findCaller({ tenant: LOCAL_TENANT, name: "local", key: null })).toMatchObject({ ok: false });
  writeKeys("ann");
  expect(await accepts(empty, "ann")).toBe(true);
});

test("a key that is removed from the file while the server reads it for the first time is refused", async () => {
  writeKeys("ann", "bob");
  fs.readFileSync = ((...args: Parameters<typeof readFile>) => {
    const text = readFile(...args);
    if (args[0] === keys_file && String(text).includes("bob")) writeKeys("ann");
    return text;
  }) as typeof readFile;
  syncBuiltinESMExports();
  const started = unwrap(createAccess({ keys_file, host: null }, {}));
  expect([await accepts(started, "ann"), await accepts(started, "bob")]).toEqual([true, false]);
});
