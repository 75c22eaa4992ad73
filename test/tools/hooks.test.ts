import { describe, expect, test } from "vitest";
import {
  HOOK_MS_MAX,
  type Hook,
  type HookCall,
  type PostHookCall,
  runPostHooks,
  runPreHooks,
  runSkipHooks,
} from "../../src/tools/hooks.ts";
import { createTestClock } from "../support/runtime.ts";
import { aManifest } from "../support/thread.ts";

const call: HookCall = {
  tenant: "local",
  thread: "thr",
  tool_name: "look",
  manifest: aManifest({ name: "look" }),
  arguments: { at: "desk" },
  arguments_digest: "digest",
  proposed_digest: null,
};
const after = (over: Partial<PostHookCall> = {}): PostHookCall => ({
  ...call,
  phase: "POST",
  operation_id: "opr",
  result: "seen",
  raw: null,
  success: true,
  duration_ms: 5,
  ...over,
});
const clock = createTestClock();
const pre = (
  name: string,
  handler: Extract<Hook, { hook_type: "PRE_TOOL_USE" }>["handler"],
  filter_names?: string[],
): Hook => ({
  name,
  hook_type: "PRE_TOOL_USE",
  handler,
  ...(filter_names ? { filter_names } : {}),
});
const post = (name: string, change: (text: string) => string): Hook => ({
  name,
  hook_type: "POST_TOOL_USE",
  handler: ({ result }) => ({ action: "MODIFY_RESULT", text: change(result) }),
});
const modify = (name: string, more: Record<string, unknown>): Hook =>
  pre(name, ({ arguments: args }) => ({ action: "MODIFY", arguments: { ...args, ...more } }));
const deny = pre("guard", () => ({ action: "DENY", reason: "not here" }));
const run = (...hooks: Hook[]) => runPreHooks(hooks, call, clock);

describe("hooks before a call", () => {
  test("two changes add up, in order, and each sees what the one before made", async () => {
    const seen: unknown[] = [];
    const watch = pre("watch", ({ arguments: args, phase }) => {
      seen.push([phase, args]);
      return { action: "ALLOW" };
    });
    const result = await run(modify("one", { at: "door" }), watch, modify("two", { also: 1 }));
    expect(result).toEqual({ arguments: { at: "door", also: 1 }, modified: true, denied: null, asks: [] });
    expect(seen).toEqual([["PRE", { at: "door" }]]);
  });

  test("the first denial stops the chain, with its words and the arguments as they were", async () => {
    let asked = false;
    const never = pre("never", () => {
      asked = true;
      return { action: "ALLOW" };
    });
    const result = await run(modify("one", { at: "door" }), deny, never);
    expect(result).toMatchObject({ denied: "guard says no: not here", arguments: { at: "desk" }, modified: false });
    expect(asked).toBe(false);
  });

  test("a filter names the tools it is for; without one it is for all", async () => {
    const elsewhere = pre("elsewhere", () => ({ action: "DENY", reason: "no" }), ["other"]);
    expect((await run(elsewhere)).denied).toBeNull();
    expect((await runPreHooks([elsewhere], { ...call, tool_name: "other" }, clock)).denied).not.toBeNull();
    expect((await runPreHooks([deny], { ...call, tool_name: "other" }, clock)).denied).not.toBeNull();
  });

  test("what asks for a person is collected", async () => {
    const asks = [
      pre("a", () => ({ action: "ASK", reason: "odd" })),
      pre("b", () => ({ action: "ASK", code: "risk", reason: "risky" })),
    ];
    expect((await run(...asks)).asks).toEqual([
      { code: "hook", text: "odd" },
      { code: "risk", text: "risky" },
    ]);
  });

  test("one that takes its time is waited for", async () => {
    let done = false;
    const slow = pre("slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      done = true;
      return { action: "ALLOW" };
    });
    expect((await run(slow)).denied).toBeNull();
    expect(done).toBe(true);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("lost");
      },
      "could not decide: lost",
    ],
    ["rejects", async () => Promise.reject(new Error("lost")), "could not decide: lost"],
    ["says nothing", () => undefined, "could not decide: it gave no answer"],
    ["says something unknown", () => ({ action: "MAYBE" }), "could not decide: it gave no answer"],
  ])("one that %s is a denial", async (_how, handler, why) => {
    const broken = pre("broken", handler as never);
    expect((await run(modify("one", { at: "door" }), broken)).denied).toBe(`broken ${why}`);
  });

  test("one that never answers is a denial", async () => {
    const hanging = createTestClock();
    const answered = runPreHooks([pre("stuck", () => new Promise(() => undefined))], call, hanging);
    await Promise.resolve();
    hanging.advance(HOOK_MS_MAX);
    expect((await answered).denied).toContain("stuck could not decide: it took longer");
  });
});

