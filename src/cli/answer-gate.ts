// Shows a gate in the terminal, with everything that the user decides about, and reads the user's answer. Never answers
// a gate by itself.
import type { AskedQuestion, QuestionAnswer } from "../schema/decision/questions.ts";
import type { Gate } from "../schema/gate.ts";
import type { TurnInput } from "../schema/input.ts";
import { t } from "./messages/messages.ts";
import { colorize, escapeControl, indent, jsonText, printLine } from "./output.ts";
import { planLines } from "./plan-lines.ts";
import type { TerminalInput } from "./terminal-input.ts";

/** "leave" leaves the gate open. */
export type UserAction = { readonly input: TurnInput } | "show" | "leave";

type GateOf<K extends Gate["kind"]> = Extract<Gate, { kind: K }>;

export function answerGate(terminal: TerminalInput, gate: Gate): Promise<UserAction> {
  switch (gate.kind) {
    case "plan":
      return approvePlan(terminal, gate);
    case "confirmation":
      return approveCall(terminal, gate);
    case "question":
      return answerQuestion(terminal, gate);
    case "doubt":
      return resolveDoubt(terminal, gate);
    case "external":
      return answerCall(terminal, gate);
    case "suspend":
      return resumeRole(terminal, gate);
  }
}

/** Every prompt accepts these commands. */
export function parseCommand(line: string | null): UserAction | null {
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

async function askUntilValid(
  terminal: TerminalInput,
  question: string,
  read: (line: string) => UserAction | Promise<UserAction | null> | null,
) {
  for (;;) {
    const line = await terminal.ask(question);
    const action = parseCommand(line) ?? (await read((line ?? "").trim()));
    if (action) return action;
    printLine(colorize("dim", t().alsoCommands));
  }
}

const YES = /^(a|y|approve|yes)$/i;
const NO = /^(r|n|reject|no)$/i;
const EDIT = /^(e|edit)$/i;

async function approvePlan(terminal: TerminalInput, gate: GateOf<"plan">): Promise<UserAction> {
  printLine(colorize("yellow", t().planWaits));
  printLine(indent(planLines(gate.steps, null)));
  return askUntilValid(terminal, t().approvePlan, (line) => confirm(terminal, gate, line));
}

async function approveCall(terminal: TerminalInput, gate: GateOf<"confirmation">): Promise<UserAction> {
  printLine(colorize("yellow", t().callWaits(escapeControl(gate.call.name))));
  printLine(indent(escapeControl(gate.text)));
  if (gate.preview) printLine(indent(escapeControl(gate.preview)));
  // `shown` is already escaped in such a way that no part of the arguments is hidden.
  printLine(indent(escapeControl(gate.shown || JSON.stringify(gate.call.arguments, null, 2))));
  for (const reason of gate.reasons) printLine(colorize("dim", t().why(escapeControl(reason.text))));
  if (gate.expires_at) printLine(colorize("dim", t().expires(gate.expires_at)));
  return askUntilValid(terminal, t().approveCall, (line) =>
    EDIT.test(line) ? editCall(terminal, gate) : confirm(terminal, gate, line),
  );
}

async function confirm(
  terminal: TerminalInput,
  gate: GateOf<"plan"> | GateOf<"confirmation">,
  line: string,
): Promise<UserAction | null> {
  const gateFields = { type: "confirm", gate_id: gate.id, digest: gate.digest } as const;
  if (YES.test(line)) return { input: { ...gateFields, decision: "approve" } };
  if (!NO.test(line)) return null;
  const reason = await terminal.ask(t().whyNot);
  if (reason === null) return "leave";
  return { input: { ...gateFields, decision: "reject", ...(reason.trim() ? { reason: reason.trim() } : {}) } };
}

async function editCall(terminal: TerminalInput, gate: GateOf<"confirmation">): Promise<UserAction | null> {
  const line = await terminal.ask(t().editArguments, jsonText(gate.call.arguments));
  if (line === null) return "leave";
  const edited_arguments = parseObject(line);
  if (!edited_arguments) {
    printLine(colorize("red", t().notAnObject));
    return null;
  }
  const { id: gate_id, digest } = gate;
  return { input: { type: "confirm", gate_id, digest, decision: "approve", edited_arguments } };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

async function answerQuestion(terminal: TerminalInput, gate: GateOf<"question">): Promise<UserAction> {
  if (gate.questions) return answerQuestions(terminal, gate.id, gate.questions);
  printLine(colorize("yellow", `\n${escapeControl(gate.text)}`));
  for (const [i, choice] of gate.choices.entries()) printLine(`  ${i + 1}. ${escapeControl(choice)}`);
  if (gate.default !== null) printLine(colorize("dim", t().enterFor(escapeControl(gate.default))));
  const gateFields = { type: "answer", gate_id: gate.id } as const;
  return askUntilValid(terminal, t().answer, (line) => {
    const choice = /^\d+$/.test(line) ? gate.choices[Number(line) - 1] : gate.choices.find((one) => one === line);
    if (choice !== undefined) return { input: { ...gateFields, choice } };
    const text = line || gate.default;
    return text ? { input: { ...gateFields, text } } : null;
  });
}

/** Asks the questions one by one, and sends all answers together after the last question. */
async function answerQuestions(
  terminal: TerminalInput,
  gate_id: string,
  questions: readonly AskedQuestion[],
): Promise<UserAction> {
  const answers: QuestionAnswer[] = [];
  for (const { question, choices, multiple } of questions) {
    printLine(colorize("yellow", `\n${escapeControl(question)}`));
    for (const [i, choice] of choices.entries()) printLine(`  ${i + 1}. ${escapeControl(choice)}`);
    let answer: QuestionAnswer | null = null;
    const action = await askUntilValid(terminal, multiple ? t().answerSeveral : t().answer, (line) => {
      answer = readAnswer(line, choices, multiple);
      return answer && { input: { type: "answer", gate_id, answers: [...answers, answer] } };
    });
    // `answer` is null if the user entered a command such as /quit. The questions then end without sending anything.
    if (answer === null) return action;
    answers.push(answer);
  }
  return { input: { type: "answer", gate_id, answers } };
}

/** Reads numbers or the text of choices, or free text. Null if the line is empty or a number is not a valid choice. */
function readAnswer(line: string, choices: readonly string[], multiple: boolean): QuestionAnswer | null {
  if (line === "") return null;
  if (choices.includes(line)) return { choices: [line] };
  const numbers = choices.length > 0 && /^\d+(?:[\s,]+\d+)*$/.test(line) ? line.split(/[\s,]+/).map(Number) : null;
  if (!numbers) return { text: line };
  const chosen = [...new Set(numbers)].map((number) => choices[number - 1]);
  if (chosen.includes(undefined) || (chosen.length > 1 && !multiple)) return null;
  return { choices: chosen.filter((choice) => choice !== undefined) };
}

/** Normally the program that declared the tool sends the result, but the user may enter it instead. */
async function answerCall(terminal: TerminalInput, gate: GateOf<"external">): Promise<UserAction> {
  printLine(colorize("yellow", `\n${escapeControl(gate.text)}`));
  printLine(indent(escapeControl(JSON.stringify(gate.call.arguments, null, 2))));
  const gateFields = { type: "tool_result", gate_id: gate.id, digest: gate.digest } as const;
  return askUntilValid(terminal, t().toolResult, (line) => (line ? { input: { ...gateFields, output: line } } : null));
}

async function resumeRole(terminal: TerminalInput, gate: GateOf<"suspend">): Promise<UserAction> {
  printLine(colorize("yellow", t().roleWaits(escapeControl(gate.role), escapeControl(gate.text))));
  return askUntilValid(terminal, t().answer, (line) =>
    line || gate.failed ? { input: { type: "resume", supplement: line } } : null,
  );
}

async function resolveDoubt(terminal: TerminalInput, gate: GateOf<"doubt">): Promise<UserAction> {
  printLine(colorize("red", t().doubt(escapeControl(gate.call.name))));
  printLine(indent(escapeControl(gate.text)));
  printLine(indent(escapeControl(JSON.stringify(gate.call.arguments, null, 2))));
  const gateFields = { type: "resolve", gate_id: gate.id } as const;
  return askUntilValid(terminal, t().resolveDoubt, (line) => {
    if (/^h(appened)?$/i.test(line)) return { input: { ...gateFields, outcome: "happened" } };
    if (/^n(ot happened|ot)?$/i.test(line)) return { input: { ...gateFields, outcome: "not_happened" } };
    if (/^a(gain)?$/i.test(line)) return { input: { ...gateFields, outcome: "try_again" } };
    return /^x$/i.test(line) ? { input: { ...gateFields, outcome: "abort" } } : null;
  });
}
