// Tests callers that a ticket or a socket refers to later: only the authenticated key counts, not another one with the
// same name.
import { expect, test } from "vitest";
import { createAccess, referenceOf } from "../../../src/hosts/shared/access.ts";
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
