// Runs a server with one crashing thread, whose goal makes the model call a tool that ends the whole process. The
// argument is a folder.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Model } from "../../src/ports/model.ts";
import { ok } from "../../src/schema/problem.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { serveTarget } from "../kill/serve-target.ts";

const folder = process.argv[2];
if (!folder) throw new Error("which folder?");

const explode = defineTool(
  {
    name: "explode",
    description: "Ends the process.",
    permission: "WRITE",
    effect: "keyed",
    requires_confirmation: false,
    timeout_ms: 250,
    input: z.object({}),
    output: z.string(),
  },
  () => {
    appendFileSync(join(folder, "explosions.txt"), "bang\n");
    process.kill(process.pid, "SIGKILL");
    return new Promise<string>(() => undefined);
  },
);
const look = defineTool(
  { name: "look", description: "Looks.", input: z.object({ n: z.int() }), output: z.string() },
  ({ n }) => `seen ${n}`,
);

let asked = 0;
const model: Model = {
  name: "poisoned",
  window: 32_768,
  max_output_tokens: 512,
  prices: null,
  async reply({ messages }) {
    const poisoned = messages.some(({ content }) => content.includes("drink poison"));
    const tool_call = poisoned ? { name: "explode", arguments: {} } : { name: "look", arguments: { n: asked++ } };
    const text = JSON.stringify({ action: "continue", speak: "On.", tool_call });
    return ok({ text, model: "poisoned", usage: { input_tokens: 1, output_tokens: 1 } });
  },
};

await serveTarget(folder, model, [look, explode]);
