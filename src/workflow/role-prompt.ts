// Builds the prompt of a role at the beginning of a visit. The result is stored with the thread, so it can be shown later.
import type { Role } from "./definition.ts";
import { formatInstruction } from "./format-instruction.ts";

/** Texts of earlier steps in a prompt; the newest are shown first, and at least one. */
export const HISTORY_CHARS_MAX = 32_000;

/** An earlier step, as shown in the prompt of a role. */
export type PastStep = {
  readonly n: number;
  readonly role: string;
  readonly output: Readonly<Record<string, unknown>>;
  readonly body: string;
};

export type Visit = {
  readonly thread: string;
  /** Number of this step, from 1 on. */
  readonly n: number;
  /** How often the role was visited before. */
  readonly visits: number;
  readonly task: string;
  /** The steps since the last visit of the role; all of them on the first visit. Newest first. */
  readonly since: readonly PastStep[];
  /** Steps that are not in `since` because there are too many. */
  readonly more: number;
  /** The moderator's instruction of a visit that is repeated with another one. */
  readonly earlier?: string;
  /** The moderator's instruction. */
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

/** The role saw the texts of older steps already, and its instruction quotes what it needs of the newer ones. */
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

/** Returns at least the newest step, shortened if it is too long on its own. */
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
