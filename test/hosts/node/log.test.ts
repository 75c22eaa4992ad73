import { describe, expect, test } from "vitest";
import { createLog } from "../../../src/hosts/node/log.ts";

const KEY = `pawl_${"k".repeat(32)}`;

function written(known: readonly string[] = []) {
  const lines: string[] = [];
  return { lines, log: createLog("info", known, { write: (line) => void lines.push(line) }) };
}

describe("a line of the log", () => {
  test("is one JSON object with its message and fields", () => {
    const { lines, log } = written();
    log.info({ msg: "request", status: 200 });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 30, msg: "request", status: 200 }]);
  });

  test("is omitted below its level, and tolerates values that JSON cannot represent", () => {
    const { lines, log } = written();
    createLog("warn", [], { write: (line) => void lines.push(line) }).info({ msg: "not this" });
    const cycle: Record<string, unknown> = {};
    cycle.cycle = cycle;
    log.warn({ msg: "this", cycle });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, msg: "this" }]);
  });

  test.each([
    ["a field", { msg: "x", authorization: "anything at all" }, "anything"],
    ["a field inside", { msg: "x", headers: { authorization: "anything at all" } }, "anything"],
    ["a key in a path", { msg: "x", path: `/v1/threads/${KEY}` }, KEY],
    ["a key in the message", { msg: `no ${KEY}` }, KEY],
    ["a header in an error", { msg: "bug", error: `Error: Bearer abc.def\n    at x (Bearer abc.def)` }, "abc.def"],
    ["a password", { msg: "x", error: "Basic YWRhOnB3" }, "YWRhOnB3"],
    ["a ticket in an address", { msg: "x", url: `/live?ticket=tkt_${"a1".repeat(26)}` }, "a1a1"],
    ["a password in an address", { msg: "x", url: "postgres://app:S3cr3tPass@db/app" }, "S3cr3tPass"],
    ["a temporary key", { msg: "x", error: "AccessKeyId ASIAABCDEFGHIJKLMNOP" }, "ASIAABCD"],
    ["a provider's key", { msg: "x", deep: { er: ["sk-proj-0123456789abcdef"] } }, "0123456789abcdef"],
  ])("hides %s", (_, line, secret) => {
    const { lines, log } = written();
    log.error(line);
    expect(lines.join("")).not.toContain(secret);
    expect(lines.join("")).toContain("[redacted]");
    expect(() => JSON.parse(lines[0] ?? "")).not.toThrow();
  });

  test("hides what is known to be secret, also with characters that JSON escapes", () => {
    const secret = 'pass"word\\with\nodd';
    const { lines, log } = written([secret, "short"]);
    log.warn({ msg: "x", cause: `failed with ${secret}`, also: "short" });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ cause: "failed with [redacted]", also: "short" });
  });
});