describe("hooks after a call", () => {
  test("each may replace the result, in order", async () => {
    const shown = await runPostHooks(
      [post("one", (text) => `${text}, one`), post("two", (text) => `${text}, two`)],
      after(),
      clock,
    );
    expect(shown.text).toBe("seen, one, two");
  });

  test("they see result, data and the arguments that ran", async () => {
    const seen: unknown[] = [];
    const watch: Hook = {
      name: "watch",
      hook_type: "POST_TOOL_USE",
      handler: ({ phase, result, raw, arguments: args, success }) => {
        seen.push({ phase, result, raw, args, success });
        return { action: "CONTINUE" };
      },
    };
    const shown = await runPostHooks([watch], after({ raw: { a: 1 }, arguments: { at: "door" } }), clock);
    expect(seen).toEqual([{ phase: "POST", result: "seen", raw: { a: 1 }, args: { at: "door" }, success: true }]);
    expect(shown).toEqual({ text: "seen", raw: { a: 1 } });
  });

  test("a changed text drops the data unless the hook gives others", async () => {
    expect(await runPostHooks([post("one", () => "x")], after({ raw: { a: 1 } }), clock)).toEqual({
      text: "x",
      raw: null,
    });
    const both: Hook = {
      name: "both",
      hook_type: "POST_TOOL_USE",
      handler: () => ({ action: "MODIFY_RESULT", text: "x", raw: { b: 2 } }),
    };
    expect(await runPostHooks([both], after({ raw: { a: 1 } }), clock)).toEqual({ text: "x", raw: { b: 2 } });
  });

  test("after a failure only those for failures run", async () => {
    const onError: Hook = {
      name: "error",
      hook_type: "TOOL_ERROR",
      handler: ({ result }) => ({ action: "MODIFY_RESULT", text: `E:${result}` }),
    };
    const hooks = [post("ok", (text) => `OK:${text}`), onError];
    expect((await runPostHooks(hooks, after({ success: false }), clock)).text).toBe("E:seen");
    expect((await runPostHooks(hooks, after(), clock)).text).toBe("OK:seen");
  });

  test("one that fails withholds the result, and its own words with it", async () => {
    const broken: Hook = {
      name: "redactor",
      hook_type: "POST_TOOL_USE",
      handler: () => {
        throw new Error("could not parse: hunter2");
      },
    };
    const shown = await runPostHooks(
      [broken, post("later", (text) => text)],
      after({ result: "hunter2", raw: "hunter2" }),
      clock,
    );
    expect(shown.raw).toBeNull();
    expect(shown.text).toBe("(The result is withheld: redactor could not look at it.)");
  });
});

test("hooks for skipped calls receive the reason, and one that throws does not affect the others", async () => {
  const heard: string[] = [];
  const skip = (name: string, handler: (reason: string) => void): Hook => ({
    name,
    hook_type: "TOOL_SKIP",
    handler: ({ reason }) => handler(reason),
  });
  const broken = skip("broken", () => {
    throw new Error("x");
  });
  await runSkipHooks([broken, skip("log", (reason) => void heard.push(reason))], call, "denied", clock);
  expect(heard).toEqual(["denied"]);
});
