import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createScriptedModel } from "../../../src/adapters/model-scripted.ts";
import { createPickModel, type Environment, loadConfig, runtimeConfig } from "../../../src/hosts/shared/config.ts";
import { checkToolNames } from "../../../src/hosts/shared/config-names.ts";
import type { ConfigInput } from "../../../src/schema/config.ts";
import { DEFAULT_CONFIG } from "../../../src/turn/runtime.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const load = async (config: unknown, env: Environment = {}) => {
  write("pawl.config.json", JSON.stringify(config));
  return loadConfig(folder, env);
};
const loaded = async (config: ConfigInput, env: Environment = {}) => {
  const result = await load(config, env);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const mistakes = async (config: unknown, env: Environment = {}): Promise<readonly string[]> => {
  const result = await load(config, env);
  if (result.ok) return [];
  expect(result.problem.code).toBe("config_invalid");
  return result.problem.message.split("\n");
};

const TWO_MODELS = {
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

describe("where a configuration comes from", () => {
  test("without a file everything has a default", async () => {
    const result = await loadConfig(folder, {});
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
        data: join(folder, ".pawl"),
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
    expect(await loadConfig(folder, {})).toMatchObject({ value: { port: 1 } });
    write("pawl.config.mjs", "export const config = { port: 2 };");
    expect(await loadConfig(folder, {})).toMatchObject({ value: { port: 2 } });
    write("pawl.config.ts", "const port: number = 3;\nexport default { port };");
    expect(await loadConfig(folder, {})).toMatchObject({ value: { port: 3, source: join(folder, "pawl.config.ts") } });
  });

  test("PAWL_CONFIG names another file, and its paths are relative to it", async () => {
    mkdirSync(join(folder, "etc"));
    write("etc/mine.json", '{"data": "rows", "workspace": "files", "keys_file": "keys.json"}');
    expect(await loadConfig(folder, { PAWL_CONFIG: "etc/mine.json" })).toMatchObject({
      value: {
        data: join(folder, "etc/rows"),
        workspace: join(folder, "etc/files"),
        keys_file: join(folder, "etc/keys.json"),
      },
    });
  });

  test("the environment wins over the file, and an empty variable is none", async () => {
    const config = { port: 1000, host: "0.0.0.0", data: "a" };
    const env = { PORT: "2000", HOST: "127.0.0.2", PAWL_DATA: "b" };
    expect(await loaded(config, env)).toMatchObject({ port: 2000, host: "127.0.0.2", data: join(folder, "b") });
    expect(await loaded(config, { PORT: "", HOST: " ", PAWL_DATA: "" })).toMatchObject({ port: 1000, host: "0.0.0.0" });
  });

  test("three variables make a model when there is no file", async () => {
    const env = { OPENAI_API_KEY: "sk-secret", OPENAI_BASE_URL: "https://gateway.example/v1", PAWL_MODEL: "gpt-x" };
    const result = await loadConfig(folder, env);
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

  test("the address is OpenAI's own unless said, and a server may want no key", async () => {
    expect(await loadConfig(folder, { OPENAI_API_KEY: "k", PAWL_MODEL: "m" })).toMatchObject({
      value: { providers: { openai: { base_url: "https://api.openai.com/v1" } } },
    });
    const local = await loadConfig(folder, { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", PAWL_MODEL: "m" });
    expect(local.ok && local.value.providers.openai).toEqual({ base_url: "http://127.0.0.1:1/v1" });
  });

  test("a key alone chooses no model, and a model alone is told what it lacks", async () => {
    expect(await loadConfig(folder, { OPENAI_API_KEY: "k" })).toMatchObject({ value: { default_model: null } });
    expect(await loadConfig(folder, { PAWL_MODEL: "m" })).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("PAWL_MODEL: needs OPENAI_API_KEY") },
    });
  });
});

describe("a mistake is told with its field", () => {
  test.each([
    [
      "an unknown provider",
      { provider: "opnai" },
      'models.main.provider: no provider named "opnai"; did you mean "openai"?',
    ],
    ["a provider like no other", { provider: "zzzzzzzzz" }, 'models.main.provider: no provider named "zzzzzzzzz"'],
    ["a missing field", { window: undefined }, "models.main.window: is missing"],
    ["a wrong type", { window: "big" }, "models.main.window: must be number, not string"],
    ["a wrong word", { roles: "strikt" }, 'models.main.roles: must be one of "strict"|"loose"'],
    [
      "a misspelt field",
      { max_output_token: 5 },
      'models.main.max_output_token: there is no such field; did you mean "max_output_tokens"?',
    ],
    [
      "a reply larger than the window",
      { max_output_tokens: 200_000 },
      "models.main.max_output_tokens: must be smaller than window: prompt and reply share it",
    ],
    [
      "a negative price",
      { prices: { input_per_million: -1, output_per_million: 1 } },
      "models.main.prices.input_per_million: must be >=0",
    ],
  ])("%s of a model", async (_title, change, message) => {
    const models = { ...TWO_MODELS.models, main: { ...TWO_MODELS.models.main, ...change } };
    expect(await mistakes({ ...TWO_MODELS, models })).toEqual([message]);
  });

  test.each([
    ["default_model", { default_model: "mian" }, 'default_model: no model named "mian"; did you mean "main"?'],
    [
      "no default of two models",
      { default_model: null },
      'default_model: is missing; it must be one of "main", "small"',
    ],
    [
      "an override",
      { model_overrides: { plan: "smal" } },
      'model_overrides.plan: no model named "smal"; did you mean "small"?',
    ],
    [
      "an override of no purpose",
      { model_overrides: { exeucte: "small" } },
      'model_overrides.exeucte: there is no such field; did you mean "execute"?',
    ],
    [
      "an agent's model",
      { agents: { a: { model: "mainn" } } },
      'agents.a.model: no model named "mainn"; did you mean "main"?',
    ],
    [
      "an agent's override",
      { agents: { a: { model_overrides: { deliver: "x" } } } },
      'agents.a.model_overrides.deliver: no model named "x"',
    ],
    ["an agent's tools", { agents: { a: { tools: "some" } } }, 'agents.a.tools: must be "all" or a list of tool names'],
    [
      "default_agent",
      { agents: { planner: {} }, default_agent: "plannr" },
      'default_agent: no agent named "plannr"; did you mean "planner"?',
    ],
    ["no default of two agents", { agents: { a: {}, b: {} } }, 'default_agent: is missing; it must be one of "a", "b"'],
    ["a name that every object has", { default_model: "constructor" }, 'default_model: no model named "constructor"'],
    ["money without prices", { budget: { usd: 2 } }, "models.main.prices: is missing, but budget.usd is set"],
    [
      "an address",
      { providers: { openai: { base_url: "ftp://x" }, local: { base_url: "http://x" } } },
      "providers.openai.base_url: must be an http or https address",
    ],
    ["a top-level field", { provider: {} }, 'provider: there is no such field; did you mean "providers"?'],
    [
      "an origin",
      { cors: { origins: ["app.example.com/x"] } },
      'cors.origins.0: must be "*" or an origin such as https://app.example.com',
    ],
  ])("%s", async (_title, change, message) => {
    expect(await mistakes({ ...TWO_MODELS, ...change })).toEqual([message]);
  });

  test("all mistakes come together", async () => {
    expect(await mistakes({ port: 70_000, bash: { enabled: "yes" }, colour: "red" })).toEqual([
      "port: must be <=65535",
      "bash.enabled: must be boolean, not string",
      "colour: there is no such field",
    ]);
  });

  test("a wrong name is told together with a field that cannot be read, as the reference shows it", async () => {
    const providers = { openai: { base_url: "http://127.0.0.1:1/v1" } };
    const models = { main: { provider: "opnai", name: "m", window: 8192 } };
    expect(await mistakes({ providers, models, limits: { turn_deadline_ms: "5" }, portt: 1 })).toEqual([
      "limits.turn_deadline_ms: must be number, not string",
      'portt: there is no such field; did you mean "port"?',
      'models.main.provider: no provider named "opnai"; did you mean "openai"?',
    ]);
  });

  test("a key in the wrong place is not repeated", async () => {
    const provider = (more: object) => ({ providers: { openai: { base_url: "https://x.example", ...more } } });
    const reported = [
      ...(await mistakes(provider({ api_key_env: "sk-verysecret" }))),
      ...(await mistakes(provider({ api_key: "sk-verysecret", api_key_env: "KEY" }))),
    ];
    expect(reported).toEqual([
      "providers.openai.api_key_env: must be the name of an environment variable in capitals, not the key",
      "providers.openai.api_key: give api_key_env or api_key, not both",
    ]);
  });

  test("a file that cannot be read is named, and a key in it is not repeated", async () => {
    write("pawl.config.json", '{"api_key": sk-verysecret}');
    const result = await loadConfig(folder, {});
    expect(result).toMatchObject({ ok: false, problem: { code: "config_invalid" } });
    expect(!result.ok && result.problem.message).toMatch(/^pawl\.config\.json: cannot be read: /);
    expect(JSON.stringify(result)).not.toContain("verysecret");
  });

  test("a module that throws, exports nothing or is missing is named", async () => {
    write("throws.mjs", 'throw new Error("no disk");');
    write("empty.mjs", "export const other = 1;");
    const message = async (PAWL_CONFIG: string) => {
      const result = await loadConfig(folder, { PAWL_CONFIG });
      return result.ok ? null : result.problem.message;
    };
    expect(await message("throws.mjs")).toBe("throws.mjs: cannot be read: no disk");
    expect(await message("empty.mjs")).toBe("empty.mjs: has no default export");
    expect(await message("nowhere.json")).toBe("PAWL_CONFIG: there is no file nowhere.json");
  });

  test.each(["abc", "-1", "65536", "80.5"])("PORT=%s is refused", async (PORT) => {
    expect(await mistakes({}, { PORT })).toEqual(["PORT: must be a whole number from 0 to 65535"]);
  });
});

describe("which model serves whom", () => {
  const demo = createScriptedModel([], { name: "demo" });
  const KEYS = { OPENAI_API_KEY: "k" };

  test("the nearest word wins", async () => {
    const config = await loaded({
      ...TWO_MODELS,
      models: { ...TWO_MODELS.models, third: { provider: "local", name: "t", window: 4_096, max_output_tokens: 512 } },
      model_overrides: { plan: "small" },
      agents: {
        default: {},
        own: { model: "third" },
        mixed: { model: "third", model_overrides: { execute: "main" } },
      },
    });
    const picked = createPickModel(config, KEYS, null);
    if (!picked.ok) throw new Error(picked.problem.message);
    const names = (agent: string) => (["plan", "execute", "deliver"] as const).map((p) => picked.value(agent, p).name);
    expect(names("default")).toEqual(["small", "main", "main"]);
    expect(names("own")).toEqual(["third", "third", "third"]);
    expect(names("mixed")).toEqual(["third", "main", "third"]);
    expect(names("nobody")).toEqual(["small", "main", "main"]);
    expect(names("constructor")).toEqual(["small", "main", "main"]);
    expect(picked.value("own", "plan")).toBe(picked.value("own", "deliver"));
    expect(picked.value("own", "plan")).toMatchObject({ window: 4_096, max_output_tokens: 512, prices: null });
  });

  test("without any model the fallback serves, and without a fallback it is a mistake", async () => {
    const config = await loaded({});
    const picked = createPickModel(config, {}, demo);
    expect(picked.ok && picked.value("default", "plan")).toBe(demo);
    expect(createPickModel(config, {}, null)).toMatchObject({
      ok: false,
      problem: { code: "config_invalid", message: "models: there is no model" },
    });
  });

  test("a key that is not set is a mistake, not a reason for the fallback", async () => {
    const config = await loaded(TWO_MODELS);
    expect(createPickModel(config, {}, demo)).toMatchObject({
      ok: false,
      problem: {
        message: "providers.openai.api_key_env: the environment variable OPENAI_API_KEY is not set",
      },
    });
  });

  test("the key of a model that nobody uses is not asked for", async () => {
    const config = await loaded({ ...TWO_MODELS, default_model: "small" });
    const picked = createPickModel(config, {}, null);
    expect(picked.ok && picked.value("default", "plan").name).toBe("small");
  });
});

const NO_TOOLKITS = { toolkits: [], absent: [] };

test("a tool of an agent that no host knows is a mistake with its field", async () => {
  const config = await loaded({ agents: { desk: { tools: ["look", "wirte"] }, all: {} }, default_agent: "desk" });
  expect(checkToolNames(config, { ...NO_TOOLKITS, tools: ["look", "write"] })).toMatchObject({
    problem: { code: "config_invalid", message: 'agents.desk.tools.1: no tool named "wirte"; did you mean "write"?' },
  });
  expect(checkToolNames(config, { ...NO_TOOLKITS, tools: ["look", "wirte"] })).toMatchObject({ ok: true });
});

describe("what commands get", () => {
  test("variables with keys are refused", async () => {
    const bash = { enabled: true, env: ["CARGO_HOME", "OPENAI_API_KEY", "PAWL_SECRET", "LOCAL_KEY"] };
    const local = { ...TWO_MODELS.providers.local, api_key_env: "LOCAL_KEY" };
    expect(await mistakes({ ...TWO_MODELS, providers: { ...TWO_MODELS.providers, local }, bash })).toEqual([
      "bash.env: OPENAI_API_KEY holds a key, and commands get no keys",
      "bash.env: PAWL_SECRET holds a key, and commands get no keys",
      "bash.env: LOCAL_KEY holds a key, and commands get no keys",
    ]);
  });

  test("folders that they may read are relative to the file", async () => {
    const { bash } = await loaded({ bash: { readable: ["../shared", "/opt/tools"] } });
    expect(bash).toEqual({
      enabled: false,
      sandbox: "auto",
      env: [],
      readable: [join(folder, "../shared"), "/opt/tools"],
    });
  });
});

test("an empty folder with the name of a configuration file is ignored", async () => {
  mkdirSync(join(folder, "pawl.config.ts"));
  expect(await loaded({ port: 4711 })).toMatchObject({ port: 4711 });
});
