// List cursors are opaque to clients and bound to a filter. They contain no tenant, so they reveal no other tenant's rows.
import * as z from "zod";
import { ThreadId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

const Cursor = z.tuple([z.iso.datetime(), ThreadId, z.string()]);

/** `time` is the value by which the list is ordered: the creation or the last change. */
export const writeCursor = (time: string, thread: ThreadId, filter: string): string =>
  btoa(JSON.stringify([time, thread, filter]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export function readCursor(
  text: string | undefined,
  filter: string,
): Result<{ time: string; thread: ThreadId } | null> {
  if (text === undefined) return ok(null);
  try {
    const parsed = Cursor.safeParse(JSON.parse(atob(text.slice(0, 400).replaceAll("-", "+").replaceAll("_", "/"))));
    if (parsed.success && parsed.data[2] === filter) return ok({ time: parsed.data[0], thread: parsed.data[1] });
  } catch {
    // Fall through: this server did not create a cursor that cannot be decoded.
  }
  return fail("cursor_invalid", "The cursor does not belong to this list.", { field: "cursor" });
}
