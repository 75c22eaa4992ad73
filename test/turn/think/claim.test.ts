import { describe, expect, test } from "vitest";
import type { Claims } from "../../../src/ports/claims.ts";
import { fail, ok } from "../../../src/schema/problem.ts";
import { attachTestThread, createTestRuntime, createTestThread, problemCode, unwrap } from "../../support/runtime.ts";
import { look } from "../../support/tools.ts";

/** The time of a test runtime's clock. */
const NOW = Date.parse("2026-03-02T08:00:00.000Z");

/** Creates claims in memory and reports their current owner. */
function someClaims(): Claims & { readonly owner: () => string | null } {
  let held: string | null = null;
  return {
    owner: () => held,
    async claim(_at, owner, ttl_ms) {
      if (held !== null && held !== owner) return ok({ mine: false, until: NOW + ttl_ms });
      held = owner;
      return ok({ mine: true });
    },
    async release(_at, owner) {
      if (held === owner) held = null;
      return ok(undefined);
    },
  };
}

const looking = { action: "continue", speak: "Looking.", tool_call: { name: "look", arguments: { at: "desk" } } };
const going = { action: "continue", speak: "Going on." };

/** Starts a turn of the same thread in a second instance during the first one's model call. */
async function meanwhile(
  claims: Claims | undefined,
  second: (other: ReturnType<typeof attachTestThread>) => Promise<void>,
) {
  let asked = 0;
  const rt = createTestRuntime(
    (function* () {
      for (;;) yield { reply: () => ({ ...going, speak: `Going on ${++asked}.` }) };
    })(),
    [look],
    claims ? { claims } : {},
  );
  const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
  const slow = {
    ...rt,
    pickModel: () => ({
      ...rt.model,
      reply: async (request: Parameters<typeof rt.model.reply>[0]) => {
        await second(attachTestThread(rt, thread.at.thread));
        return rt.model.reply(request);
      },
    }),
  };
  const first = await attachTestThread(slow, thread.at.thread).turn();
  return { first, thread, rt };
}

describe("a claim on a thread", () => {
  test("lets one instance call the model, and makes the other wait", async () => {
    const claims = someClaims();
    let secondCode = "";
    const { first, rt } = await meanwhile(claims, async (other) => {
      const second = await other.turn();
      secondCode = problemCode(second);
      if (!second.ok) expect(second.problem.details).toMatchObject({ retry_after_s: 5 });
    });
    expect([secondCode, problemCode(first)]).toEqual(["turn_running", "ok"]);
    expect(rt.model.calls).toBe(1);
    expect(claims.owner()).toBeNull();
  });

  test("is optional: without claims both call the model, and one commits", async () => {
    let secondCode = "";
    const { first, rt } = await meanwhile(undefined, async (other) => {
      secondCode = problemCode(await other.turn());
    });
    expect([secondCode, problemCode(first)]).toEqual(["ok", "thread_moved"]);
    expect(rt.model.calls).toBe(2);
  });

  test("does not block a cancellation", async () => {
    let secondCode = "";
    const { first } = await meanwhile(someClaims(), async (other) => {
      secondCode = problemCode(await other.turn({ type: "cancel" }));
    });
    expect([secondCode, problemCode(first)]).toEqual(["ok", "thread_moved"]);
  });

  test("is released if the model does not answer", async () => {
    const claims = someClaims();
    const rt = createTestRuntime([{ fail: "model_unavailable" }, looking], [look], { claims });
    const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    expect(problemCode(await thread.turn())).toBe("model_unavailable");
    expect(claims.owner()).toBeNull();
    unwrap(await thread.turn());
  });

  test("that ends with its version is released only if nothing was committed", async () => {
    const versions: (number | undefined)[] = [];
    const released: string[] = [];
    const claims: Claims = {
      end_with_version: true,
      async claim(_at, _owner, _ttl_ms, version) {
        versions.push(version);
        return ok({ mine: true });
      },
      async release(_at, owner) {
        released.push(owner);
        return ok(undefined);
      },
    };
    const rt = createTestRuntime([looking, { fail: "model_unavailable" }, going], [look], { claims });
    const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    unwrap(await thread.turn());
    expect(released).toHaveLength(0);
    expect(problemCode(await thread.turn())).toBe("model_unavailable");
    expect(released).toHaveLength(1);
    unwrap(await thread.turn());
    expect(versions).toEqual([0, 1, 1]);
  });

  test("that fails does not stop a turn", async () => {
    const down = async () => fail("store_unavailable", "The table is away.");
    const rt = createTestRuntime([looking], [look], { claims: { claim: down, release: down } });
    const thread = await createTestThread(rt, { goal: "Tidy up", mode: "direct" });
    unwrap(await thread.turn());
  });
});
