import { describe, expect, test } from "vitest";
import { nodeHash } from "../../../src/adapters/hash-node.ts";
import { argumentsDigest, callDigest, planDigest } from "../../../src/turn/gates/digest.ts";

const ofArguments = (args: string): string =>
  argumentsDigest(nodeHash, { tool: "move", arguments: JSON.parse(args) as Record<string, unknown> });

const call = {
  tenant: "local",
  thread: "thr_1",
  version: 4,
  tool: "move",
  manifest_version: "1.0.0",
  arguments: { task_id: 7 },
};
const step = { content: "move it", done_when: null, needs: "write" as const };
const plan = { tenant: "local", thread: "thr_1", version: 2, steps: [step] };

describe("argumentsDigest", () => {
  test("is the SHA-256 of the canonical call", () => {
    expect(ofArguments('{"b":1,"a":2}')).toBe(nodeHash.sha256('{"arguments":{"a":2,"b":1},"tool":"move"}'));
    expect(nodeHash.sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(nodeHash.sha256(new TextEncoder().encode("é"))).toBe(nodeHash.sha256("é"));
  });

  test("the order of keys does not matter, the order of a list does", () => {
    expect(ofArguments('{"a":{"x":1,"y":2},"b":3}')).toBe(ofArguments('{"b":3,"a":{"y":2,"x":1}}'));
    expect(ofArguments('{"a":[1,2]}')).not.toBe(ofArguments('{"a":[2,1]}'));
  });

  test('1 and 1.0 are equal, 1 and the string "1" are not', () => {
    expect(ofArguments('{"a":1}')).toBe(ofArguments('{"a":1.0}'));
    expect(ofArguments('{"a":1}')).not.toBe(ofArguments('{"a":"1"}'));
  });

  test("strings are compared byte for byte", () => {
    expect(ofArguments('{"a":"caf\\u00e9"}')).not.toBe(ofArguments('{"a":"cafe\\u0301"}'));
    expect(ofArguments('{"a":"x"}')).not.toBe(ofArguments('{"a":"x "}'));
    expect(ofArguments('{"a":"caf\\u00e9"}')).toBe(ofArguments('{"a":"café"}'));
  });

  test("a key named __proto__ counts", () => {
    expect(ofArguments('{"__proto__":{"a":1}}')).not.toBe(ofArguments("{}"));
  });

  test("the tool counts", () => {
    expect(argumentsDigest(nodeHash, { tool: "swap", arguments: {} })).not.toBe(ofArguments("{}"));
  });
});

describe("callDigest", () => {
  test.each([
    { tenant: "other" },
    { thread: "thr_2" },
    { version: 5 },
    { tool: "swap" },
    { manifest_version: "1.0.1" },
    { arguments: { task_id: 8 } },
  ])("changes with %j", (change) => {
    expect(callDigest(nodeHash, { ...call, ...change })).not.toBe(callDigest(nodeHash, call));
  });

  test("is equal for an equal call and ignores what is not part of it", () => {
    const stored = { ...(JSON.parse(JSON.stringify(call)) as typeof call), summary: "Move it?" };
    expect(callDigest(nodeHash, stored)).toBe(callDigest(nodeHash, call));
  });
});

describe("planDigest", () => {
  test.each([{ version: 3 }, { steps: [{ ...step, needs: "none" as const }] }, { steps: [step, step] }])(
    "changes with %j",
    (change) => {
      expect(planDigest(nodeHash, { ...plan, ...change })).not.toBe(planDigest(nodeHash, plan));
    },
  );

  test("is equal for an equal plan", () => {
    expect(planDigest(nodeHash, JSON.parse(JSON.stringify(plan)) as typeof plan)).toBe(planDigest(nodeHash, plan));
  });
});
