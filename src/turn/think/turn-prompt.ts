// Builds the prompt of a turn. If it is built again later from the same record, it has the same bytes.
import type { Model, ModelReply, Purpose } from "../../ports/model.ts";
import { buildPrompt, type Prompt } from "../../prompt/build-prompt.ts";
import { buildSystemPrompt } from "../../prompt/system-prompt.ts";
import type { Result } from "../../schema/problem.ts";
import type { Correction, Entry, Thread } from "../../schema/record.ts";
import type { ThreadState } from "../../schema/thread.ts";
import type { ResolvedTools } from "../../tools/resolve.ts";
import { formatTime } from "../../tools/time-zone.ts";
import { escalationText } from "../act/escalation-rules.ts";
import type { Runtime } from "../runtime.ts";
import { promptHash, systemPromptHash } from "./prompt-hash.ts";

/** The current time as the model reads it. It comes from the record, so that the prompt can be rebuilt later. */
export function promptTime({ time_zone = "UTC", locale = null }: Runtime["config"], at: string): string {
  const text = minuteText(Math.floor(Date.parse(at) / MS_PER_MINUTE), time_zone);
  return locale === null ? text : `${text}; locale of the user: ${locale}`;
}

const MS_PER_MINUTE = 60_000;

/** Caches the formatted times of recent minutes, because many turns share a minute, and looking up a time zone takes longer than formatting the rest. */
const minuteTexts = new Map<string, string>();
const MINUTES_MAX = 500;

function minuteText(minute: number, zone: string): string {
  const key = `${minute} ${zone}`;
  const known = minuteTexts.get(key);
  if (known !== undefined) return known;
  const text = formatTime(minute * MS_PER_MINUTE, zone).replace(/:\d\d (?=\S+ \(UTC)/, " ");
  if (minuteTexts.size >= MINUTES_MAX) minuteTexts.clear();
  minuteTexts.set(key, text);
  return text;
}

type PromptRequest = {
  readonly model: Model;
  /** The corrections of this turn so far. */
  readonly corrections: readonly Correction[];
  /** Ratio of measured to estimated tokens. */
  readonly factor: number;
  readonly purpose: Purpose;
  /** The time of the record that this turn will write. */
  readonly at: string;
  /** The prompt of the workflow role. It is part of message [0], because it stays the same during a visit. */
  readonly role_prompt?: string | null;
};

export function buildTurnPrompt(
  rt: Runtime,
  promptThread: Thread,
  { tools, known }: ResolvedTools,
  { model, purpose, corrections, factor, at, role_prompt }: PromptRequest,
): Result<Prompt> {
  const { window, max_output_tokens } = model;
  const agent = rt.config.agents[promptThread.state.agent];
  const escalation = escalationText(agent?.escalation ?? []);
  const more = [escalation, role_prompt].filter(Boolean);
  const instructions =
    more.length > 0 ? [agent?.instructions ?? "", ...more].join("\n\n") : (agent?.instructions ?? null);
  const { mode } = promptThread.state.machine;
  const system =
    rt.cache?.system_prompts.build(rt.hash, tools, mode, instructions) ?? buildSystemPrompt(tools, mode, instructions);
  const facts = { purpose, system, known, corrections, now: promptTime(rt.config, at) };
  return buildPrompt(promptThread, tools, { window, max_output_tokens, factor }, facts);
}

export const estimateFactor = (state: ThreadState, model: Model): number =>
  state.estimate?.model === model.name ? state.estimate.factor : 1;

/** The part of a sent prompt that is stored in the record. */
export const sentPrompt = (
  rt: Pick<Runtime, "hash">,
  prompt: Prompt,
  reply: Pick<ModelReply, "roles">,
): NonNullable<Entry["prompt"]> => ({
  now: prompt.now ?? "",
  hash: promptHash(rt.hash, systemPromptHash(rt.hash, prompt.system), prompt),
  ...(reply.roles && { roles: reply.roles }),
});
