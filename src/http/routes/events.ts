// The events of a thread: a page as JSON, or a stream that first tells what was missed and then what happens.
import { streamSSE } from "hono/streaming";
import { eventsAfter } from "../../threads/find-turn.ts";
import { revalidateCaller } from "../edge/caller.ts";
import { acceptsEventStream, readEventsAfter } from "../edge/headers.ts";
import type { Ctx } from "../env.ts";
import { toSseFrame } from "../live/stream-turn.ts";
import { PAGE_RECORDS, tailThread } from "../live/tail.ts";
import { respondProblem } from "../respond.ts";
import { threadAt } from "./threads.ts";

export async function getEvents(c: Ctx): Promise<Response> {
  const options = c.get("options");
  const caller = c.get("caller");
  const at = threadAt(c);
  if (!at.ok) return respondProblem(c, at.problem);
  const after = readEventsAfter(c);
  if (!after.ok) return respondProblem(c, after.problem);
  const first = await eventsAfter(options.rt, at.value, after.value, PAGE_RECORDS);
  if (!first.ok) return respondProblem(c, first.problem);
  if (!acceptsEventStream(c)) return c.json({ events: first.value, after: first.value.at(-1)?.seq ?? after.value });
  return streamSSE(c, async (stream) => {
    await tailThread(options, at.value, after.value, {
      send: async (event) => stream.writeSSE(toSseFrame(event)),
      keepAlive: async () => void (await stream.write(": keep-alive\n\n")),
      isClosed: () => stream.aborted || stream.closed || !revalidateCaller(caller).ok,
      onClose: (wake) => stream.onAbort(wake),
    });
  });
}
