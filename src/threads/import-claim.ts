// Lets only one import at a time store data under the id of a thread. Toolkit data is written before the records. Without a claim, an import that
// loses the race for the id could replace the data of the winner, and a thread that is created later would show the data of an import that stopped.
import * as z from "zod";
import type { DocumentRef } from "../ports/documents.ts";
import { retryUnavailable } from "../ports/retry.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { lastsUntil } from "../schema/jobs/time-limit.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

type ClaimRuntime = Pick<Runtime, "clock" | "ids" | "documents">;
type CreateRuntime = ClaimRuntime & Pick<Runtime, "store" | "companions">;

/** Lifetime of a claim. It is longer than any import takes; afterwards, another file can take the id. */
export const IMPORT_CLAIM_MS = 600_000;
const RETRY_AFTER_S = 5;

/**
 * `first`: the commit of the file's first record, by which its thread is recognized. `cleared`: a create has removed what the import left.
 */
const StoredClaim = z.object({
  file: z.string(),
  first: z.string().optional(),
  cleared: z.boolean().optional(),
  owner: z.string(),
  until: z.number(),
});
type StoredClaim = z.infer<typeof StoredClaim>;

const placeOf = ({ tenant, thread }: ThreadRef): DocumentRef => ({ tenant, kind: "import_claim", id: thread });
const isHeld = ({ until }: StoredClaim, now: number): boolean => lastsUntil(until, now, IMPORT_CLAIM_MS);

/** The `file` of a claim that a create made instead of an import. The claim stays, so that a late import finds that its own was replaced. */
const NO_FILE = "";

export type ImportClaim = {
  /** True if an import of another file stopped early and may have left toolkit data. */
  readonly replaces: boolean;
  /** True if an import of the same file stopped early or is still running. */
  readonly repeats: boolean;
  /** Fails if another request has taken over the claim. */
  readonly confirm: () => Promise<Result<void>>;
  /** True if another request has taken over the claim. The stored toolkit data may then belong to that request. */
  readonly isTaken: () => Promise<Result<boolean>>;
};

const UNCLAIMED: ImportClaim = {
  replaces: false,
  repeats: false,
  confirm: async () => ok(undefined),
  isTaken: async () => ok(false),
};

/** `id` identifies the content; `first` is the commit of its first record. */
type ClaimedFile = { readonly id: string; readonly first: string | undefined };

/**
 * Calls `write` while holding the claim. The same file takes over the claim at once, because that completes an interrupted import; another file is
 * refused while the claim lasts. A host without documents has no toolkit data to protect. `refusal` is set if the import cannot succeed. Such an
 * import keeps the claim of another file, because only a repetition of that file removes its data.
 */
export async function withImportClaim<T>(
  rt: ClaimRuntime,
  at: ThreadRef,
  { id: file, first }: ClaimedFile,
  refusal: Failed | null,
  write: (claim: ImportClaim) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { documents } = rt;
  if (!documents) return refusal ?? write(UNCLAIMED);
  const place = placeOf(at);
  const owner = rt.ids.make("cmt");
  const now = rt.clock.now();
  const loaded = await documents.load(place);
  if (!loaded.ok) return loaded;
  const found = StoredClaim.safeParse(loaded.value?.value).data ?? null;
  if (refusal && found?.file !== file) return refusal;
  if (found && found.file !== file && isHeld(found, now)) return refused(at);
  const claim: StoredClaim = { file, first, owner, until: now + IMPORT_CLAIM_MS };
  const saved = await documents.save(place, claim, loaded.value?.version ?? 0);
  if (!saved.ok) return saved;
  if (!saved.value.saved) return refused(at);

  const currentClaim = async (): Promise<Result<StoredClaim | null>> => {
    const current = await documents.load(place);
    return current.ok ? ok(StoredClaim.safeParse(current.value?.value).data ?? null) : current;
  };
  const confirm = async (): Promise<Result<void>> => {
    const current = await currentClaim();
    if (!current.ok) return current;
    return current.value?.owner === owner ? ok(undefined) : refused(at);
  };
  const isTaken = async (): Promise<Result<boolean>> => {
    const current = await currentClaim();
    if (!current.ok || current.value === null) return current.ok ? ok(false) : current;
    // A create stores no data of a file.
    return ok(current.value.owner !== owner && current.value.file !== NO_FILE);
  };
  const repeats = found?.file === file;
  const replaced = repeats ? null : found;
  const written = await write({ replaces: replaced !== null, repeats, confirm, isTaken });
  if (isUnsettled(written) || !(await confirm()).ok) return written;
  // This import failed, and the one that it should have replaced may still have left data. Restore its claim, so that a repetition removes the
  // data.
  if (!written.ok && replaced) await documents.save(place, replaced, saved.value.version);
  else await documents.remove(place);
  return written;
}

