// Tests that a listener that subscribes in the middle of a turn gets the whole text so far.
import { expect, test } from "vitest";
import { createHub } from "../../../src/http/live/hub.ts";
import type { LiveEvent } from "../../../src/schema/event.ts";
import type { TenantId, ThreadId } from "../../../src/schema/ids.ts";

const at = { tenant: "acme" as TenantId, thread: "thr_1" as ThreadId };
const event = (fields: object): LiveEvent => ({ thread: "thr_1", turn: 3, ...fields }) as LiveEvent;

function listen(hub: ReturnType<typeof createHub>): readonly string[] {
  const heard: string[] = [];
  hub.subscribe(at, (one) => heard.push("text" in one ? `${one.type} ${one.text}` : one.type));
  return heard;
}

test("a late listener gets the start, the text in one piece and the running tool", () => {
  const hub = createHub();
  hub.publish(at, event({ type: "turn.started" }));
  for (const text of ["The first ", "half "]) hub.publish(at, event({ type: "speak.delta", text }));
  hub.publish(at, event({ type: "tool.started", name: "look", operation_id: "op" }));
  const heard = listen(hub);
  expect(heard).toEqual(["turn.started", "speak.delta The first half ", "tool.started"]);
  hub.publish(at, event({ type: "speak.delta", text: "and more" }));
  expect(heard.at(-1)).toBe("speak.delta and more");
  expect(listen(hub)[1]).toBe("speak.delta The first half and more");
});

test("discarded text, finished tools and committed turns are not repeated", () => {
  const hub = createHub();
  hub.publish(at, event({ type: "turn.started" }));
  hub.publish(at, event({ type: "speak.delta", text: "wrong" }));
  hub.publish(at, event({ type: "speak.discarded", reason: "no proof" }));
  hub.publish(at, event({ type: "tool.started", name: "look", operation_id: "op" }));
  hub.publish(at, event({ type: "tool.completed", seq: 1 }));
  expect(listen(hub)).toEqual(["turn.started"]);
  hub.publish(at, event({ type: "turn.committed", seq: 2 }));
  expect(listen(hub)).toEqual([]);
});

test("many running turns do not fill the memory", () => {
  const hub = createHub();
  for (let i = 0; i < 1500; i++)
    hub.publish({ ...at, thread: `thr_${i}` as ThreadId }, event({ type: "turn.started" }));
  const counted = Array.from({ length: 1500 }, (_, i) => {
    let heard = 0;
    hub.subscribe({ ...at, thread: `thr_${i}` as ThreadId }, () => heard++)();
    return heard;
  });
  expect(counted.reduce((sum, one) => sum + one, 0)).toBe(1000);
  expect(counted.at(-1)).toBe(1);
});
