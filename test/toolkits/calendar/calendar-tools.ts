// Provides the calendar toolkit on a store in memory, with one calendar and its tools ready to call.

import type { DocumentStore } from "../../../src/ports/documents.ts";
import { LOCAL_TENANT } from "../../../src/schema/ids.ts";
import { succeeded } from "../../../src/testing/expect.ts";
import { occurrencesIn } from "../../../src/toolkits/calendar/events/occurrences.ts";
import { exportIcs } from "../../../src/toolkits/calendar/ics/export-ics.ts";
import type { Sources } from "../../../src/toolkits/calendar/sources/pull.ts";
import { createCalendarStore } from "../../../src/toolkits/calendar/store/calendar-store.ts";
import { OFFICE_HOURS } from "../../../src/toolkits/calendar/store/head.ts";
import { calendarTools } from "../../../src/toolkits/calendar/tools/tools.ts";
import { isOutcome } from "../../../src/tools/outcome.ts";
import { createMemoryDocuments } from "../../support/documents-memory.ts";
import { aContext } from "../../support/tool-context.ts";

export const ZONE = "Europe/Berlin";
/** Monday, 2 March 2026, 08:00 in Berlin. */
export const MONDAY = Date.UTC(2026, 2, 2, 7);

export type Answer = { readonly ok: boolean; readonly text: string; readonly trusted: boolean; readonly data: unknown };

export async function startCalendar(
  documents: DocumentStore = createMemoryDocuments(),
  now = MONDAY,
  more: Partial<Sources> = {},
) {
  const store = createCalendarStore(documents);
  const settings = {
    name: "Work",
    time_zone: ZONE,
    working_hours: OFFICE_HOURS,
    owner: "ada",
    created_at: 0,
    key: null,
  };
  const { entry } = succeeded(await store.create(LOCAL_TENANT, { ...settings, make_default: true }));
  const at = { tenant: LOCAL_TENANT, calendar: entry.id };
  const tools = calendarTools({ store, ...more });
  let calls = 0;

  const find = (name: string) => {
    const tool = tools.find((one) => one.manifest.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool;
  };
  const context = (key: string | null, over: object = {}) =>
    aContext({ idempotency_key: key, now: () => now, ...over });
  const answerOf = (value: unknown): Answer => {
    const [inner, trusted] = isOutcome(value) ? [value.value, value.more.output_trust !== "untrusted"] : [value, true];
    const result = inner as { ok?: boolean; problem?: { message: string; code: string }; text?: string };
    if (result.ok === false) return { ok: false, text: result.problem?.message ?? "", trusted, data: result.problem };
    return { ok: true, text: result.text ?? "", trusted, data: inner };
  };

  /** Calls a tool as the runtime does: invalid arguments are refused before the tool sees them. */
  const call = async (name: string, args: object, { key = `eff_${++calls}`, over = {} } = {}): Promise<Answer> => {
    const tool = find(name);
    const input = tool.input.safeParse(args);
    if (!input.success) return { ok: false, text: input.error.message, trusted: true, data: null };
    return answerOf(await tool.run(input.data, context(tool.manifest.permission === "READ" ? null : key, over)));
  };
  const check = async (name: string, args: object): Promise<Answer | null> => {
    const tool = find(name);
    const objection = await tool.check?.(tool.input.parse(args), context(null));
    return objection ? answerOf(objection) : null;
  };
  const preview = async (name: string, args: object) =>
    find(name).preview?.(find(name).input.parse(args), context(null));
  const reconcile = async (name: string, args: object, key: string) =>
    find(name).reconcile?.(find(name).input.parse(args), key, context(key));

  const occurrences = async (from = MONDAY - 40 * 86_400_000, to = MONDAY + 400 * 86_400_000) => {
    const objects = succeeded(await succeeded(await store.open(at)).all());
    return occurrencesIn(objects, { from, to }, ZONE);
  };
  const file = async () => {
    const calendar = succeeded(await store.open(at));
    return exportIcs(succeeded(await calendar.all()), succeeded(await calendar.kept()));
  };
  return { store, at, tools, call, check, preview, reconcile, occurrences, file };
}
