// Runs a planned change as a tool. It refuses a change that is bound to fail, previews any other as before and after,
// and saves it once per key.
import * as z from "zod";
import { retryConflict } from "../../../ports/retry.ts";
import { type Failed, fail, ok, type Result } from "../../../schema/problem.ts";
import { defineTool, type Tool, type ToolContext } from "../../../tools/define-tool.ts";
import type { Outcome } from "../../../tools/outcome.ts";
import { EventChange, type PlannedChange } from "../changes/planned-change.ts";
import type { Sources } from "../sources/pull.ts";
import { sendPushes } from "../sources/push.ts";
import { pushesFor } from "../sources/pushes-for.ts";
import { rollBack } from "../sources/roll-back.ts";
import type { CalendarChange } from "../store/head.ts";
import { refuse } from "./arguments.ts";
import { openSession, type Session, type SessionContext, withTrust } from "./session.ts";

/** Concurrent writers of the same calendar are rare; more conflicts than this are reported. */
const SAVE_ATTEMPTS = 8;

export const WriteOutput = z.object({ text: z.string(), changes: z.array(EventChange) });
type Written = z.infer<typeof WriteOutput>;

export type WriteSpec<I> = {
  readonly name: string;
  readonly description: string;
  readonly hint: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly input: z.ZodType<I>;
  readonly also_named?: readonly string[];
  /** Reads the calendar and returns the change to save, or the reason for a refusal. Changes nothing. */
  readonly plan: (session: Session, input: I) => Promise<Result<PlannedChange>>;
  /** Saves the change in another way than by storing the planned objects. */
  readonly save?: (session: Session, note: Note) => Promise<Result<number>>;
};

type Note = Pick<CalendarChange, "key" | "tool" | "text" | "at" | "result">;
type AnyInput = { readonly calendar?: string | undefined };

export const CALENDAR_MANIFEST = {
  toolset: "calendar",
  category: "scheduling",
  scope: "LOCAL_STATE",
  timeout_ms: 15_000,
  // The result itself is marked as untrusted if it contains text that other people wrote.
  output_trust: "trusted",
  render: (output: { readonly text: string }) => output.text,
} as const;

function writeTool<I extends AnyInput>(sources: Sources, spec: WriteSpec<I>): Tool {
  const planned = async (input: I, context: ToolContext) => {
    const session = await openSession(sources, context, input.calendar);
    if (!session.ok) return { session: null, plan: session };
    return { session: session.value, plan: await planIfWritable(spec, session.value, input) };
  };
  return defineTool(
    {
      ...CALENDAR_MANIFEST,
      name: spec.name,
      description: spec.description,
      prompt_hint: spec.hint,
      examples: [{ arguments: { ...spec.example }, result: null }],
      tags: ["calendar", "write"],
      ...(spec.also_named && { also_named: [...spec.also_named] }),
      input: spec.input,
      output: WriteOutput,
      permission: "WRITE",
      effect: "keyed",
      requires_confirmation: true,
      // A connected calendar sends the change to its server, which may notify the attendees.
      outward: sources.dav !== undefined,
      check: async (input, context) => {
        const { session, plan } = await planned(input, context);
        if (plan.ok) return null;
        return session ? withTrust(session, plan) : plan;
      },
      preview: async (input, context) => {
        const { plan } = await planned(input, context);
        return plan.ok ? previewOf(plan.value.text) : null;
      },
      reconcile: async (input, key, context) => {
        const session = await openSession(sources, context, input.calendar);
        const isSent = session.ok && !session.value.calendar.head.pushes.some(({ effect }) => effect === key);
        const done = isSent ? changeOf(session.value, key) : null;
        // An unknown key proves nothing, because the first attempt may still be saving. A resend is safe.
        return done && session.ok
          ? { happened: true, output: done, ...(session.value.calendar.head.outside && UNTRUSTED) }
          : null;
      },
    },
    (input, context) => write(sources, spec, input, context),
  );
}

/** A write tool whose calls can be previewed. The type of its arguments is hidden, so that one list can hold them all. */
export type PreviewableTool = {
  readonly name: string;
  readonly tool: (sources: Sources) => Tool;
  readonly plan: (sources: Sources, context: SessionContext, args: unknown) => Promise<Result<PlannedCall>>;
};
/** `plan` fails if the call would be refused. */
export type PlannedCall = { readonly session: Session; readonly plan: Result<PlannedChange> };

export const previewableTool = <I extends AnyInput>(spec: WriteSpec<I>): PreviewableTool => ({
  name: spec.name,
  tool: (sources) => writeTool(sources, spec),
  plan: async (sources, context, args) => {
    const input = spec.input.safeParse(args);
    const session = await openSession(sources, context, input.success ? input.data.calendar : undefined);
    if (!session.ok) return session;
    const issue = input.success ? null : input.error.issues[0];
    const plan = input.success
      ? await planIfWritable(spec, session.value, input.data)
      : refuse(`${issue?.path.join(".")}: ${issue?.message}`);
    return ok({ session: session.value, plan });
  },
});

