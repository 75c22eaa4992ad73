// A gate in the terminal: shown with everything it decides about, answered by a person. Never answers by itself.
import type { Gate } from "../schema/gate.ts";
import type { TurnInput } from "../schema/input.ts";
import type { Asker } from "./ask.ts";
import { planLines } from "./plan-lines.ts";
import { indent, paint, plain, say } from "./screen.ts";

/** What a person wants: an input for the thread, a look at it, or to leave it waiting. */
export type Wish = { readonly input: TurnInput } | "show" | "leave";

type Of<K extends Gate["kind"]> = Extract<Gate, { kind: K }>;

export function answerGate(asker: Asker, gate: Gate): Promise<Wish> {
  switch (gate.kind) {
    case "plan":
      return approvePlan(asker, gate);
    case "confirmation":
      return approveCall(asker, gate);
    case "question":
      return answerQuestion(asker, gate);
    case "doubt":
      return resolveDoubt(asker, gate);
  }
}

/** Words that mean the same everywhere; null: nobody is there. */
export function common(line: string | null): Wish | null {
  switch (line?.trim()) {
    case undefined:
    case "/quit":
      return "leave";
    case "/show":
      return "show";
    case "/cancel":
      return { input: { type: "cancel" } };
    default:
      return null;
  }
}

/** Asks until an answer means something. */
async function insist(asker: Asker, question: string, read: (line: string) => Wish | Promise<Wish | null> | null) {
  for (;;) {
    const line = await asker.ask(question);
    const wish = common(line) ?? (await read((line ?? "").trim()));
    if (wish) return wish;
    say(paint("dim", "  Also: /show, /cancel the run, /quit and leave it waiting."));
  }
}

const YES = /^(a|y|approve|yes)$/i;
const NO = /^(r|n|reject|no)$/i;
const EDIT = /^(e|edit)$/i;

async function approvePlan(asker: Asker, gate: Of<"plan">): Promise<Wish> {
  say(paint("yellow", "\nThe plan waits for you:"));
  say(indent(planLines(gate.steps, null)));
  return insist(asker, "Approve the plan? [a]pprove, [r]eject: ", (line) => confirm(asker, gate, line));
}

async function approveCall(asker: Asker, gate: Of<"confirmation">): Promise<Wish> {
  say(paint("yellow", `\nA call waits for you: ${plain(gate.call.name)}`));
  say(indent(plain(gate.text)));
  // Already written so that nothing in it is hidden.
  say(indent(plain(gate.shown || JSON.stringify(gate.call.arguments, null, 2))));
  for (const reason of gate.reasons) say(paint("dim", `  why: ${plain(reason.text)}`));
  if (gate.expires_at) say(paint("dim", `  until ${gate.expires_at}`));
  return insist(asker, "Do it? [a]pprove, [r]eject, [e]dit: ", (line) =>
    EDIT.test(line) ? editCall(asker, gate) : confirm(asker, gate, line),
  );
}

async function confirm(asker: Asker, gate: Of<"plan"> | Of<"confirmation">, line: string): Promise<Wish | null> {
  const bound = { type: "confirm", gate_id: gate.id, digest: gate.digest } as const;
  if (YES.test(line)) return { input: { ...bound, decision: "approve" } };
  if (!NO.test(line)) return null;
  const reason = await asker.ask("Why not? (Enter for no reason) ");
  if (reason === null) return "leave";
  return { input: { ...bound, decision: "reject", ...(reason.trim() ? { reason: reason.trim() } : {}) } };
}

async function editCall(asker: Asker, gate: Of<"confirmation">): Promise<Wish | null> {
  const line = await asker.ask("Arguments as JSON: ", JSON.stringify(gate.call.arguments));
  if (line === null) return "leave";
  const edited_arguments = readObject(line);
  if (!edited_arguments) {
    say(paint("red", "That is no JSON object; nothing was sent."));
    return null;
  }
  const { id: gate_id, digest } = gate;
  return { input: { type: "confirm", gate_id, digest, decision: "approve", edited_arguments } };
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

async function answerQuestion(asker: Asker, gate: Of<"question">): Promise<Wish> {
  say(paint("yellow", `\n${plain(gate.text)}`));
  for (const [i, choice] of gate.choices.entries()) say(`  ${i + 1}. ${plain(choice)}`);
  if (gate.default !== null) say(paint("dim", `  Enter for: ${plain(gate.default)}`));
  const bound = { type: "answer", gate_id: gate.id } as const;
  return insist(asker, "Your answer: ", (line) => {
    const choice = /^\d+$/.test(line) ? gate.choices[Number(line) - 1] : gate.choices.find((one) => one === line);
    if (choice !== undefined) return { input: { ...bound, choice } };
    const text = line || gate.default;
    return text ? { input: { ...bound, text } } : null;
  });
}

async function resolveDoubt(asker: Asker, gate: Of<"doubt">): Promise<Wish> {
  say(paint("red", `\nNobody knows whether this happened: ${plain(gate.call.name)}`));
  say(indent(plain(gate.text)));
  say(indent(plain(JSON.stringify(gate.call.arguments, null, 2))));
  const bound = { type: "resolve", gate_id: gate.id } as const;
  return insist(
    asker,
    "Look, then say: it [h]appened, did [n]ot happen, try [a]gain, [x] give up the run: ",
    (line) => {
      if (/^h(appened)?$/i.test(line)) return { input: { ...bound, outcome: "happened" } };
      if (/^n(ot happened|ot)?$/i.test(line)) return { input: { ...bound, outcome: "not_happened" } };
      if (/^a(gain)?$/i.test(line)) return { input: { ...bound, outcome: "try_again" } };
      return /^x$/i.test(line) ? { input: { ...bound, outcome: "abort" } } : null;
    },
  );
}
