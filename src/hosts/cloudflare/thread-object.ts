// The Durable Object of one thread, with its rows, alarm and sockets. Most turns run in the worker that received the
// request and check the version here when they commit. Only the alarm and answers on sockets run turns here.
import { DurableObject } from "cloudflare:workers";
import { systemClock } from "../../adapters/clock-system.ts";
import {
  type ObjectNamespaces,
  type ThreadObject,
  threadName,
} from "../../adapters/store-durable-object/create-store.ts";
import { selfRows } from "../../adapters/store-durable-object/self-rows.ts";
import {
  directoryChanges,
  METHODS_WITHOUT_SYNC,
  type Tables,
} from "../../adapters/store-durable-object/sync-directory.ts";
import { type ThreadRows, threadRows } from "../../adapters/store-durable-object/thread-rows.ts";
import type { Hub } from "../../http/live/hub.ts";
import type { EphemeralEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { Result } from "../../schema/problem.ts";
import type { Extension } from "../shared/extension.ts";
import { createDirectorySync, isDirectoryStale } from "./directory-sync.ts";
import { drainDue, repairDueTimes } from "./drain-due.ts";
import { type CloudflareEnv, stringVariables } from "./env.ts";
import {
  broadcastEvents,
  type HibernatingSocket,
  handleSocketMessage,
  readAttachment,
  sendNewEvents,
} from "./hibernating-sockets.ts";
import { type CloudflareHost, createCloudflareHost } from "./host.ts";

/** The delay before another sync if the directory did not respond, or if this object was ended before it did. */
const SYNC_RETRY_MS = 5_000;
/** The pause after a bug, so that the same work is not retried immediately and endlessly. */
const ERROR_PAUSE_MS = 60_000;
/** A gate takes one answer, so more waiting frames than this are misuse. */
const PENDING_MESSAGES_MAX = 16;

export class PawlThread extends DurableObject<CloudflareEnv> {
  #tables: Tables | null = null;
  #host: CloudflareHost | null = null;
  #nudge = Promise.withResolvers<void>();
  #pushing: Promise<void> = Promise.resolve();
  #answering: Promise<void> = Promise.resolve();
  #pendingMessages = 0;
  #directorySync = createDirectorySync({
    target: () => ({ directory: this.env.DIRECTORY, prefix: this.prefix() }),
    tables: () => this.#open(),
    onSynced: async () => (this.#open().rows.head() === null ? this.#forget() : this.#setAlarm()),
    onError: (at, error) => this.#bug(at, error),
  });

  constructor(ctx: unknown, env: CloudflareEnv) {
    super(ctx, env);
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'));
  }

  /** The prefix of the names of all objects, because several stores may share the two namespaces. */
  protected prefix(): string {
    return "";
  }

  /** A custom worker overrides this. */
  protected extensions(): readonly Extension[] {
    return [];
  }

  async rows(at: ThreadRef, method: keyof ThreadRows, args: readonly unknown[]): Promise<unknown> {
    const { rows, self } = this.#open();
    const result = (rows[method] as (...given: readonly unknown[]) => unknown)(...args);
    if (METHODS_WITHOUT_SYNC.has(method) || !(result as Result<unknown>).ok) return result;
    // Nothing has been awaited so far, so the change, the mark of the pending sync and the alarm are one atomic write.
    const { lists, waits } = directoryChanges(method, args);
    self.saveIdentity(at);
    if (lists) self.markDirty();
    if (lists || waits) await this.#setAlarm();
    if (waits) this.#nudge.resolve();
    if (lists || waits) await this.#directorySync.sync(at);
    if (method === "append" || method === "remove") await this.#push(at);
    return result;
  }

  /** Receives live events of a turn that runs elsewhere. New sockets get earlier events first. */
  async live(events: readonly EphemeralEvent[]): Promise<number> {
    await this.#pushing;
    const sockets = this.ctx.getWebSockets();
    const at = sockets[0]?.deserializeAttachment()?.at;
    return at ? broadcastEvents(this.#runtime(at), sockets, events, this.#open().rows.headTurn()) : 0;
  }

  /** For an alarm that was lost or that a wrong clock set. Also reports the due time to the directory. */
  async rearmAlarm(at: ThreadRef): Promise<void> {
    if (this.#open().self.at()) {
      await this.#repair(at);
      await this.#setAlarm();
    }
    await this.#directorySync.resync(at);
  }

  /** Accepts sockets from the worker only, for an authorized client or for one of the worker's own streams. */
  async fetch(request: Request): Promise<Response> {
    const attachment = readAttachment(request);
    const { 0: clientSocket, 1: serverSocket } = new WebSocketPair();
    this.ctx.acceptWebSocket(serverSocket);
    serverSocket.serializeAttachment(
      attachment.caller === null ? { ...attachment, version: this.#open().rows.head() } : attachment,
    );
    await this.#push(attachment.at);
    return new Response(null, { status: 101, webSocket: clientSocket } as ResponseInit);
  }

  async webSocketMessage(socket: HibernatingSocket, text: unknown): Promise<void> {
    const at = socket.deserializeAttachment()?.at;
    if (!at) return;
    if (this.#pendingMessages >= PENDING_MESSAGES_MAX) return socket.close(1013, "too many answers at once");
    this.#pendingMessages += 1;
    this.#answering = this.#answering
      .then(() => handleSocketMessage(this.#runtime(at), socket, text))
      .catch((error: unknown) => this.#bug(at, error))
      .finally(() => {
        this.#pendingMessages -= 1;
      });
    await this.#answering;
  }

  async webSocketClose(socket: HibernatingSocket, code: number): Promise<void> {
    try {
      socket.close(code, "");
    } catch {
      // The socket may have been closed from both sides at once, or with a code that is reserved for the protocol.
    }
  }

  async alarm(): Promise<void> {
    const at = this.#open().self.at();
    if (!at) return;
    await this.#directorySync.sync(at);
    const healthy = await this.#work(at);
    await this.#repair(at);
    const { rows, self } = this.#open();
    if (!self.at()) return;
    // Reported once at the end, so that the directory does not list a thread without due work.
    if (self.reportedDueAt() !== rows.nextDue()) await this.#directorySync.resync(at);
    if (this.#open().self.at()) await this.#setAlarm(healthy ? 0 : systemClock.now() + ERROR_PAUSE_MS);
  }

  /** False if the work must not be retried immediately: after a bug, or if jobs are disabled. */
  async #work(at: ThreadRef): Promise<boolean> {
    try {
      const host = this.#runtime(at);
      if (!host.jobs.enabled) return false;
      const whenMoreWork = (): Promise<void> => {
        this.#nudge = Promise.withResolvers();
        return this.#nudge.promise;
      };
      return await drainDue(host, at, {
        rows: () => this.#open().rows,
        whenMoreWork,
        onError: (error) => this.#bug(at, error),
      });
    } catch (error) {
      this.#bug(at, error);
      return false;
    }
  }

  async #repair(at: ThreadRef): Promise<void> {
    try {
      await repairDueTimes(this.#runtime(at), at, this.#open().rows);
    } catch (error) {
      this.#bug(at, error);
    }
  }

  /** Runs after the thread was removed. Deletes empty tables, too. */
  async #forget(): Promise<void> {
    this.#tables = null;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  async #setAlarm(earliest = 0): Promise<void> {
    const tables = this.#open();
    const next = tables.rows.nextDue();
    const times = next === null ? [] : [next];
    if (isDirectoryStale(tables)) times.push(systemClock.now() + SYNC_RETRY_MS);
    if (times.length === 0) return this.ctx.storage.deleteAlarm();
    // The platform does not accept alarm times below one millisecond.
    return this.ctx.storage.setAlarm(Math.max(1, earliest, Math.min(...times)));
  }

  /** Pushes run one at a time, because concurrent ones would send events twice. */
  #push(at: ThreadRef): Promise<void> {
    this.#pushing = this.#pushing.then(async () => {
      for (const socket of this.ctx.getWebSockets()) {
        await sendNewEvents(this.#runtime(at), socket).catch((error: unknown) => this.#bug(at, error));
      }
    });
    return this.#pushing;
  }

  #open(): Tables {
    const { storage } = this.ctx;
    this.#tables ??= { rows: threadRows(storage), self: selfRows(storage) };
    return this.#tables;
  }

  #runtime(at: ThreadRef): CloudflareHost {
    if (this.#host) return this.#host;
    const made = createCloudflareHost({
      objects: this.#objects(at),
      env: stringVariables(this.env),
      hub: this.#hub(),
      extensions: this.extensions(),
    });
    if (!made.ok) throw new Error(`${made.problem.code}: ${made.problem.message}`);
    this.#host = made.value;
    return made.value;
  }

  /** Turns that run in this object publish directly to its own sockets. */
  #hub(): Hub {
    return {
      publish: (_at, event) => void ("seq" in event || this.live([event])),
      subscribe: () => () => undefined,
    };
  }

  /** This object is called directly, and all others through the platform. */
  #objects(at: ThreadRef): ObjectNamespaces {
    const { THREADS, DIRECTORY } = this.env;
    const ownName = threadName(at);
    const ownObject = this as unknown as ThreadObject;
    return {
      directory: DIRECTORY,
      threads: {
        idFromName: (name) => (name === ownName ? ownObject : THREADS.idFromName(name)),
        get: (id) => (id === ownObject ? ownObject : THREADS.get(id)),
      },
    };
  }

  #bug({ tenant, thread }: ThreadRef, error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(JSON.stringify({ level: "error", msg: "bug", tenant, thread, error: detail }));
  }
}
