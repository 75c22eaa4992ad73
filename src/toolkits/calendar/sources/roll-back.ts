// Rolls back a change that the server did not fully accept: here immediately, and on the server for the part that it has
// stored.
import type { Result } from "../../../schema/problem.ts";
import type { StoredObject } from "../events/stored-object.ts";
import type { RemotePush } from "../store/head.ts";
import type { ObjectChange, OpenCalendar } from "../store/open-calendar.ts";
import { pushesFor } from "./pushes-for.ts";

/**
 * `serverObjects` has each object, by key, that the server changed, or null for one that it removed. The rollback keeps
 * these states. The requests in `dropped` are no longer sent.
 */
export async function rollBack(
  calendar: OpenCalendar,
  effect: string,
  serverObjects: ReadonlyMap<string, StoredObject | null> = new Map(),
  dropped: readonly RemotePush[] = [],
): Promise<Result<number>> {
  const { changes, pushes, source } = calendar.head;
  const all = await calendar.all();
  if (!all.ok) return all;
  const current = new Map(all.value.map((object) => [object.key, object]));
  const waiting = new Set(pushes.filter((push) => push.effect === effect).map(({ key }) => key));
  const was = changes.find(({ key }) => key === effect)?.before ?? {};
  const kept = [...serverObjects].map(([key, after]): ObjectChange => ({ before: current.get(key) ?? null, after }));
  const restored = Object.entries(was)
    .filter(([key]) => !serverObjects.has(key))
    .map(([key, { object }]) => {
      const before = current.get(key) ?? null;
      const isSent = !waiting.has(key);
      // An object that was sent has a new ETag on the server, or was removed there.
      const remote =
        object?.remote && isSent ? { ...object.remote, etag: before?.remote?.etag ?? null } : object?.remote;
      return { isSent, change: { before, after: object && { ...object, remote: remote ?? null } } };
    });
  const back = restored.filter(({ isSent }) => isSent).map(({ change }) => change);
  const more = source?.kind === "caldav" ? pushesFor(source, { changes: back, all: all.value }, `${effect}-back`) : [];
  const changed = [...kept, ...restored.map(({ change }) => change)].filter(({ before, after }) => before || after);
  return calendar.save(changed, null, {
    pushes: [...pushes.filter((push) => push.effect !== effect && !dropped.includes(push)), ...more],
    changes: changes.filter(({ key }) => key !== effect),
  });
}
