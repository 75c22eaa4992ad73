// Implements a model with random decisions, most of which are valid. Like a real model, it sees only its messages.
import type { Model, ModelReply, ModelRequest } from "../../src/ports/model.ts";
import { fail, ok, type Result } from "../../src/schema/problem.ts";
import { crashHere, drawDelay } from "./ports.ts";
import { createRandom, type Random, STREAMS } from "./random.ts";
import { CLIENT_TOOL, WRITER_NAMES } from "./tools.ts";
import type { Process, World } from "./world.ts";

export type Reliability = "good" | "bad" | "awful";
export type ModelOptions = { readonly window: number; readonly reliability: Reliability };

/** A prompt with its cost. The prompts are logged in order and survive the processes. */
export type LoggedPrompt = {
  readonly messages: readonly { role: string; content: string }[];
  readonly tokens: number;
  /** The usage as reported to the runtime, or null if the reply had none. */
  readonly usage: ModelReply["usage"];
  /** The duration of the reply, by a clock that does not jump. */
  readonly ms: number;
  /** A key that all replies of one turn share. Turns that start at the same time may also share it. */
  readonly turn: string;
};
export type ModelLog = { readonly prompts: LoggedPrompt[] };

const INVALID_REPLY_RATES: Record<Reliability, number> = { good: 0.06, bad: 0.35, awful: 0.9 };
const PRICES = { input_per_million: 10, output_per_million: 30 };

export function simModel(world: World, process: Process, facts: ModelOptions, log: ModelLog): Model {
  return {
    name: "chance",
    window: facts.window,
    max_output_tokens: 300,
    prices: PRICES,
    async reply(request) {
      const started = world.time();
      const answer = (): Result<ModelReply> => reply(world, facts, log, request, { process, started });
      await world.wait(process, `model ${request.purpose}`, drawDelay(world, "model"), request.signal);
      switch (world.fault(`model ${request.purpose}`, { down: 3, hangs: 2, crash_before: 1, crash_after: 2 })) {
        case "down":
          return fail("model_unavailable", "The provider is busy.", { retry_after_s: 2 });
        case "hangs":
          return hang(request);
        case "crash_before":
          return crashHere(world, process);
        case "crash_after":
          answer();
          return crashHere(world, process);
        default:
          return answer();
      }
    },
  };
}

const hang = (request: ModelRequest): Promise<Result<ModelReply>> =>
  new Promise((resolve) => {
    request.signal.addEventListener("abort", () => resolve(fail("turn_deadline", "Nobody waited any longer.")));
  });

type Asked = { readonly process: Process; readonly started: number };

function reply(
  world: World,
  facts: ModelOptions,
  log: ModelLog,
  request: ModelRequest,
  { process, started }: Asked,
): Result<ModelReply> {
  const random = createRandom(world.seed, STREAMS.model, log.prompts.length);
  const text = textOf(world, facts.reliability, request, random, log.prompts.length);
  const length = request.messages.reduce((sum, message) => sum + message.content.length, 0);
  const usage = { input_tokens: Math.ceil(length / 4), output_tokens: Math.min(300, Math.ceil(text.length / 4)) };
  const { messages, purpose, deadline } = request;
  const entry = {
    messages,
    tokens: usage.input_tokens + usage.output_tokens,
    ms: world.time() - started,
    turn: `${process.id} ${deadline} ${purpose}`,
  };
  const position = log.prompts.push({ ...entry, usage: null }) - 1;
  world.trace.note(`m ${text.slice(0, 120)}`);
  if (random.chance(0.2)) {
    request.onText?.(text.slice(0, 9));
    if (random.chance(0.2)) request.onDiscard?.("again");
    request.onText?.(text.slice(9));
  }
  const reported = random.chance(0.9) ? usage : null;
  log.prompts[position] = { ...entry, usage: reported };
  return ok({ text, model: "chance", usage: reported });
}

function textOf(world: World, reliability: Reliability, request: ModelRequest, random: Random, n: number): string {
  const mark = /mark-[a-z]+/.exec(request.messages[1]?.content ?? "")?.[0] ?? "mark-none";
  if (request.purpose === "deliver") return random.chance(0.1) ? "" : `Delivered for ${mark}.`;
  if (world.faultsStopped()) return JSON.stringify(closingDecision(request.purpose, random, mark, n));
  if (random.chance(INVALID_REPLY_RATES[reliability])) return invalidReply(random);
  const decision = request.purpose === "plan" ? planDecision(random, mark) : executeDecision(random, request, mark, n);
  const json = JSON.stringify(decision);
  return random.chance(0.05) ? `\`\`\`json\n${json}\n\`\`\`` : json;
}

const invalidReply = (random: Random): string =>
  random.pick([
    "I cannot help with that.",
    "",
    '{"action":"continue","tool_call":{"name":"pay","arguments":{"line":"cut',
    '{"action":"done"}{"action":"done"}',
    '{"action":"DONE","goal_check":"x"}',
    '{"action":"continue","tool_call":"pay"}',
    '{"action":"confirm"}',
    '[{"action":"done"}]',
    '{"action":"abort"}',
  ]);

const NEEDS = ["write", "observation", "reply", "any", "none"] as const;

