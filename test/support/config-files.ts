// Creates configuration files in a temporary folder for each test and reads them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type Environment, loadConfig } from "../../src/hosts/shared/config.ts";
import type { ConfigInput } from "../../src/schema/config.ts";

export type ConfigFiles = {
  readonly folder: () => string;
  readonly write: (name: string, text: string) => void;
  readonly loaded: (config: ConfigInput, env?: Environment) => Promise<LoadedConfig>;
  /** Returns the messages of an invalid configuration, or none if it is valid. */
  readonly mistakes: (config: unknown, env?: Environment) => Promise<readonly string[]>;
};
type LoadedConfig = Extract<Awaited<ReturnType<typeof loadConfig>>, { ok: true }>["value"];

export function useConfigFiles(): ConfigFiles {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pawl-config-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const load = (config: unknown, env: Environment = {}) => {
    write("pawl.config.json", JSON.stringify(config));
    return loadConfig(folder, env);
  };
  return {
    folder: () => folder,
    write,
    loaded: async (config, env) => {
      const result = await load(config, env);
      if (!result.ok) throw new Error(result.problem.message);
      return result.value;
    },
    mistakes: async (config, env) => {
      const result = await load(config, env);
      if (result.ok) return [];
      expect(result.problem.code).toBe("config_invalid");
      return result.problem.message.split("\n");
    },
  };
}

export const TWO_MODELS = {
  providers: {
    openai: { base_url: "https://api.openai.com/v1", api_key_env: "OPENAI_API_KEY" },
    local: { base_url: "http://127.0.0.1:11434/v1" },
  },
  models: {
    main: { provider: "openai", name: "gpt-x", window: 128_000 },
    small: { provider: "local", name: "tiny", window: 8_192, max_output_tokens: 1_024, roles: "strict" },
  },
  default_model: "main",
} satisfies ConfigInput;
