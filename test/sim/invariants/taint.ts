// I20: text from outside taints its thread from then on. This is derived from receipts and from which tools read
// external text.
import type { ThreadRecord } from "../../../src/schema/record.ts";
import type { Evidence, StoredThread } from "../evidence.ts";
import { UNTRUSTED_TOOL } from "../tools.ts";

const bringsTaint = ({ entry }: ThreadRecord): boolean =>
  (entry.actor.startsWith("hook:") && (entry.create !== null || entry.input !== null)) ||
  entry.receipts.some(({ kind, output_trust }) => kind === "settled" && output_trust === "untrusted");

/** Reports whether a record before this version brought in untrusted text. */
export const isTaintedBefore = ({ records }: StoredThread, version: number): boolean =>
  records.some((record) => record.version < version && bringsTaint(record));

export const taintIsKept = ({ threads }: Evidence): readonly string[] =>
  threads.flatMap(({ at, records }) => {
    const first = records.findIndex(bringsTaint);
    const clean = first < 0 ? undefined : records.slice(first).find(({ state }) => state.taint === null);
    const trusted = records.flatMap(({ version, entry }) =>
      entry.receipts.some(
        ({ kind, name, success, output_trust }) =>
          kind === "settled" && name === UNTRUSTED_TOOL && success === true && output_trust !== "untrusted",
      )
        ? [`I20 ${at.thread}: record ${version} trusts text from outside`]
        : [],
    );
    return clean ? [...trusted, `I20 ${at.thread}: record ${clean.version} is not tainted`] : trusted;
  });
