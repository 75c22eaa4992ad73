// Tests a thread that crashes the whole server each time it is advanced. A supervisor restarts the server, and the
// other threads must continue.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tools/define-tool.ts";
import { bundleTarget, startTarget, type TargetServer } from "../kill/target-process.ts";
import { createTestRuntime, createTestThread, problemCode, unwrap } from "../support/runtime.ts";

const GOOD = 9;
const TURNS = 4;
const TRIES = 5;

let folder = "";
let target: TargetServer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-poison-"));
});
afterEach(async () => {
  target?.kill();
  await target?.ended;
  rmSync(folder, { recursive: true, force: true });
});

type Answer = {
  readonly status: number;
  readonly body: {
    code?: string;
    thread: { id: string; turn: number; gate: null | { id: string; kind: string; text: string } };
  };
};

/** Returns null if the server crashed. */
async function post(path: string, body: object): Promise<Answer | null> {
  try {
    const response = await fetch(`${target.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  } catch {
    return null;
  }
}

const create = async (goal: string): Promise<string> => {
  const made = await post("/v1/threads", { goal, mode: "direct" });
  if (made?.status !== 201) throw new Error(`not created: ${JSON.stringify(made?.body)}`);
  return made.body.thread.id;
};

test("a thread that crashes the server is stopped with a reason, and all others continue", {
  timeout: 120_000,
}, async () => {
  const bundle = await bundleTarget(join(import.meta.dirname, "crashing-server.ts"));
  target = await startTarget(bundle, folder, null);
  const good: string[] = [];
  for (let n = 0; n < GOOD; n++) good.push(await create(`be good ${n}`));
  const poison = await create("drink poison");
  const turns = new Map(good.map((id) => [id, 0]));
  let gate: Answer["body"]["thread"]["gate"] = null;
  for (let round = 0; round < 400 && !gate; round++) {
    const response = await post(`/v1/threads/${poison}/turns`, {});
    gate = response?.status === 200 ? response.body.thread.gate : null;
    if (!response) {
      await target.ended;
      target = await startTarget(bundle, folder, null);
    }
    for (const id of good) {
      if ((turns.get(id) ?? 0) >= TURNS) continue;
      const advanced = await post(`/v1/threads/${id}/turns`, {});
      expect(advanced?.status).toBe(200);
      turns.set(id, advanced?.body.thread.turn ?? 0);
    }
    // A running call is not touched until its timeout has passed.
    if (response && !gate) await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(readFileSync(join(folder, "explosions.txt"), "utf8").split("\n").filter(Boolean)).toHaveLength(TRIES);
  expect(gate).toMatchObject({ kind: "doubt", text: expect.stringContaining(`sent ${TRIES} times`) });
  expect([...turns.values()]).toEqual(good.map(() => TURNS));
  // The thread stays stopped: advancing it returns the reason and does not crash the server again.
  for (let n = 0; n < 3; n++)
    expect(await post(`/v1/threads/${poison}/turns`, {})).toMatchObject({ status: 409, body: { code: "gate_open" } });
  expect(target.isAlive()).toBe(true);
});

describe("a thread whose pure calls always fail", () => {
  const broken = defineTool(
    { name: "broken", description: "Is broken.", input: z.object({ n: z.int() }), output: z.string() },
    () => {
      throw new Error("out of order");
    },
  );
  const look = defineTool(
    { name: "look", description: "Looks.", input: z.object({ n: z.int() }), output: z.string() },
    () => "seen",
  );

  test("fails after five turns with a stored reason, delays none of ninety-nine others, and can be reset", async () => {
    let n = 0;
    const rt = createTestRuntime([], [broken, look]);
    const on = (name: string) =>
      createTestRuntime(
        (function* () {
          for (;;) yield { action: "continue", speak: "On.", tool_call: { name, arguments: { n: n++ } } };
        })(),
        [broken, look],
        { store: rt.store },
      );
    const poison = await createTestThread(on("broken"), { goal: "Break", mode: "direct" });
    const good = await Promise.all(
      Array.from({ length: 99 }, () => createTestThread(on("look"), { goal: "Look", mode: "direct" })),
    );
    for (let round = 0; round < 8; round++) {
      const [bad, ...others] = await Promise.all([poison, ...good].map((thread) => thread.turn()));
      expect(others.map(problemCode)).toEqual(good.map(() => "ok"));
      expect(bad && problemCode(bad)).toBe(round < 5 ? "ok" : "thread_failed");
    }
    const failed = poison.events.filter(({ type }) => type === "thread.failed");
    expect(failed).toHaveLength(1);
    const reason = poison.events.findLast((event) => event.type === "tool.completed");
    expect(reason).toMatchObject({ receipt: { success: false, summary: "broken failed: out of order" } });
    expect(unwrap(await poison.turn({ type: "reset" })).outcome.thread.state).toBe("execute");
  });
});
