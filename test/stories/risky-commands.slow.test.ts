// Commands run in a real folder: a harmless one runs, a risky one needs approval, and a few are always blocked.
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Projection } from "../../src/tools/resolve.ts";
import { unwrap } from "../support/runtime.ts";
import { approval, callTool, rejection, type Story, startStory } from "../support/story.ts";

const bash = (command: string) => callTool("bash", { command });
let story: Story;
let build: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-story-"));
  build = join(folder, "work", "build");
  mkdirSync(build, { recursive: true });
  writeFileSync(join(build, "out.js"), "x");
  writeFileSync(join(folder, "pawl.config.json"), JSON.stringify({ workspace: "work", bash: { enabled: true } }));
  story = await startStory({
    folder,
    script: [
      bash("rm -rf /"),
      bash("sh -c 'rm -rf /'"),
      bash("ls && rm -rf build"),
      bash('echo "rm"'),
      bash("ls && rm -rf build"),
      bash("ls"),
    ],
  });
});
afterAll(() => story.end());

test("blocked commands are refused, risky ones pause for approval, harmless ones run", async () => {
  const { client } = story;
  const { thread } = unwrap(await client.create({ goal: "Tidy the folder", mode: "direct" }));
  expect(unwrap(await client.call<Projection>("GET", "/v1/tools")).toolNames).toContain("bash");

  for (let n = 0; n < 2; n += 1) {
    const blocked = unwrap(await client.advance(thread.id));
    expect(blocked).toMatchObject({
      next: "advance",
      thread: { gate: null },
      turn: { receipts: [{ success: false }] },
    });
    expect(blocked.turn?.observation?.text).toContain("this never runs, whoever approves it");
  }

  const risky = unwrap(await client.advance(thread.id));
  expect(risky).toMatchObject({
    next: "confirm",
    thread: { gate: { kind: "confirmation", reasons: [{ code: "risk" }] } },
  });
  expect(risky.thread.gate).toMatchObject({ shown: '{\n  "command": "ls && rm -rf build"\n}' });
  expect(existsSync(build)).toBe(true);
  unwrap(await client.advance(thread.id, rejection(risky.thread.gate, "keep it")));
  expect(existsSync(build)).toBe(true);

  const quiet = unwrap(await client.advance(thread.id));
  expect(quiet).toMatchObject({
    next: "advance",
    thread: { gate: null },
    turn: { observation: { text: "rm\n\nexit code 0" } },
  });
  expect(quiet.turn?.receipts.at(-1)).toMatchObject({
    source: "tool_observation",
    success: true,
    output_trust: "untrusted",
  });

  const again = unwrap(await client.advance(thread.id));
  const approve = approval(again.thread.gate);
  const approved = unwrap(await client.advance(thread.id, approve));
  expect(approved.turn?.receipts.at(-1)).toMatchObject({ success: true, actor: "tester" });
  expect(existsSync(build)).toBe(false);
  expect(await client.advance(thread.id, approve)).toMatchObject({ ok: false, problem: { code: "gate_closed" } });

  // Command output is untrusted, and the next command could send it out, so even a harmless one needs approval.
  const tainted = unwrap(await client.advance(thread.id));
  expect(tainted.thread.gate).toMatchObject({ kind: "confirmation", reasons: [{ code: "taint" }] });
  story.model.assertSpent();
});
