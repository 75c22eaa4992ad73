// Creates and parses the ids of OpenAI's objects. Each id contains the thread, and that of a response also the version
// at which the response began, so these objects are not stored separately.
import { ThreadId } from "../../schema/ids.ts";
import type { Entry, Thread } from "../../schema/record.ts";

const suffixOf = (thread: string): string => thread.slice("thr_".length);
const threadOf = (suffix: string | undefined): ThreadId | null => ThreadId.safeParse(`thr_${suffix}`).data ?? null;

export const conversationId = (thread: string): string => `conv_${suffixOf(thread)}`;
export const conversationThread = (id: string): ThreadId | null =>
  id.startsWith("conv_") ? threadOf(id.slice("conv_".length)) : null;

export const responseId = (thread: string, version: number): string => `resp_${suffixOf(thread)}_${version}`;

export type ResponseRef = { readonly thread: ThreadId; readonly version: number };

export function parseResponseId(id: string): ResponseRef | null {
  const [, suffix, version] = /^resp_([^_]+)_(\d{1,9})$/.exec(id) ?? [];
  const thread = threadOf(suffix);
  return thread ? { thread, version: Number(version) } : null;
}

/**
 * Creates the id of an item. It contains the thread too, because some clients identify the thread only by the items of
 * their history.
 */
export const itemId = (prefix: string, thread: string, id: string): string => `${prefix}_${suffixOf(thread)}_${id}`;

const ITEM_ID = /^(?:msg|mcp|mcpr|fc|call)_([0-9a-z]{26})_(.+)$/;

export const threadOfItem = (id: string | undefined): ThreadId | null => threadOf(ITEM_ID.exec(id ?? "")?.[1]);

/** Returns the id of the gate that an item answers. Item ids of earlier releases contain no thread. */
export const gateOfItem = (id: string | undefined): string | undefined =>
  ITEM_ID.exec(id ?? "")?.[2] ?? id?.replace(/^mcpr_/, "");

/**
 * Reports whether an entry begins a response. Any input does, except for a cancellation, which ends the current
 * response.
 */
export const beginsResponse = ({ input }: Entry): boolean => input !== null && input.type !== "cancel";

/** Returns the version at which the newest response began. */
export const newestResponseStart = ({ entries, version }: Thread): number =>
  entries.findLast(({ entry }) => beginsResponse(entry))?.version ?? version;
