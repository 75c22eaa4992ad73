// Computes the hash by which a rebuilt prompt is compared with the one that was sent. Records store it, so no existing form of it may change.
import type { Hash } from "../../ports/hash.ts";
import type { ModelMessage } from "../../ports/model.ts";
import type { Prompt } from "../../prompt/build-prompt.ts";
import type { SystemPrompt } from "../../prompt/system-prompt.ts";
import { rowText } from "../../prompt/window.ts";
import type { FullRow } from "../../prompt/window-entry.ts";

type HashedPrompt = Pick<Prompt, "messages" | "record">;

const HASH_CHARS = 32;
/** Marks a hash in which whole observations are represented by their own hashes; without it, every message is hashed whole. */
const BY_ROWS = "rows-";

/** Observations make up most of a prompt, so each is hashed once, not in every turn that shows it. */
export function promptHash(hash: Hash, systemHash: string, { messages, record }: HashedPrompt): string {
  const [, dialogue, window, state] = messages;
  const rows = record.rows.map((row) => (row.form === "whole" ? fullRowHash(hash, row) : row.text));
  const lines = [record.header, ...rows].join("\n");
  const text = `${systemHash}\n${head(dialogue)}${dialogue.content}\n${head(window)}${lines}\n${head(state)}${state.content}`;
  return BY_ROWS + hash.sha256(text).slice(0, HASH_CHARS);
}

/** Includes the length, so that joined messages are unambiguous. */
const head = ({ role, content }: ModelMessage): string => `${role} ${content.length}\n`;

function fullRowHash(hash: Hash, row: FullRow): string {
  if (row.hashed === null) {
    const text = rowText(row);
    row.hashed = `whole ${text.length} ${hash.sha256(text)}`;
  }
  return row.hashed;
}

/** True if the prompt matches `stored`, the hash in a record, in either form. */
export const isSamePrompt = (hash: Hash, stored: string, systemHash: string, prompt: HashedPrompt): boolean =>
  stored === (stored.startsWith(BY_ROWS) ? promptHash : textsHash)(hash, systemHash, prompt);

/** The form that earlier records store. It hashes all messages, each after its role and length. */
export function textsHash(hash: Hash, systemHash: string, { messages }: Pick<Prompt, "messages">): string {
  const texts = messages.slice(1).map((message) => `\n${head(message)}${message.content}`);
  return hash.sha256(`${systemHash}${texts.join("")}`).slice(0, HASH_CHARS);
}

export const systemPromptHash = (hash: Hash, system: SystemPrompt): string => system.hash ?? hash.sha256(system.text);
