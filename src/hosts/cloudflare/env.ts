// What the platform hands to the worker and its objects: two namespaces, files, and variables and secrets as texts.
import type { DirectoryObject, ThreadObject } from "../../adapters/store-durable-object/create-store.ts";
import type { Namespace } from "../../adapters/store-durable-object/platform.ts";
import type { EphemeralEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { Environment } from "../shared/config.ts";

/** A thread's object takes sockets besides its rows, and what is said to them. */
export type ThreadStub = ThreadObject & {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** How many heard it. */
  readonly live: (events: readonly EphemeralEvent[]) => Promise<number>;
  /** Something may be overdue: the alarm is set again. */
  readonly rearmAlarm: (at: ThreadRef) => Promise<void>;
};

export type CloudflareEnv = {
  readonly THREADS: Namespace<ThreadStub>;
  readonly DIRECTORY: Namespace<DirectoryObject>;
  /** The console's files; left out where it was not built. */
  readonly ASSETS?: { readonly fetch: (request: Request) => Promise<Response> };
};

/** Bindings are objects; whatever is a text was set by somebody. */
export const stringVariables = (env: CloudflareEnv): Environment =>
  Object.fromEntries(
    Object.entries<unknown>(env).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
