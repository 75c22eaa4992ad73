// Hooks around tools implement policy: they rewrite arguments, deny a call, require approval or remove secrets from
// results.
import { z } from "zod";
import { createClient, createFetch, createRuntime, createScriptedModel, defineTool, type Hook } from "../src/index.ts";

const search = defineTool(
  {
    name: "search_mail",
    description: "Searches the mailbox.",
    input: z.object({ words: z.string(), limit: z.number().int().optional() }),
    output: z.string(),
  },
  ({ words, limit }) => `${limit} messages about ${words}; the door code is 4711`,
);

const hooks: Hook[] = [
  {
    name: "small-pages",
    hook_type: "PRE_TOOL_USE",
    filter_names: ["search_mail"],
    handler: ({ arguments: args }) => ({ action: "MODIFY", arguments: { ...args, limit: 5 } }),
  },
  {
    name: "no-salaries",
    hook_type: "PRE_TOOL_USE",
    handler: ({ arguments: args }) =>
      /salar/i.test(String(args.words))
        ? { action: "DENY", reason: "Searching for salaries is not allowed." }
        : { action: "ALLOW" },
  },
  {
    name: "ask-about-doctors",
    hook_type: "PRE_TOOL_USE",
    handler: ({ arguments: args }) =>
      /doctor/i.test(String(args.words)) ? { action: "ASK", reason: "This may be private." } : { action: "ALLOW" },
  },
  {
    name: "no-codes",
    hook_type: "POST_TOOL_USE",
    handler: ({ result }) => ({ action: "MODIFY_RESULT", text: result.replace(/\d{4}/g, "****") }),
  },
];

const searchFor = (words: string) => ({ action: "continue", tool_call: { name: "search_mail", arguments: { words } } });
const model = createScriptedModel([searchFor("keys"), searchFor("salaries"), searchFor("doctor")]);
const pawl = createClient("http://embedded", null, createFetch(createRuntime({ model, tools: [search], hooks })));

const created = await pawl.create({ goal: "Search my mail", mode: "direct" });
if (!created.ok) throw new Error(created.problem.message);
for (let n = 0; n < 3; n++) {
  const turn = await pawl.advance(created.value.thread.id);
  if (!turn.ok) throw new Error(turn.problem.message);
  const { gate } = turn.value.thread;
  const reasons = gate?.kind === "confirmation" ? gate.reasons.map((reason) => reason.text) : [];
  console.log(turn.value.turn?.observation?.text ?? `needs approval: ${reasons.join(" ")}`);
}