function planDecision(random: Random, mark: string): unknown {
  switch (random.weighted({ plan_done: 12, answer: 2, ask_user: 2, continue: 2, long: 1, abort: 1 })) {
    case "plan_done": {
      const steps = Array.from({ length: 1 + random.int(3) }, (_, i) => ({
        content: `${i % 2 === 0 ? "Read" : "Step"} ${i} of ${mark}`,
        ...(random.chance(0.5) ? { needs: random.pick(NEEDS) } : {}),
      }));
      return { action: "plan_done", speak: "A plan.", plan_steps: steps, ...firstCall(random, mark) };
    }
    case "answer":
      return { action: "answer", speak: `Hello ${mark}` };
    case "ask_user":
      return { action: "ask_user", speak: `Which one, ${mark}?` };
    case "continue":
      return { action: "continue", reason: "thinking" };
    case "abort":
      return { action: "abort", abort: { user_message: `That is not possible, ${mark}.` } };
    case "long":
      return { action: "plan_done", plan_steps: [{ content: "y".repeat(5000) }] };
  }
}

/** Returns a first call. Some of them read, some write, and one is unknown; only reads may run with the plan. */
function firstCall(random: Random, mark: string): object {
  if (!random.chance(0.3)) return {};
  const name = random.pick(["look", "look", "read_web", "note", "pay", "clarify", "pays"]);
  const args = name === "clarify" ? question(random, mark) : { line: `${mark} first` };
  return { tool_call: { name, arguments: args }, ...(random.chance(0.3) ? { finishes_step: true } : {}) };
}

const offersClientTool = ({ messages }: ModelRequest): boolean =>
  messages[0]?.content.includes(CLIENT_TOOL.description) ?? false;

function executeDecision(random: Random, request: ModelRequest, mark: string, n: number): unknown {
  const now = request.messages[3]?.content ?? "";
  const proven = /Possible now: .*\b(?:next_plan|done)\b/.test(now);
  const last = !/Current step: (\d+) of (\d+)/.test(now) || /Current step: (\d+) of \1/.test(now);
  const weights = {
    look: 10,
    read_web: 2,
    dump: 1,
    broken: 2,
    stall: 1,
    peek: 2,
    write: 18,
    clarify: 3,
    wrong_arguments: 2,
    unknown_tool: 2,
    repeat: 2,
    ask_user: 3,
    abort: 1,
    idle: 2,
    early: 3,
    large: 1,
    forward: proven ? 30 : 4,
  };
  const kind = random.weighted(weights);
  const call = (name: string, args: unknown, action = random.pick(["continue", "confirm"])): unknown => ({
    action,
    speak: `${name} for ${mark}`,
    tool_call: { name, arguments: args },
    ...(random.chance(0.25) ? { finishes_step: true } : {}),
  });
  switch (kind) {
    case "write": {
      const name = random.pick(WRITER_NAMES);
      const line = `${mark} ${n}${random.pick(["", "", "", "", " hookme", " askme", " denyme"])}`;
      // Some calls are repeated, so that remembered approvals are used.
      return n % 2 === 0 ? call(n % 6 === 0 ? "note" : "pay", { line: mark }) : call(name, { line });
    }
    case "clarify":
      return call("clarify", question(random, mark), "continue");
    case "wrong_arguments":
      return call(random.pick(["look", "pay", "mail"]), { line: n });
    case "unknown_tool":
      return call(random.pick(["pays", "rm_rf"]), { line: mark });
    case "repeat":
      return call("look", { line: `${mark} again` });
    case "ask_user":
      return { action: "ask_user", speak: `And now, ${mark}?` };
    case "abort":
      return { action: "abort", abort: { user_message: `It cannot be done, ${mark}.` } };
    case "idle":
      return { action: "continue", reason: "hm" };
    case "early":
      return random.pick([
        { action: "done", goal_check: "done" },
        { action: "next_plan", goal_check: "done" },
        { action: "done" },
      ]);
    case "forward":
      return {
        action: last ? "done" : "next_plan",
        goal_check: `as ${mark} wished`,
        ...(last && random.chance(0.3) ? { delivery: `Delivered at once for ${mark}.` } : {}),
      };
    case "large":
      return call(random.pick(["look", "pay", "drop"]), { line: `${mark} ${n}`, extra: "z".repeat(4200) });
    default:
      // A tool of the client is offered only in some threads.
      return n % 2 === 0 && offersClientTool(request)
        ? call(CLIENT_TOOL.name, { line: `${mark} ${n}` }, "continue")
        : call(kind, { line: `${mark} ${n}` });
  }
}

const question = (random: Random, mark: string): unknown => ({
  question: `Left or right, ${mark}?`,
  ...(random.chance(0.6) ? { choices: ["left", "right"] } : {}),
  ...(random.chance(0.4) ? { default: "left" } : {}),
  ...(random.chance(0.6) ? { expires_in_s: random.pick([0.001, 1, 30]) } : {}),
});

/** Brings every run to an end after the faults stop. */
function closingDecision(purpose: string, random: Random, mark: string, n: number): unknown {
  if (purpose === "plan") return { action: "answer", speak: `Enough, ${mark}.` };
  if (random.chance(0.3))
    return {
      action: "continue",
      speak: "one more",
      tool_call: { name: "note", arguments: { line: `${mark} last ${n}` } },
    };
  return { action: "abort", abort: { user_message: `Enough, ${mark}.` } };
}
