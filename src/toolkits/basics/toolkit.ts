// Defines the basics toolkit, which every agent has on every host.
import { defineToolkit } from "../../tools/toolkit.ts";
import { askUserQuestion, clarify } from "./clarify.ts";
import { escalate } from "./escalate.ts";
import { recall } from "./recall.ts";
import { time, timeReasoning } from "./time.ts";
import { todo } from "./todo.ts";

export const basics = defineToolkit({
  name: "basics",
  parts: [],
  offered: "always",
  tools: () => [todo, clarify, askUserQuestion, escalate, recall, time, timeReasoning],
});
