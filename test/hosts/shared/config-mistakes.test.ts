import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/hosts/shared/config.ts";
import { checkToolNames } from "../../../src/hosts/shared/config-names.ts";
import { TWO_MODELS, useConfigFiles } from "../../support/config-files.ts";

const { folder, write, loaded, mistakes } = useConfigFiles();

describe("a mistake is reported with its field", () => {
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
      "models.main.prices.input_per_million: must be at least 0",
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

  test("all mistakes are reported together", async () => {
    expect(await mistakes({ port: 70_000, bash: { enabled: "yes" }, color: "red" })).toEqual([
      "port: must be at most 65535",
      "bash.enabled: must be boolean, not string",
      "color: there is no such field",
    ]);
  });

  test("a wrong name is reported together with a field that cannot be read, as the reference shows it", async () => {
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
    const result = await loadConfig(folder(), {});
    expect(result).toMatchObject({ ok: false, problem: { code: "config_invalid" } });
    expect(!result.ok && result.problem.message).toMatch(/^pawl\.config\.json: cannot be read: /);
    expect(JSON.stringify(result)).not.toContain("verysecret");
  });

  test("a module that throws, exports nothing or is missing is named", async () => {
    write("throws.mjs", 'throw new Error("no disk");');
    write("empty.mjs", "export const other = 1;");
    const message = async (PAWL_CONFIG: string) => {
      const result = await loadConfig(folder(), { PAWL_CONFIG });
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
      readable: [join(folder(), "../shared"), "/opt/tools"],
    });
  });
});
