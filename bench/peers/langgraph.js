// LangGraph with its SQLite saver: a graph of a model and a tool node, a checkpoint after each step, `interrupt` for approvals.
import { randomUUID } from "node:crypto";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { GOAL, observe } from "./system.ts";

let calls = 0;
const nextCall = (name) => ({ name, args: { at: ++calls }, id: `call-${calls}`, type: "tool_call" });

function createGraph(saver, name) {
  const model = () => ({
    messages: [
      name === null
        ? new AIMessage("It is written.")
        : new AIMessage({ content: "Going on.", tool_calls: [nextCall(name)] }),
    ],
  });
  const runTool = ({ messages }) => {
    const [call] = messages.at(-1).tool_calls;
    if (call.name === "write" && interrupt({ approve: call }) !== "approve") throw new Error("not approved");
    const content = call.name === "write" ? `wrote ${call.args.at}` : observe(call.args.at);
    return { messages: [new ToolMessage({ content, tool_call_id: call.id })] };
  };
  const afterTool = ({ messages }) => (messages.at(-1).content.startsWith("wrote") ? "model" : END);
  const afterModel = ({ messages }) => (messages.at(-1).tool_calls?.length ? "tool" : END);
  return new StateGraph(MessagesAnnotation)
    .addNode("model", model)
    .addNode("tool", runTool)
    .addEdge(START, "model")
    .addConditionalEdges("model", afterModel, ["tool", END])
    .addConditionalEdges("tool", afterTool, ["model", END])
    .compile({ checkpointer: saver });
}

/** @type {import("./system.ts").OpenSession} */
export const open = async (path) => {
  const saver = SqliteSaver.fromConnString(path);
  saver.setup();
  saver.db.pragma("synchronous = FULL");
  saver.db.pragma("wal_autocheckpoint = 4000");
  const config = (id) => ({ configurable: { thread_id: id }, durability: "sync" });
  const go = { messages: [new HumanMessage("Go on.")] };
  return {
    async create() {
      const id = randomUUID();
      await createGraph(saver, "look").updateState(config(id), { messages: [new HumanMessage(GOAL)] }, "tool");
      return id;
    },
    async turn(id) {
      await createGraph(saver, "look").invoke(go, config(id));
    },
    async pause(id) {
      await createGraph(saver, "write").invoke(go, config(id));
    },
    async resume(id) {
      const { messages } = await createGraph(saver, null).invoke(new Command({ resume: "approve" }), config(id));
      if (messages.at(-1).content !== "It is written.") throw new Error(String(messages.at(-1).content));
    },
    async age(id, turns) {
      const messages = Array.from({ length: turns }, () => {
        const call = nextCall("look");
        return [
          new HumanMessage("Go on."),
          new AIMessage({ content: "Going on.", tool_calls: [call] }),
          new ToolMessage({ content: observe(call.args.at), tool_call_id: call.id }),
        ];
      }).flat();
      await createGraph(saver, "look").updateState(config(id), { messages }, "tool");
    },
  };
};
