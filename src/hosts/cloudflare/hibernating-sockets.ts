// Handles the sockets of one thread, which stay open while its object is evicted from memory. The caller and the last
// sent event are attached to each socket so that they survive this.
import { BODY_BYTES_MAX } from "../../http/edge/body.ts";
import { type AppOptions, withDefaults } from "../../http/env.ts";
import { respondToFrame } from "../../http/live/answer-frame.ts";
import { type Dialect, eventFrames } from "../../http/live/legacy-dialect.ts";
import { CLOSE_CODES } from "../../http/live/live-socket.ts";
import type { EphemeralEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import { ok } from "../../schema/problem.ts";
import { eventsAfter } from "../../threads/find-turn.ts";
import { eventsOf } from "../../turn/commit/events.ts";
import { readRecords } from "../../turn/load.ts";
import type { CallerReference } from "../shared/access.ts";
import type { CloudflareHost } from "./host.ts";

export type SocketAttachment = {
  readonly at: ThreadRef;
  /** Null for a socket that the worker opens for one of its streams, which receives only new events. */
  readonly caller: CallerReference | null;
  readonly request_id: string;
  /** The sequence number of the newest event that was sent, or -1 if there is none. */
  readonly after: number;
  /** The version of the record of that event, or null if none was sent yet. */
  readonly version: number | null;
  /** The dialect of the frames. The default is the current one. */
  readonly dialect?: Dialect;
};

export type HibernatingSocket = {
  readonly send: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  readonly serializeAttachment: (attachment: SocketAttachment) => void;
  readonly deserializeAttachment: () => SocketAttachment | null;
};

export const ATTACHMENT_HEADER = "x-pawl-seat";
const PAGE_RECORDS = 100;

type SocketHost = Pick<CloudflareHost, "rt" | "access">;

/** Closes the socket of a key that no longer exists: sockets outlive the instance that accepted them. */
function isRevoked(access: CloudflareHost["access"], socket: HibernatingSocket): boolean {
  const caller = socket.deserializeAttachment()?.caller;
  if (!caller || access.findCaller(caller).ok) return false;
  socket.close(CLOSE_CODES.unauthorized, "the key was revoked");
  return true;
}

export async function sendNewEvents({ rt, access }: SocketHost, socket: HibernatingSocket): Promise<void> {
  if (isRevoked(access, socket)) return;
  for (let attachment = socket.deserializeAttachment(); attachment; ) {
    const events = await eventsAfterAttachment(rt, attachment);
    if (!events.ok) {
      if (events.problem.code === "thread_not_found") socket.close(CLOSE_CODES.going_away, "the thread was deleted");
      return;
    }
    const last = events.value.at(-1);
    if (!last) return;
    const dialect = attachment.dialect ?? "current";
    for (const frame of events.value.flatMap((event) => eventFrames(event, dialect))) socket.send(frame);
    attachment = { ...attachment, after: last.seq, version: last.version };
    socket.serializeAttachment(attachment);
  }
}

/** Returns the number of sockets. Text of a turn that has already been committed is dropped. */
export function broadcastEvents(
  { access }: Pick<CloudflareHost, "access">,
  sockets: readonly HibernatingSocket[],
  events: readonly EphemeralEvent[],
  committedTurn: number,
): number {
  const current = events.filter(({ type, turn }) => !type.startsWith("speak.") || turn > committedTurn);
  for (const socket of sockets) {
    try {
      if (isRevoked(access, socket)) continue;
      const dialect = socket.deserializeAttachment()?.dialect ?? "current";
      for (const frame of current.flatMap((event) => eventFrames(event, dialect))) socket.send(frame);
    } catch {
      // The socket is closing; a client that reconnects gets the events from the log.
    }
  }
  return sockets.length;
}

/** The first page is found by sequence number, later ones by version, which costs a single read per page. */
async function eventsAfterAttachment(
  rt: SocketHost["rt"],
  { at, after, version }: SocketAttachment,
): Promise<ReturnType<typeof eventsAfter>> {
  if (version === null) return eventsAfter(rt, at, after, PAGE_RECORDS);
  const records = await readRecords(rt, at, version + 1, version + PAGE_RECORDS);
  if (!records.ok) return records;
  return ok(records.value.flatMap((record) => eventsOf(at.thread, record)).filter((event) => event.seq > after));
}

export async function handleSocketMessage(
  host: CloudflareHost,
  socket: HibernatingSocket,
  text: unknown,
): Promise<void> {
  const attachment = socket.deserializeAttachment();
  if (!attachment?.caller) return;
  if (typeof text !== "string") return socket.close(CLOSE_CODES.not_text, "text frames only");
  if (text.length > BODY_BYTES_MAX) return socket.close(CLOSE_CODES.too_large, "the frame is too large");
  const caller = host.access.findCaller(attachment.caller);
  if (!caller.ok) return socket.close(CLOSE_CODES.unauthorized, "the key was revoked");
  await host.prepare();
  const options: AppOptions = withDefaults(host.settings, []);
  const { at, request_id } = attachment;
  const answer = await respondToFrame({ options, at, caller: caller.value, request_id }, text);
  socket.send(JSON.stringify(answer));
}

/** The attachment can be trusted, because only the worker can reach the object. */
export function readAttachment(request: Request): SocketAttachment {
  const header = request.headers.get(ATTACHMENT_HEADER);
  if (header === null) throw new Error("a socket request has no attachment");
  return JSON.parse(header) as SocketAttachment;
}
