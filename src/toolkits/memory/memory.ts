// Defines what an agent remembers across threads. A memory belongs to a tenant and an agent and has versions.
import * as z from "zod";
import type { TenantId } from "../../schema/ids.ts";
import { OutputTrust } from "../../schema/receipt.ts";

export const MEMORIES_MAX = 10_000;
export const TEXT_CHARS_MAX = 2_000;
/** The number of earlier versions that stay readable. */
export const PREVIOUS_MAX = 5;

export const MemoryName = z
  .string()
  .trim()
  .normalize("NFC")
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} _.-]{0,62}[\p{L}\p{N}])?$/u, "must be 1 to 64 letters, digits, spaces, _ . or -");

export const MemoryVersion = z.object({
  version: z.int().min(1),
  text: z.string(),
  /** Untrusted if it was saved in a thread that had read untrusted text. */
  trust: OutputTrust,
  thread: z.string(),
  saved_at: z.iso.datetime(),
});
export type MemoryVersion = z.infer<typeof MemoryVersion>;

/** A version with the effect of the call that saved it, so that a resent call saves nothing twice. */
const StoredVersion = MemoryVersion.extend({ effect: z.string() });
export const Memory = StoredVersion.extend({ name: z.string(), previous: z.array(StoredVersion) });
export type Memory = z.infer<typeof Memory>;

export type MemoryOwner = { readonly tenant: TenantId; readonly agent: string };

/** The last saved memory first, and then by name, so that the order never depends on where memories are stored. */
export const byAge = (a: Memory, b: Memory): number =>
  b.saved_at.localeCompare(a.saved_at, "en") || (a.name < b.name ? -1 : Number(a.name > b.name));
