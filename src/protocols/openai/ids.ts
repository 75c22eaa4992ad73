// Creates and parses the ids of OpenAI's objects. Each id contains the thread, so these objects are not stored
// separately.
import { ThreadId } from "../../schema/ids.ts";
import type { Entry, Thread } from "../../schema/record.ts";
import { parseRunId, runId, suffixOf } from "../shared/stored-run.ts";

const threadOf = (suffix: string | undefined): ThreadId | null => ThreadId.safeParse(`thr_${suffix}`).data ?? null;

export const conversationId = (thread: string): string => `conv_${suffixOf(thread)}`;
export const conversationThread = (id: string): ThreadId | null =>
  id.startsWith("conv_") ? threadOf(id.slice("conv_".length)) : null;

export const responseId = (thread: string, version: number): string => runId("resp", thread, version);
export const parseResponseId = (id: string) => parseRunId("resp", id);

/** Some clients identify the thread only by the items of their history, so these ids contain the thread too. */
export const itemId = (prefix: string, thread: string, id: string): string => `${prefix}_${suffixOf(thread)}_${id}`;

const ITEM_ID = /^(?:msg|mcp|mcpr|fc|call)_([0-9a-z]{26})_(.+)$/;

export const threadOfItem = (id: string | undefined): ThreadId | null => threadOf(ITEM_ID.exec(id ?? "")?.[1]);

/** Item ids of earlier releases contain no thread. */
export const gateOfItem = (id: string | undefined): string | undefined =>
  ITEM_ID.exec(id ?? "")?.[2] ?? id?.replace(/^mcpr_/, "");

/**
 * Any input begins a response, and so does the goal of a new thread. A cancellation does not, because it ends the
 * current response.
 */
export const beginsResponse = ({ input, create }: Entry): boolean =>
  input ? input.type !== "cancel" : Boolean(create?.goal);

export const newestResponseStart = ({ entries, version }: Thread): number =>
  entries.findLast(({ entry }) => beginsResponse(entry))?.version ?? version;
