// The target server, with real HTTP, a real SQLite file, an endless scripted model, and a tool of each effect class
// that records its effect id in a file before it returns.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { createIds } from "../../src/adapters/ids-random.ts";
import { createScriptedModel } from "../../src/adapters/model-scripted.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { serveTarget } from "./serve-target.ts";

const folder = process.argv[2];
if (!folder) throw new Error("which folder?");
const ledger = join(folder, "effects.txt");
const TOOL_TIMEOUT_MS = 250;

/** Writes one line per effect atomically. O_APPEND keeps lines of several processes separate. */
const writer = (effect: "keyed" | "unkeyed") =>
  defineTool(
    {
      name: `write_${effect}`,
      description: "Records its effect id in a file.",
      permission: "WRITE",
      effect,
      requires_confirmation: false,
      timeout_ms: TOOL_TIMEOUT_MS,
      input: z.object({ n: z.string() }),
      output: z.string(),
    },
    ({ n }, { idempotency_key }) => {
      appendFileSync(ledger, `${effect} ${idempotency_key} ${n}\n`);
      return `wrote ${n}`;
    },
  );
const look = defineTool(
  { name: "look", description: "Looks.", input: z.object({ n: z.string() }), output: z.string() },
  ({ n }) => `seen ${n} ${"x".repeat(2000)}`,
);

function* decisions() {
  const ids = createIds(systemClock);
  for (;;) {
    for (const name of ["look", "write_keyed", "write_unkeyed"]) {
      yield { action: "continue", speak: "On.", tool_call: { name, arguments: { n: ids.make("req") } } };
    }
  }
}

await serveTarget(folder, createScriptedModel(decisions()), [look, writer("keyed"), writer("unkeyed")]);
