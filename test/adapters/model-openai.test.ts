import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MODEL_BACKOFF, retryAfterMs } from "../../src/adapters/model-openai/backoff.ts";
import { initialCapabilities, isStrictSchema } from "../../src/adapters/model-openai/capabilities.ts";
import { quote } from "../../src/adapters/model-openai/problem-messages.ts";
import { backoffMs } from "../../src/ports/backoff.ts";
import { alternateRoles } from "../../src/ports/model.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const after = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), NOW);

describe("the wait before a retry", () => {
  test("grows, is randomized, and has an upper limit", () => {
    expect([1, 2, 3].map((n) => backoffMs(MODEL_BACKOFF, n, 0))).toEqual([250, 500, 1_000]);
    expect([1, 2, 3].map((n) => backoffMs(MODEL_BACKOFF, n, 1))).toEqual([500, 1_000, 2_000]);
    expect(backoffMs(MODEL_BACKOFF, 30, 1)).toBe(8_000);
  });

  test.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["parts of a second", { "retry-after": "0.25" }, 250],
    ["milliseconds, which win", { "retry-after": "7", "retry-after-ms": "120" }, 120],
    ["a date", { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, 30_000],
    ["a date in the past", { "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
    ["more than a day", { "retry-after": "999999999" }, 86_400_000],
    ["a negative number", { "retry-after": "-3" }, null],
    ["words", { "retry-after": "soon" }, null],
    ["nothing", {}, null],
  ])("reads Retry-After as %s", (_title, headers, ms) => {
    expect(after(headers as Record<string, string>)).toBe(ms);
  });
});

describe("a strict schema", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  test.each([
    ["closed and complete", closed, true],
    ["with an optional property", { ...closed, required: [] }, false],
    ["open", { ...closed, additionalProperties: true }, false],
    ["with an open object inside", { ...closed, properties: { a: { anyOf: [{ type: "object" }] } } }, false],
    ["whose property is named type", { ...closed, properties: { type: { type: "string" } }, required: ["type"] }, true],
  ])("is one that is %s: %j → %s", (_title, schema, strict) => {
    expect(isStrictSchema(schema)).toBe(strict);
  });
});

test("OpenAI's own servers get the new name of the output limit, others the old one", () => {
  expect(initialCapabilities({ structured: "auto" }, "https://api.openai.com/v1").limits[0]).toBe(
    "max_completion_tokens",
  );
  expect(initialCapabilities({ structured: "auto" }, "https://x.openai.azure.com/openai/v1").limits[0]).toBe(
    "max_completion_tokens",
  );
  expect(initialCapabilities({ structured: "auto" }, "http://127.0.0.1:11434/v1").limits[0]).toBe("max_tokens");
  expect(initialCapabilities({ structured: "auto" }, "https://notopenai.com/v1").limits[0]).toBe("max_tokens");
});

describe("alternating roles", () => {
  test("a dialogue that already alternates stays unchanged", () => {
    const dialogue = [
      { role: "system", content: "s" },
      { role: "user", content: "u" },
      { role: "assistant", content: "a" },
      { role: "user", content: "v" },
    ] as const;
    expect(alternateRoles(dialogue)).toEqual(dialogue);
  });

  test("no role follows itself, and every text is kept", () => {
    const roles = ["system", "assistant", "user"] as const;
    for (let seed = 0; seed < 3 ** 5; seed += 1) {
      const dialogue = Array.from({ length: 5 }, (_, i) => ({
        role: roles[Math.floor(seed / 3 ** i) % 3] ?? "user",
        content: `text-${i}`,
      }));
      const alternating = alternateRoles(dialogue);
      for (const [i, message] of alternating.entries()) expect(message.role).not.toBe(alternating[i + 1]?.role);
      expect(alternating.find((message) => message.role !== "system")?.role).not.toBe("assistant");
      for (const { content } of dialogue) expect(alternating.some((m) => m.content.includes(content))).toBe(true);
    }
  });
});

describe("a quoted text", () => {
  test.each([
    ["the key itself", "bad key hunter2-hunter2 given"],
    ["a masked key", "Incorrect API key provided: sk-proj-*****abcd"],
    ["a bearer header", "header was Bearer abcdef0123456789"],
  ])("never shows %s", (_title, text) => {
    const quoted = quote(text, "hunter2-hunter2");
    expect(quoted).toContain("[key]");
    expect(quoted).not.toMatch(/hunter2|abcd/);
  });

  test("is one short line", () => {
    const quoted = quote(`first\r\n\u0007second ${"x".repeat(1_000)}`, null);
    expect(quoted.startsWith("first second xxx")).toBe(true);
    expect(quoted.length).toBeLessThan(310);
  });
});

test("the SDK is only loaded on the first request", () => {
  const folder = new URL("../../src/adapters/model-openai/", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const eager = sources.filter((name) =>
    /^import (?!type\b)[^;]*from "openai/m.test(readFileSync(new URL(name, folder), "utf8")),
  );
  expect(sources.length).toBeGreaterThan(5);
  expect(eager).toEqual([]);
});
