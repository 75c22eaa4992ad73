// A lead delegates two questions. Its sub-agents work in their own threads, and their reports are the result of the
// call.
import { createClient, createFetch, createRuntime, createScriptedModel, TOOLKITS } from "../src/index.ts";

const QUESTIONS = ["What is the capital of France?", "What is the capital of Spain?"];
const lead = createScriptedModel([
  {
    action: "continue",
    tool_call: {
      name: "delegate_parallel",
      arguments: { tasks: QUESTIONS.map((task) => ({ task, agent: "researcher" })) },
    },
  },
  { action: "done", goal_check: "Both sub-agents reported." },
  "France: Paris. Spain: Madrid.",
]);
// Without a job worker, each request to the lead advances one sub-agent by one turn.
const researcher = createScriptedModel(
  ["Paris", "Madrid"].flatMap((answer) => [{ action: "done", goal_check: "I know it." }, `It is ${answer}.`]),
);

const runtime = createRuntime({
  model: (agent) => (agent === "researcher" ? researcher : lead),
  toolkits: TOOLKITS,
  config: {
    agents: {
      default: { instructions: "Delegate research.", tools: null, toolkits: ["crew"] },
      researcher: { instructions: "Answer in one sentence.", tools: null, toolkits: [] },
    },
  },
});
const pawl = createClient("http://embedded", null, createFetch(runtime));

const created = await pawl.create({ goal: "Name two capitals", mode: "direct" });
if (!created.ok) throw new Error(created.problem.message);
const { id } = created.value.thread;
const run = await pawl.advanceUntilPause(id);
if (!run.ok) throw new Error(run.problem.message);

const listed = await pawl.list({ limit: 10 });
if (!listed.ok) throw new Error(listed.problem.message);
for (const { goal, outcome, parent } of listed.value.threads.toSorted((a, b) => (a.goal < b.goal ? -1 : 1)))
  console.log(parent === id ? "sub-agent:" : "lead:", goal, outcome);
console.log(run.value.turn?.speak);
