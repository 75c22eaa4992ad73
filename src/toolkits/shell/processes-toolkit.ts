// Defines the toolkit for commands in the background of a thread, on a host that can run commands.
import { ok } from "../../schema/problem.ts";
import { defineToolkit, type OperationsFor } from "../../tools/toolkit.ts";
import { type Background, createBackground } from "./background.ts";
import { processTool } from "./process.ts";

/** The running commands of each host, which all tools and threads of the host must share. */
const running = new WeakMap<OperationsFor, Background>();

function backgroundOf(process: OperationsFor): Background {
  const known = running.get(process) ?? createBackground();
  running.set(process, known);
  return known;
}

export const processes = defineToolkit({
  name: "processes",
  parts: ["process"],
  offered: "on request",
  tools: ({ process }) => [processTool(process, backgroundOf(process))],
  threads: {
    removed: async ({ process }, { tenant, thread }) => {
      await backgroundOf(process).stopAll(`${tenant}/${thread}`);
      return ok(undefined);
    },
  },
});
