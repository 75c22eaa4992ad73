// Provides a model on a stub server with a fast clock, the common fixture of the OpenAI adapter's tests.
import { afterEach, beforeEach } from "vitest";
import { createOpenAiModel, type OpenAiModelOptions } from "../../src/adapters/model-openai/openai-model.ts";
import type { Model, ModelRequest } from "../../src/ports/model.ts";
import { createFastClock, type FastClock } from "./fast-clock.ts";
import { type OpenAiStub, startOpenAiStub } from "./openai-stub.ts";

export const KEY = "sk-test-0123456789abcdef";
export const DECISION = '{"action":"done","goal_check":"all rooms are booked","speak":"Fertig — 完成。"}';

const SCHEMA = { name: "decision", schema: { type: "object", properties: { action: { type: "string" } } } };

export type OpenAiFixture = {
  stub: OpenAiStub;
  clock: FastClock;
  model(more?: Partial<OpenAiModelOptions>): Model;
  request(more?: Partial<ModelRequest>): ModelRequest;
};

/** Registers its own setup, so that every test gets a new server and a new clock. */
export function useOpenAiStub(): OpenAiFixture {
  const fixture = {} as OpenAiFixture;
  beforeEach(async () => {
    fixture.stub = await startOpenAiStub();
    fixture.clock = createFastClock();
  });
  afterEach(() => fixture.stub.close());
  fixture.model = (more = {}) =>
    createOpenAiModel({
      name: "main",
      provider: "stub",
      base_url: fixture.stub.base_url,
      api_key: KEY,
      model: "stub-1",
      window: 32_000,
      max_output_tokens: 1_000,
      // This is three real seconds on the fast clock; only the idle timeout tests shorten it.
      idle_timeout_ms: 300_000,
      clock: fixture.clock,
      ...more,
    });
  fixture.request = (more = {}) => ({
    purpose: "execute",
    messages: [
      { role: "system", content: "rules, answer in JSON" },
      { role: "user", content: "dialogue" },
      { role: "user", content: "window" },
      { role: "user", content: "state" },
    ],
    schema: SCHEMA,
    max_output_tokens: 500,
    signal: new AbortController().signal,
    deadline: fixture.clock.now() + 3_600_000,
    ...more,
  });
  return fixture;
}
