import { expect, test } from "vitest";
import { collectSecrets } from "../../../src/hosts/shared/collect-secrets.ts";

test("secrets are known as they are used, whatever blanks and line breaks a variable ends with", () => {
  const config = {
    providers: {
      one: { base_url: "http://127.0.0.1/v1", api_key_env: "ONE_KEY" },
      two: { base_url: "http://127.0.0.1/v1", api_key: "in-the-file" },
      none: { base_url: "http://127.0.0.1/v1", api_key_env: "NOT_SET" },
    },
  };
  const env = {
    ONE_KEY: "short-key\n",
    PAWL_API_KEYS: "me:pawl_aaaaaaaaaaaaaaaaaaaaaa, you:acme:read:pawl_bbbbbbbbbbbbbbbbbbbbbb\n",
    PAWL_SECRET: " signs-links ",
    OTHER: "not a secret",
  };
  expect(collectSecrets(config, env)).toEqual([
    "short-key",
    "in-the-file",
    "pawl_aaaaaaaaaaaaaaaaaaaaaa",
    "pawl_bbbbbbbbbbbbbbbbbbbbbb",
    "signs-links",
  ]);
});
