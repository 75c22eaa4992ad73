import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPickModel, loadConfig, runtimeConfig } from "../../../src/hosts/shared/config.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";
import { TWO_MODELS, useConfigFiles } from "../../support/config-files.ts";

const { folder, write, loaded, mistakes } = useConfigFiles();

describe("where a configuration comes from", () => {
  test("without a file everything has a default", async () => {
    const result = await loadConfig(folder(), {});
    expect(result).toMatchObject({
      ok: true,
      value: {
        source: null,
        models: {},
        default_model: null,
        default_agent: "default",
        agents: {
          default: { instructions: "", toolkits: ["timetable"] },
          planner: { instructions: "", toolkits: ["calendar"] },
        },
        budget: { turns: 60, tokens: null, usd: null, seconds: null },
        gates: { expire_after_s: null },
        taint: { allow: [] },
        limits: { turn_deadline_ms: 60_000, max_turns: 20 },
        data: join(folder(), ".pawl"),
        host: "127.0.0.1",
        port: 8787,
        cors: { origins: [] },
        keys_file: null,
        log: { level: "info" },
        workspace: null,
        bash: { enabled: false },
        fetch: { allow: [] },
      },
    });
    const agents = {
      default: { instructions: "", tools: null, toolkits: ["timetable"] },
      planner: { instructions: "", tools: null, toolkits: ["calendar"] },
    };
    const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(result.ok && runtimeConfig(result.value)).toEqual({ ...DEFAULT_CONFIG, agents, time_zone, locale: null });
  });

  test("a TypeScript file comes before a module, a module before JSON", async () => {
    write("pawl.config.json", '{"port": 1}');
    expect(await loadConfig(folder(), {})).toMatchObject({ value: { port: 1 } });
    write("pawl.config.mjs", "export const config = { port: 2 };");
    expect(await loadConfig(folder(), {})).toMatchObject({ value: { port: 2 } });
    write("pawl.config.ts", "const port: number = 3;\nexport default { port };");
    expect(await loadConfig(folder(), {})).toMatchObject({
      value: { port: 3, source: join(folder(), "pawl.config.ts") },
    });
  });

  test("PAWL_CONFIG names another file, and its paths are relative to it", async () => {
    mkdirSync(join(folder(), "etc"));
    write("etc/mine.json", '{"data": "rows", "workspace": "files", "keys_file": "keys.json"}');
    expect(await loadConfig(folder(), { PAWL_CONFIG: "etc/mine.json" })).toMatchObject({
      value: {
        data: join(folder(), "etc/rows"),
        workspace: join(folder(), "etc/files"),
        keys_file: join(folder(), "etc/keys.json"),
      },
    });
  });

  test("the environment overrides the file, and an empty variable counts as not set", async () => {
    const config = { port: 1000, host: "0.0.0.0", data: "a" };
    const env = { PORT: "2000", HOST: "127.0.0.2", PAWL_DATA: "b" };
    expect(await loaded(config, env)).toMatchObject({ port: 2000, host: "127.0.0.2", data: join(folder(), "b") });
    expect(await loaded(config, { PORT: "", HOST: " ", PAWL_DATA: "" })).toMatchObject({ port: 1000, host: "0.0.0.0" });
  });

  test("three variables make a model when there is no file", async () => {
    const env = { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: "https://gateway.example/v1", PAWL_MODEL: "gpt-x" };
    const result = await loadConfig(folder(), env);
    expect(result).toMatchObject({
      value: {
        providers: { openai: { base_url: "https://gateway.example/v1", api_key_env: "OPENAI_API_KEY" } },
        models: { main: { provider: "openai", name: "gpt-x" } },
        default_model: "main",
      },
    });
    expect(JSON.stringify(result)).not.toContain("sk-secret");
  });

  test("three variables make the default model next to a file, too", async () => {
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", PAWL_MODEL: "gpt-x" };
    expect(await loaded({ port: 1000 }, env)).toMatchObject({
      port: 1000,
      providers: { openai: { base_url: "http://127.0.0.1:1/v1" } },
      models: { main: { provider: "openai", name: "gpt-x" } },
      default_model: "main",
    });
    const beside = await loaded(TWO_MODELS, { ...env, OPENAI_API_KEY: "k" });
    expect(beside).toMatchObject({ ...TWO_MODELS, default_model: "environment" });
    expect(beside.models.environment).toMatchObject({ provider: "environment", name: "gpt-x" });
    const pick = createPickModel(beside, { OPENAI_API_KEY: "k" }, null);
    expect(pick.ok && pick.value("default", "execute").name).toBe("environment");
  });

  test("PAWL_MODEL may name a model of the file, and says so when it names nothing", async () => {
    expect(await loaded(TWO_MODELS, { PAWL_MODEL: "small" })).toMatchObject({ ...TWO_MODELS, default_model: "small" });
    expect(await mistakes(TWO_MODELS, { PAWL_MODEL: "gpt-x" })).toEqual([
      "PAWL_MODEL: needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without a key, or one of main, small",
    ]);
  });

  test("OPENAI_BASE_URL has to be a URL", async () => {
    expect(await mistakes({}, { OPENAI_BASE_URL: "localhost 11434", PAWL_MODEL: "m" })).toEqual([
      "OPENAI_BASE_URL: must be a URL such as https://api.openai.com/v1",
    ]);
  });

  test("the default address is OpenAI's, and a server may need no key", async () => {
    expect(await loadConfig(folder(), { OPENAI_API_KEY: "k", PAWL_MODEL: "m" })).toMatchObject({
      value: { providers: { openai: { base_url: "https://api.openai.com/v1" } } },
    });
    const local = await loadConfig(folder(), { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", PAWL_MODEL: "m" });
    expect(local.ok && local.value.providers.openai).toEqual({ base_url: "http://127.0.0.1:1/v1" });
  });

  test("a key alone selects no model, and a model alone gets an error that names the missing setting", async () => {
    expect(await loadConfig(folder(), { OPENAI_API_KEY: "k" })).toMatchObject({ value: { default_model: null } });
    expect(await loadConfig(folder(), { PAWL_MODEL: "m" })).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("PAWL_MODEL: needs OPENAI_API_KEY") },
    });
  });
});

test("an empty folder with the name of a configuration file is ignored", async () => {
  mkdirSync(join(folder(), "pawl.config.ts"));
  expect(await loaded({ port: 4711 })).toMatchObject({ port: 4711 });
});