/**
 * Called before and after a thread is created under a predictable id, such as one derived from a key. Removes what an interrupted import left under
 * this id, and fails while an import may be running. Called before, so that the new thread never shows such data. Called afterwards, because an
 * import may have begun in between: either it saw the thread and stored nothing, or its claim is found now.
 */
export async function clearAbandonedImport(rt: CreateRuntime, at: ThreadRef): Promise<Result<void>> {
  const { documents } = rt;
  if (!documents) return ok(undefined);
  const place = placeOf(at);
  const loaded = await retryUnavailable(() => documents.load(place));
  if (!loaded.ok) return loaded;
  if (loaded.value === null) return ok(undefined);
  const found = StoredClaim.safeParse(loaded.value.value).data ?? null;
  const stored = await readStored(rt, at);
  if (!stored.ok) return stored;
  // Nothing has to be cleared: it was cleared already, or the thread is the imported one. A claim of an earlier release
  // does not record its first entry, so it counts as matching.
  if (stored.value && (found?.cleared || [undefined, stored.value.first].includes(found?.first))) return ok(undefined);
  const now = rt.clock.now();
  if (found && found.file !== NO_FILE && isHeld(found, now)) return refused(at);
  const claim: StoredClaim = {
    file: NO_FILE,
    first: found?.first,
    owner: rt.ids.make("cmt"),
    until: now + IMPORT_CLAIM_MS,
  };
  const saved = await documents.save(place, claim, loaded.value.version);
  if (!saved.ok) return saved;
  if (!saved.value.saved) return refused(at);
  // Read again, because the import may have ended meanwhile. After a turn, the data may be the thread's own.
  const current = await readStored(rt, at);
  if (!current.ok) return current;
  const isOwnData = current.value !== null && (current.value.first === found?.first || current.value.version > 0);
  const cleared = isOwnData ? ok(undefined) : await rt.companions.removed(at);
  if (!cleared.ok) return cleared;
  const noted = await documents.save(place, { ...claim, cleared: true }, saved.value.version);
  return noted.ok ? ok(undefined) : noted;
}

type StoredThread = { readonly version: number; readonly first: string | undefined };

/** Null if there is no thread. */
async function readStored({ store }: CreateRuntime, at: ThreadRef): Promise<Result<StoredThread | null>> {
  const head = await store.load(at, 1);
  if (!head.ok) return head.problem.code === "thread_not_found" ? ok(null) : head;
  const first = await store.records(at, { after: -1, limit: 1 });
  return first.ok ? ok({ version: head.value.head.version, first: first.value[0]?.commit_id }) : first;
}

/** True if it is unknown whether the thread was written. The claim then stays for the repetition. */
export const isUnsettled = (written: Result<unknown>): boolean =>
  !written.ok && written.problem.code === "store_unavailable";

const refused = ({ thread }: ThreadRef) =>
  fail("turn_running", `Thread ${thread} is being imported by another request.`, { retry_after_s: RETRY_AFTER_S });
