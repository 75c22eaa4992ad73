// Replaces the content of a calendar with an uploaded iCalendar file.
import { fail, ok, type Result } from "../../schema/problem.ts";
import type { RouteRequest } from "../../tools/route.ts";
import type { ImportReport } from "./schema/views.ts";
import type { OpenCalendar } from "./store/open-calendar.ts";

const IS_SYNCED = {
  caldav: "The calendar is connected to a calendar server",
  subscription: "The calendar is a subscription",
};

export async function importFile(
  request: RouteRequest,
  open: (request: RouteRequest) => Promise<Result<OpenCalendar>>,
): Promise<Result<ImportReport>> {
  const calendar = await open(request);
  if (!calendar.ok) return calendar;
  const { version, head } = calendar.value;
  const expected = request.headers["if-match"];
  if (expected !== undefined && expected !== "*" && expected !== `"${version}"`)
    return fail("version_mismatch", `The calendar is at version ${version}.`, { version });
  if (head.source !== null)
    return fail(
      "request_invalid",
      `${IS_SYNCED[head.source.kind]}, so no file can replace its content. Import the file into a calendar of its own.`,
    );
  const current = await calendar.value.all();
  if (!current.ok) return current;
  const known = new Map(current.value.map(({ key, seq }) => [key, seq]));
  const { importIcs } = await import("./ics/import-ics.ts");
  const read = importIcs(request.text, { zone: head.time_zone, known, nextSeq: head.next_seq });
  if (!read.ok) return read;
  const { report, ...content } = read.value;
  const text = `Imported ${report.events} events, ${report.series} series and ${report.todos} to-dos.`;
  const note = { key: `import ${version + 1}`, tool: "import", text, at: request.now, result: null };
  const saved = await calendar.value.replace(content, note, { outside: true });
  return saved.ok ? ok(report) : saved;
}
