// Threads that are removed, written into a file, and moved: out, away, and in again.
import { EXPORT_TYPE } from "../../../src/schema/export.ts";
import type { ThreadAt } from "../../../src/schema/ids.ts";
import { errandOf } from "../errand.ts";
import { type ChangeScene, insistThere } from "./actions.ts";
import type { ThreadFile } from "./facts.ts";

const pathOf = ({ thread }: ThreadAt): string => `/v1/threads/${thread}`;

export async function removeThread(scene: ChangeScene, at: ThreadAt): Promise<boolean> {
  const { board } = scene.person;
  const answer = await insistThere(scene, errandOf(scene, { method: "DELETE", path: pathOf(at) }));
  if (answer && (answer.code === "ok" || answer.code === "thread_not_found")) {
    const place = board.threads.indexOf(at.thread);
    if (place >= 0) board.threads.splice(place, 1);
  }
  return true;
}

export async function exportThread(scene: ChangeScene, at: ThreadAt): Promise<ThreadFile | null> {
  const answer = await insistThere(scene, errandOf(scene, { method: "GET", path: `${pathOf(at)}/export` }));
  if (answer?.code !== "ok") return null;
  const file: ThreadFile = { at, text: answer.body, imported: null };
  scene.changes.files.push(file);
  return file;
}

/** Only what nobody has moved on since goes away, and comes back as it was. */
export async function moveThread(scene: ChangeScene, at: ThreadAt): Promise<boolean> {
  const { random, person } = scene;
  const file = await exportThread(scene, at);
  if (!file) return true;
  const version = file.text.split("\n").filter((line) => line.startsWith('{"version":')).length - 1;
  const away = await insistThere(scene, errandOf(scene, { method: "DELETE", path: pathOf(at), if_match: version }));
  if (away?.code !== "ok") return true;
  const before = scene.changes.removed.length;
  const request = errandOf(scene, { path: "/v1/import", type: EXPORT_TYPE, body: file.text });
  const back = random.chance(0.2)
    ? (await Promise.all([insistThere(scene, request), insistThere(scene, request)])).find((one) => one?.code === "ok")
    : await insistThere(scene, request);
  file.imported = back?.code === "ok" ? before : null;
  if (!person.board.threads.includes(at.thread)) person.board.threads.push(at.thread);
  return true;
}
