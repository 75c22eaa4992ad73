// Builds the prompt of a role at the beginning of a visit. The result is stored with the thread, so that it can be shown later.
import type { Role } from "./definition.ts";
import { formatInstruction } from "./format-instruction.ts";

/** Limits the text of earlier steps in a prompt. The newest steps come first, and at least one is shown. */
export const HISTORY_CHARS_MAX = 32_000;

export type PastStep = {
  readonly n: number;
  readonly role: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly body: string;
};

export type Visit = {
  readonly thread: string;
  /** The number of this step, starting at 1. */
  readonly n: number;
  /** How often the role was visited before. */
  readonly visits: number;
  readonly task: string;
  /** The steps since the last visit of the role, newest first. On the first visit, all of them. */
  readonly since: readonly PastStep[];
  /** Number of steps that are not in `since` because there are too many. */
  readonly more: number;
  /** The moderator's first instruction, if this visit repeats one with another instruction. */
  readonly earlier?: string;
  readonly instruction: string;
  readonly location: string | null;
};

export function rolePrompt(name: string, role: Role, visit: Visit): string {
  return [
    formatInstruction(role.frontmatter),
    progress(name, visit),
    section("Goal", role.goal),
    section("Capabilities", role.capabilities.map((one) => `- ${one}`).join("\n")),
    section("Prepare", role.prepare),
    section("Procedure", role.procedure),
    section("Output", role.output),
    section("Task", visit.task),
    visit.visits > 0 ? sinceLastVisit(visit) : history(visit),
    section("Folder", visit.location ?? ""),
    section("Earlier instruction", visit.earlier ?? ""),
    section("Instruction", visit.instruction),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const section = (title: string, text: string): string => (text.trim() === "" ? "" : `## ${title}\n${text.trim()}`);

const progress = (name: string, { thread, n, visits }: Visit): string =>
  section(
    "Thread progress",
    `Thread ${thread}, step ${n}. You are the role ${name}. Earlier visits of this role: ${visits}.`,
  );

/** The role has seen older steps, and its instruction quotes what it needs from the newer ones. */
function sinceLastVisit({ since, more }: Visit): string {
  const shown = newestThatFit(since, ({ n, role, output }) => `- Step ${n}, ${role}: ${JSON.stringify(output)}`);
  const left = omitted(more + since.length - shown.length);
  return section("Since your last visit", [...left, ...shown.toReversed()].join("\n"));
}

function history({ since, more }: Visit): string {
  const shown = newestThatFit(
    since,
    ({ n, role, output, body }) => `### Step ${n}: ${role}\n${JSON.stringify(output)}\n\n${body}`,
  );
  return section(
    "What happened so far, newest first",
    [...shown, ...omitted(more + since.length - shown.length)].join("\n\n"),
  );
}

/** At least one step is shown; it is shortened if it is too long. */
function newestThatFit(steps: readonly PastStep[], textOf: (step: PastStep) => string): readonly string[] {
  let left = HISTORY_CHARS_MAX;
  const shown: string[] = [];
  for (const step of steps) {
    const text = textOf(step);
    if (shown.length > 0 && text.length > left) break;
    shown.push(text.length > left ? `${text.slice(0, left)}…` : text);
    left -= text.length;
  }
  return shown;
}

const omitted = (count: number): readonly string[] => (count > 0 ? [`(${count} earlier steps are left out.)`] : []);
