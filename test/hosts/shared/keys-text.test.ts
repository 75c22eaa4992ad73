import { expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { parseKeys } from "../../../src/hosts/shared/keys-file.ts";
import { readableKeys } from "../../../src/hosts/shared/secret-variables.ts";
import { createKeyAuthenticator } from "../../../src/http/edge/api-keys.ts";
import { SCOPES } from "../../../src/http/edge/caller.ts";
import { unwrap } from "../../support/runtime.ts";
import { apiKeyFor } from "../../support/server.ts";

const key = apiKeyFor("ada");
const hash = nodeHash.sha256(key);

test.each([
  [`ada:sha256:${hash}`, "local", [...SCOPES]],
  [`ada:acme:sha256:${hash}`, "acme", [...SCOPES]],
  [`ada:acme:read+advance:sha256:${hash}`, "acme", ["read", "advance"]],
  [`ada:acme:${key}`, "acme", [...SCOPES]],
  // A tenant may have the same name as the hash.
  [`ada:sha256:${key}`, "sha256", [...SCOPES]],
])("%s lets the key in", async (text, tenant, scopes) => {
  const rows = unwrap(parseKeys(text));
  const authenticate = createKeyAuthenticator({ rows: () => rows, now: () => 0, hash: nodeHash });
  const caller = unwrap(await authenticate(new Headers({ authorization: `Bearer ${key}` })));
  expect({ ...caller, scopes: [...caller.scopes] }).toMatchObject({ name: "ada", tenant, scopes });
  expect(await authenticate(new Headers({ authorization: `Bearer ${hash}` }))).toMatchObject({ ok: false });
});

test.each([`ada:acme:sha256:${hash.slice(1)}`, `ada:acme:sha256:${hash.toUpperCase()}`, `ada:acme:${hash}`, "ada:x"])(
  "%s is refused, and the message does not repeat it",
  (text) => {
    const read = parseKeys(text);
    expect(read).toMatchObject({ ok: false, problem: { code: "config_invalid" } });
    expect(JSON.stringify(read)).not.toContain(hash.slice(1));
  },
);

test.each([`${key}:acme`, `${key}:acme:read`, `${key.slice(0, 20)}:acme`, `${key}:acme:${apiKeyFor("bob")}`])(
  "fields in the wrong order (%s) are refused, and the message does not repeat the key",
  (text) => {
    const read = parseKeys(`bob:${apiKeyFor("bob")},${text}`);
    expect(read).toMatchObject({ ok: false, problem: { code: "config_invalid" } });
    expect(JSON.stringify(read)).toContain("entry 2");
    expect(JSON.stringify(read)).not.toContain(key.slice(0, 20));
  },
);

test("a variable with only hashes contains nothing that grants access", () => {
  const config = { providers: { main: { base_url: "http://127.0.0.1/v1", api_key_env: "MAIN_KEY" } } };
  expect(readableKeys(config, { PAWL_API_KEYS: `ada:acme:sha256:${hash}, bob:sha256:${hash}` })).toEqual([]);
  expect(readableKeys(config, { PAWL_API_KEYS: `ada:acme:sha256:${hash},bob:${key}` })).toEqual(["PAWL_API_KEYS"]);
  expect(readableKeys(config, { PAWL_SECRET: "signs links", MAIN_KEY: "k", OTHER: "x", PAWL_KEY: " " })).toEqual([
    "PAWL_SECRET",
    "MAIN_KEY",
  ]);
});
