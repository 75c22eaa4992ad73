// Parses a tool result once for all renderers.
import type { TaskChange } from "../../toolkits/timetable/schema/calendar.ts";
import type { CalendarView } from "../../toolkits/timetable/schema/calendar-view.ts";
import type { ToolResult } from "../thread/conversation.ts";

export type ParsedResult = {
  readonly text: string;
  readonly data: unknown;
  /** The changes of this call to the thread's calendar, or null if there are none. */
  readonly changes: readonly TaskChange[] | null;
  readonly effect_id: string | null;
  readonly calendar: CalendarView | null;
};

export function parseResult({ receipt, observation }: ToolResult, calendar: CalendarView | null): ParsedResult {
  const text = observation?.text ?? receipt.summary;
  const effect = calendar?.effects.find((one) => one.effect_id === receipt.effect_id);
  return {
    text,
    data: parse(text),
    changes: effect && effect.changes.length > 0 ? effect.changes : null,
    effect_id: receipt.effect_id,
    calendar,
  };
}

function parse(text: string): unknown {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
