// Starts, lists and stops background commands of a thread, and returns their output. The commands are judged by the
// same rules as those of the bash tool.
import * as z from "zod";
import { type Failed, fail } from "../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../tools/define-tool.ts";
import type { Hook, PreHookCall } from "../../tools/hooks.ts";
import type { OperationsFor } from "../../tools/toolkit.ts";
import type { Background, BackgroundProcess } from "./background.ts";
import { commandRisk, networkApproval } from "./risk-hooks.ts";

const SHOWN_CHARS = 16_384;

const Input = z.object({
  action: z.enum(["start", "list", "output", "stop"]),
  command: z.string().min(1).max(16_384).optional().describe("to start: one command line"),
  folder: z.string().max(1_024).optional().describe("to start: folder to run it in"),
  network: z.boolean().optional().describe("to start: whether it needs the network; a person is asked"),
  id: z.int().min(1).optional().describe("output, stop: the number that start returned"),
});

export const processTool = (operations: OperationsFor, background: Background): Tool =>
  defineTool(
    {
      name: "process",
      description: "Run commands in the background: start one, list them, read the output, stop one.",
      toolset: "process",
      category: "system",
      permission: "EXTERNAL",
      scope: "NETWORK",
      effect: "unkeyed",
      // The command determines whether a person must confirm the call, as for bash.
      requires_confirmation: false,
      output_trust: "untrusted",
      outward: true,
      subagent_allowed: false,
      needs_parts: ["process"],
      tags: ["workspace", "shell"],
      prompt_hint: "for servers and watchers; they end with the thread, after an hour, or when the server stops.",
      input: Input,
      output: z.string(),
      examples: [{ arguments: { action: "start", command: "npm run dev" }, result: "1 running: npm run dev" }],
      check: (input, context) => refusal(background, input, context),
      hooks: [commandRisk(["process"], operations.places), networkApproval(["process"])].map(onlyForStart),
    },
    (input, context) => run(operations, background, input, context),
  );

/** Applies a hook only to the action "start", because the other actions run no command. */
const onlyForStart = (hook: Hook): Hook => {
  if (hook.hook_type !== "PRE_TOOL_USE") return hook;
  const { handler } = hook;
  return {
    ...hook,
    handler: (call: PreHookCall) => (call.arguments.action === "start" ? handler(call) : { action: "ALLOW" }),
  } as Hook;
};

/** Refuses a call that lacks an argument, or that names a command that this thread did not start. */
function refusal(
  background: Background,
  { action, command, id }: z.infer<typeof Input>,
  context: ToolContext,
): Failed | null {
  if (action === "list") return null;
  if (action === "start") return command === undefined ? fail("tool_refused", "start needs a command.") : null;
  if (id === undefined) return fail("tool_refused", `${action} needs an id.`);
  const known = background.find(ownerOf(context), id);
  return known.ok ? null : known;
}

const ownerOf = ({ tenant, thread }: Pick<ToolContext, "tenant" | "thread">): string => `${tenant}/${thread}`;

async function run(
  operations: OperationsFor,
  background: Background,
  { action, command, folder, network = false, id }: z.infer<typeof Input>,
  context: ToolContext,
): Promise<string | Failed> {
  const owner = ownerOf(context);
  if (action === "list") return background.list(owner).map(headOf).join("\n") || "Nothing was started.";
  if (action === "start") {
    if (command === undefined) return fail("tool_refused", "start needs a command.");
    const { process } = operations(context);
    if (!process) return fail("process_unavailable", "This host cannot run commands.");
    const started = background.start(owner, process, { command, folder, network });
    return started.ok ? headOf(started.value) : started;
  }
  if (id === undefined) return fail("tool_refused", `${action} needs an id.`);
  if (action === "stop") {
    const stopped = await background.stop(owner, id);
    return stopped.ok ? headOf(stopped.value) : stopped;
  }
  const found = background.find(owner, id);
  return found.ok ? `${headOf(found.value)}\n${found.value.output.slice(-SHOWN_CHARS)}` : found;
}

function headOf({ id, command, end }: BackgroundProcess): string {
  const state = end === null ? "running" : end.kind === "exited" ? `exit code ${end.code}` : end.kind;
  return `${id} ${state}: ${command.slice(0, 200)}`;
}
