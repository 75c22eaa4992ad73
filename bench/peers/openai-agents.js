// OpenAI Agents with a session of its own interface on SQLite. A paused run is stored as its serialized state, as documented.
import { randomUUID } from "node:crypto";
import { Agent, RunState, run, setTracingDisabled, tool, Usage } from "@openai/agents";
import { z } from "zod";
import { GOAL, observe, openItemRows } from "./system.ts";

setTracingDisabled(true);

let calls = 0;
const createModel = (name) => ({
  async getResponse() {
    calls += 1;
    const call = { type: "function_call", callId: `call-${calls}`, name, status: "completed" };
    const message = { type: "message", role: "assistant", status: "completed" };
    const output =
      name === null
        ? [{ ...message, content: [{ type: "output_text", text: "It is written." }] }]
        : [{ ...call, arguments: JSON.stringify({ at: calls }) }];
    return { usage: new Usage({ requests: 1, inputTokens: 2000, outputTokens: 30, totalTokens: 2030 }), output };
  },
});

const parameters = z.object({ at: z.int() });
const createAgent = (name) =>
  new Agent({
    name: "bench",
    model: createModel(name),
    tools: [
      tool({ name: "look", description: "Looks at a place.", parameters, execute: async ({ at }) => observe(at) }),
      tool({
        name: "write",
        description: "Writes.",
        parameters,
        needsApproval: true,
        execute: async ({ at }) => `wrote ${at}`,
      }),
    ],
    // One model call per request; a run that waits for an approval continues to its answer.
    toolUseBehavior: name === "look" ? "stop_on_first_tool" : "run_llm_again",
  });

/** @type {import("./system.ts").OpenSession} */
export const open = async (path) => {
  const rows = openItemRows(path);
  const pauseRun = rows.db.prepare("INSERT OR REPLACE INTO paused VALUES (?, ?)");
  const paused = rows.db.prepare("SELECT state FROM paused WHERE thread = ?");
  const endPause = rows.db.prepare("DELETE FROM paused WHERE thread = ?");
  const sessionOf = (id) => ({
    getSessionId: async () => id,
    getItems: async () => rows.load(id),
    addItems: async (items) => rows.append(id, items),
    popItem: async () => undefined,
    clearSession: async () => undefined,
  });
  return {
    async create() {
      const id = randomUUID();
      rows.append(id, [{ role: "user", content: GOAL }]);
      return id;
    },
    async turn(id) {
      await run(createAgent("look"), "Go on.", { session: sessionOf(id) });
    },
    async pause(id) {
      const { state } = await run(createAgent("write"), "Go on.", { session: sessionOf(id) });
      pauseRun.run(id, state.toString());
    },
    async resume(id) {
      const agent = createAgent(null);
      const state = await RunState.fromString(agent, paused.get(id).state);
      for (const interruption of state.getInterruptions()) state.approve(interruption);
      const { finalOutput } = await run(agent, state, { session: sessionOf(id) });
      if (finalOutput !== "It is written.") throw new Error(String(finalOutput));
      endPause.run(id);
    },
    async age(id, turns) {
      const items = Array.from({ length: turns }, () => {
        const callId = `call-${++calls}`;
        return [
          { role: "user", content: "Go on." },
          { type: "function_call", callId, name: "look", status: "completed", arguments: '{"at":1}' },
          {
            type: "function_call_result",
            callId,
            name: "look",
            status: "completed",
            output: { type: "text", text: observe(1) },
          },
        ];
      }).flat();
      rows.append(id, items);
    },
  };
};
