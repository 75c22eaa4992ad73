// The object of one thread: its rows, its alarm and its sockets. Turns run in the worker that was called, and check the
// version here when they commit; only the alarm and the sockets run turns inside the object.
import { DurableObject } from "cloudflare:workers";
import { systemClock } from "../../adapters/clock-system.ts";
import { type Objects, type ThreadObject, threadName } from "../../adapters/store-durable-object/create-store.ts";
import { type SelfRows, selfRows } from "../../adapters/store-durable-object/self-rows.ts";
import { moves, tellLists } from "../../adapters/store-durable-object/tell-directory.ts";
import { type ThreadRows, threadRows } from "../../adapters/store-durable-object/thread-rows.ts";
import type { ThreadAt } from "../../schema/ids.ts";
import type { Result } from "../../schema/problem.ts";
import { variablesOf, type WorkerEnv } from "./env.ts";
import { createWorkerHost, type WorkerHost } from "./host.ts";
import { type HibernatingSocket, hearSocket, readSeat, tellSocket } from "./sockets.ts";
import { waiting, workOn } from "./work.ts";

type Tables = { readonly rows: ThreadRows; readonly self: SelfRows };

/** The directory did not answer, or the object ended before it could ask: tried again after this time. */
const TELL_AGAIN_MS = 5_000;
/** After a bug in some work, so that it does not come again at once and for ever. */
const BUG_PAUSE_MS = 60_000;
/** Answers are carried out one after another; a gate takes one, so more than a few at once mean no good. */
const HEARING_MAX = 16;

export class PawlThread extends DurableObject<WorkerEnv> {
  #tables: Tables | null = null;
  #host: WorkerHost | null = null;
  #telling: Promise<void> = Promise.resolve();
  #pushing: Promise<void> = Promise.resolve();
  #hearing: Promise<void> = Promise.resolve();
  #heard = 0;

  constructor(ctx: unknown, env: WorkerEnv) {
    super(ctx, env);
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'));
  }

  async rows(at: ThreadAt, method: keyof ThreadRows, args: readonly unknown[]): Promise<unknown> {
    const { rows, self } = this.#open();
    const result = (rows[method] as (...given: readonly unknown[]) => unknown)(...args);
    if (isReading(method) || !isDone(result)) return result;
    // Up to here nothing was waited for: the change, the debt and the alarm that reminds of it are one write.
    const { lists, waits } = moves(method, args);
    self.remember(at);
    if (lists) self.owe();
    if (lists || waits) await this.#setAlarm(at);
    if (lists) await this.#tell(at);
    if (method === "append" || method === "remove") await this.#push(at);
    return result;
  }

  /** Only the worker comes here, for a socket that it has let in. */
  async fetch(request: Request): Promise<Response> {
    const seat = readSeat(request);
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    ours.serializeAttachment(seat);
    await this.#push(seat.at);
    return new Response(null, { status: 101, webSocket: theirs } as ResponseInit);
  }

  async webSocketMessage(socket: HibernatingSocket, text: unknown): Promise<void> {
    const at = socket.deserializeAttachment()?.at;
    if (!at) return;
    if (this.#heard >= HEARING_MAX) return socket.close(1013, "too many answers at once");
    this.#heard += 1;
    this.#hearing = this.#hearing
      .then(() => hearSocket(this.#runtime(at), socket, text))
      .catch((error: unknown) => this.#bug(at, error))
      .finally(() => {
        this.#heard -= 1;
      });
    await this.#hearing;
  }

  async webSocketClose(socket: HibernatingSocket, code: number): Promise<void> {
    try {
      socket.close(code, "");
    } catch {
      // It was closed from both sides at once, or with a code that only the protocol itself may use.
    }
  }

  async alarm(): Promise<void> {
    const { rows, self } = this.#open();
    const at = self.at();
    if (!at) return;
    let pause = 0;
    try {
      await this.#tell(at);
      const due = waiting(rows, at).filter((one) => one.due_at <= this.#now());
      for (const one of due) await workOn(this.#runtime(at), one);
    } catch (error) {
      pause = BUG_PAUSE_MS;
      this.#bug(at, error);
    }
    if (this.#open().self.at()) await this.#setAlarm(at, this.#now() + pause);
  }

  /** One after another, each with the rows as they are then: the last word is the newest. */
  #tell(at: ThreadAt): Promise<void> {
    this.#telling = this.#telling.then(async () => {
      const { rows, self } = this.#open();
      const owed = self.owed();
      if (owed === null) return;
      try {
        await tellLists(this.env.DIRECTORY, rows, at);
        self.paid(owed);
        if (rows.head() === null) await this.#forget();
        else await this.#setAlarm(at);
      } catch (error) {
        // The turn is stored, and that is what counts; the alarm tells the lists.
        this.#bug(at, error);
      }
    });
    return this.#telling;
  }

  /** Nothing is left of a removed thread, not even empty tables. */
  async #forget(): Promise<void> {
    this.#tables = null;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  async #setAlarm(at: ThreadAt, earliest = 0): Promise<void> {
    const { rows, self } = this.#open();
    const times = waiting(rows, at).map((one) => one.due_at);
    if (self.owed() !== null) times.push(this.#now() + TELL_AGAIN_MS);
    if (times.length === 0) return this.ctx.storage.deleteAlarm();
    return this.ctx.storage.setAlarm(Math.max(earliest, Math.min(...times)));
  }

  /** One after another as well: otherwise two of them would send the same event. */
  #push(at: ThreadAt): Promise<void> {
    this.#pushing = this.#pushing.then(async () => {
      for (const socket of this.ctx.getWebSockets()) {
        await tellSocket(this.#runtime(at), socket).catch((error: unknown) => this.#bug(at, error));
      }
    });
    return this.#pushing;
  }

  #open(): Tables {
    const { storage } = this.ctx;
    this.#tables ??= { rows: threadRows(storage), self: selfRows(storage) };
    return this.#tables;
  }

  #runtime(at: ThreadAt): WorkerHost {
    if (this.#host) return this.#host;
    const made = createWorkerHost(this.#objects(at), variablesOf(this.env));
    if (!made.ok) throw new Error(`${made.problem.code}: ${made.problem.message}`);
    this.#host = made.value;
    return made.value;
  }

  /** To its own rows the way is short; to others it leads through the platform. */
  #objects(at: ThreadAt): Objects {
    const { THREADS, DIRECTORY } = this.env;
    const own = threadName(at);
    const mine = this as unknown as ThreadObject;
    return {
      directory: DIRECTORY,
      threads: {
        idFromName: (name) => (name === own ? mine : THREADS.idFromName(name)),
        get: (id) => (id === mine ? mine : THREADS.get(id)),
      },
    };
  }

  #now(): number {
    return systemClock.now();
  }

  #bug({ tenant, thread }: ThreadAt, error: unknown): void {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(JSON.stringify({ level: "error", msg: "bug", tenant, thread, error: told }));
  }
}

const READING: ReadonlySet<keyof ThreadRows> = new Set(["head", "meta", "load", "records", "getBlob", "deliveries"]);
const isReading = (method: keyof ThreadRows): boolean => READING.has(method);
const isDone = (result: unknown): boolean => (result as Result<unknown>).ok;
