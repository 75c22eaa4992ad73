// Renames, removes, exports and moves threads. A move exports a thread, removes it and imports it again.
import { EXPORT_TYPE } from "../../../src/schema/export.ts";
import type { ThreadRef } from "../../../src/schema/ids.ts";
import { apiRequest } from "../api-request.ts";
import { type ChangeContext, sendUntilAccepted } from "./actions.ts";
import type { ExportedThread } from "./changes-state.ts";

const pathOf = ({ thread }: ThreadRef): string => `/v1/threads/${thread}`;

export async function renameThread(context: ChangeContext, at: ThreadRef): Promise<boolean> {
  const body = JSON.stringify({ title: `Title ${context.person.name}.${context.i}` });
  await sendUntilAccepted(context, apiRequest(context, { method: "PATCH", path: pathOf(at), body }));
  return true;
}

export async function removeThread(context: ChangeContext, at: ThreadRef): Promise<boolean> {
  const { shared } = context.person;
  const answer = await sendUntilAccepted(context, apiRequest(context, { method: "DELETE", path: pathOf(at) }));
  if (answer && (answer.code === "ok" || answer.code === "thread_not_found")) {
    const index = shared.threads.indexOf(at.thread);
    if (index >= 0) shared.threads.splice(index, 1);
  }
  return true;
}

export async function exportThread(context: ChangeContext, at: ThreadRef): Promise<ExportedThread | null> {
  const answer = await sendUntilAccepted(context, apiRequest(context, { method: "GET", path: `${pathOf(at)}/export` }));
  if (answer?.code !== "ok") return null;
  const file: ExportedThread = { at, text: answer.body, imported: null };
  context.changes.files.push(file);
  return file;
}

/** Moves a thread only if no client has advanced it since. It must come back unchanged. */
export async function moveThread(context: ChangeContext, at: ThreadRef): Promise<boolean> {
  const { random, person } = context;
  const file = await exportThread(context, at);
  if (!file) return true;
  const version = file.text.split("\n").filter((line) => line.startsWith('{"version":')).length - 1;
  const removal = await sendUntilAccepted(
    context,
    apiRequest(context, { method: "DELETE", path: pathOf(at), if_match: version }),
  );
  if (removal?.code !== "ok") return true;
  const before = context.changes.removed.length;
  const request = apiRequest(context, { path: "/v1/import", type: EXPORT_TYPE, body: file.text });
  const imported = random.chance(0.2)
    ? (await Promise.all([sendUntilAccepted(context, request), sendUntilAccepted(context, request)])).find(
        (one) => one?.code === "ok",
      )
    : await sendUntilAccepted(context, request);
  file.imported = imported?.code === "ok" ? before : null;
  if (!person.shared.threads.includes(at.thread)) person.shared.threads.push(at.thread);
  return true;
}
