// What the platform gives the worker and its objects: Durable Objects, static assets, variables and secrets.
import type { DirectoryObject, ThreadObject } from "../../adapters/store-durable-object/create-store.ts";
import type { Namespace } from "../../adapters/store-durable-object/platform.ts";
import type { EphemeralEvent } from "../../schema/event.ts";
import type { ThreadRef } from "../../schema/ids.ts";
import type { Environment } from "../shared/config.ts";

/** Has the thread's rows and sockets, and receives live events for these sockets. */
export type ThreadStub = ThreadObject & {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Sends live events and returns the number of sockets that received them. */
  readonly live: (events: readonly EphemeralEvent[]) => Promise<number>;
  /** Sets the alarm again. Called if something in the thread may be overdue. */
  readonly rearmAlarm: (at: ThreadRef) => Promise<void>;
};

export type CloudflareEnv = {
  readonly THREADS: Namespace<ThreadStub>;
  readonly DIRECTORY: Namespace<DirectoryObject>;
  /** The console's files, if they were built. */
  readonly ASSETS?: { readonly fetch: (request: Request) => Promise<Response> };
};

/** Variables and secrets are strings. Other bindings are objects. */
export const stringVariables = (env: CloudflareEnv): Environment =>
  Object.fromEntries(
    Object.entries<unknown>(env).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );

/**
 * Creates a value from the variables and secrets, and again if one of them has changed: the platform may give a running
 * worker new ones without loading its code again. `onReplace` gets the earlier value.
 */
export function createPerVariables<T>(
  create: (env: CloudflareEnv) => T,
  onReplace: (before: T, env: CloudflareEnv) => void,
): (env: CloudflareEnv) => T {
  let held: { readonly variables: Environment; readonly value: T } | null = null;
  return (env) => {
    const variables = stringVariables(env);
    if (held && isSame(held.variables, variables)) return held.value;
    if (held) onReplace(held.value, env);
    held = { variables, value: create(env) };
    return held.value;
  };
}

function isSame(a: Environment, b: Environment): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