const planIfWritable = async <I>(spec: WriteSpec<I>, session: Session, input: I): Promise<Result<PlannedChange>> =>
  session.calendar.head.source?.kind === "subscription"
    ? refuse("This calendar is a subscription, which can only be read. Use another calendar for changes.")
    : spec.plan(session, input);

const UNTRUSTED = { output_trust: "untrusted" } as const;

const INFINITIVES = {
  Created: "Create",
  Moved: "Move",
  Updated: "Update",
  Cancelled: "Cancel",
  Planned: "Plan",
  Swapped: "Swap",
  Undone: "Undo",
};

/** Rewords the text of a result as a planned change, without the numbers that new events would get. */
export const previewOf = (text: string): string =>
  text
    .replace(/^\w+/, (verb) => INFINITIVES[verb as keyof typeof INFINITIVES] ?? verb)
    .replace(/ \[e\d+@[^\]]+\](?=\.|$)/gm, "");

const changeOf = ({ calendar }: Session, key: string): Written | null => {
  const change = calendar.head.changes.find((one) => one.key === key);
  const result = WriteOutput.safeParse(change?.result);
  return change && result.success ? result.data : null;
};

/** Sends the waiting changes of a connected calendar. If its server does not respond, the runtime sends the call again. */
async function sendAllPushes(
  sources: Sources,
  session: Session,
  key: string,
  result: Written,
): Promise<Result<Written | Failed | Outcome<Written | Failed>>> {
  const { source } = session.calendar.head;
  if (source?.kind !== "caldav" || !sources.dav) return ok(withTrust(session, result));
  const target = { store: sources.store, dav: sources.dav };
  const { at } = session.calendar;
  const sent = await sendPushes(target, at);
  if (sent.ok) return ok(withTrust(session, result));
  if (sent.problem.code === "outcome_unknown") return sent;
  const isConflict = sent.problem.code === "calendar_changed";
  // Unless there was a conflict, the server refused the change, which is therefore rolled back here, too.
  const newest = isConflict ? null : await sources.store.open(at);
  if (newest?.ok) await rollBack(newest.value, key);
  // Rolls back the part that the server has stored. If that fails, it is rolled back with the next change.
  const back = await sendPushes(target, at);
  const left = isConflict ? await sources.store.open(at) : null;
  // If the call's own change is still stored, the conflict belonged to an earlier call with waiting changes.
  if (back.ok && left?.ok && left.value.head.changes.some((one) => one.key === key))
    return ok(withTrust(session, result));
  const rest = back.ok ? "" : " A part of it is still on the calendar server and is taken back with the next change.";
  const text = isConflict ? sent.problem.message : `${sent.problem.message} Nothing was changed.`;
  return ok(withTrust(session, fail("tool_refused", `${text}${rest}`)));
}

async function write<I extends AnyInput>(
  sources: Sources,
  spec: WriteSpec<I>,
  input: I,
  context: ToolContext,
): Promise<Written | Failed | Outcome<Written | Failed>> {
  const key = context.idempotency_key;
  // A keyed tool always gets its key. Without one, a resend could not be distinguished from a new request.
  if (key === null) throw new Error(`${spec.name} was called without an idempotency key`);
  const written = await retryConflict<Written | Failed | Outcome<Written | Failed>>(
    "calendar_moved",
    async () => {
      const session = await openSession(sources, context, input.calendar);
      if (!session.ok) return session;
      const done = changeOf(session.value, key);
      if (done) return sendAllPushes(sources, session.value, key, done);
      const plan = await planIfWritable(spec, session.value, input);
      if (!plan.ok) return plan.problem.code === "tool_refused" ? ok(withTrust(session.value, plan)) : plan;
      const { text, shown, changes } = plan.value;
      const result: Written = { text, changes: [...shown] };
      const note = { key, tool: spec.name, text, at: context.now(), result };
      const { calendar } = session.value;
      // Text that a tainted thread writes is untrusted for all other threads.
      const outside = calendar.head.outside || context.tainted === true;
      const { source, pushes } = calendar.head;
      const isConnected = source?.kind === "caldav";
      const all = isConnected ? await calendar.all() : ok([]);
      if (!all.ok) return all;
      const sent = { changes, all: all.value };
      const more = isConnected ? { pushes: [...pushes, ...pushesFor(source, sent, key)] } : {};
      const saved = spec.save
        ? await spec.save(session.value, note)
        : await calendar.save(changes, note, { outside, ...more });
      return saved.ok ? sendAllPushes(sources, session.value, key, result) : saved;
    },
    SAVE_ATTEMPTS,
  );
  return written.ok ? written.value : written;
}
