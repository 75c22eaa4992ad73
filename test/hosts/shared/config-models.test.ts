import { describe, expect, test } from "vitest";
import { createScriptedModel } from "../../../src/adapters/model-scripted.ts";
import { createPickModel } from "../../../src/hosts/shared/config.ts";
import { TWO_MODELS, useConfigFiles } from "../../support/config-files.ts";

const { loaded } = useConfigFiles();

describe("the choice of model", () => {
  const demo = createScriptedModel([], { name: "demo" });
  const KEYS = { OPENAI_API_KEY: "k" };

  test("the most specific setting wins", async () => {
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

  test("the key of an unused model is not required", async () => {
    const config = await loaded({ ...TWO_MODELS, default_model: "small" });
    const picked = createPickModel(config, {}, null);
    expect(picked.ok && picked.value("default", "plan").name).toBe("small");
  });
});
