// Lets only one import at a time store data under the id of a thread. Toolkit data is written before the records. Without a claim, an import that
// loses the race for the id could replace the data of the winner.
import * as z from "zod";
import type { DocumentRef } from "../ports/documents.ts";
import type { ThreadRef } from "../schema/ids.ts";
import { lastsUntil } from "../schema/jobs/time-limit.ts";
import { type Failed, fail, ok, type Result } from "../schema/problem.ts";
import type { Runtime } from "../turn/runtime.ts";

type ClaimRuntime = Pick<Runtime, "clock" | "ids" | "documents">;

/** Lifetime of a claim. It is longer than any import takes; afterwards, another file can take the id. */
export const IMPORT_CLAIM_MS = 600_000;
const RETRY_AFTER_S = 5;

const StoredClaim = z.object({ file: z.string(), owner: z.string(), until: z.number() });
type StoredClaim = z.infer<typeof StoredClaim>;

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

/**
 * Calls `write` while holding the claim. `file` identifies the content of the import. The same file takes over the claim at once, because that
 * completes an interrupted import; another file is refused while the claim lasts. A host without documents has no toolkit data to protect.
 * `refusal` is set if the import cannot succeed. Such an import keeps the claim of another file, because only a repetition of that file removes its
 * data.
 */
export async function withImportClaim<T>(
  rt: ClaimRuntime,
  at: ThreadRef,
  file: string,
  refusal: Failed | null,
  write: (claim: ImportClaim) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { documents } = rt;
  if (!documents) return refusal ?? write(UNCLAIMED);
  const place: DocumentRef = { tenant: at.tenant, kind: "import_claim", id: at.thread };
  const owner = rt.ids.make("cmt");
  const now = rt.clock.now();
  const loaded = await documents.load(place);
  if (!loaded.ok) return loaded;
  const found = StoredClaim.safeParse(loaded.value?.value).data ?? null;
  if (refusal && found?.file !== file) return refusal;
  if (found && found.file !== file && lastsUntil(found.until, now, IMPORT_CLAIM_MS)) return refused(at);
  const claim: StoredClaim = { file, owner, until: now + IMPORT_CLAIM_MS };
  const saved = await documents.save(place, claim, loaded.value?.version ?? 0);
  if (!saved.ok) return saved;
  if (!saved.value.saved) return refused(at);

  const currentOwner = async (): Promise<Result<string | null>> => {
    const current = await documents.load(place);
    return current.ok ? ok(StoredClaim.safeParse(current.value?.value).data?.owner ?? null) : current;
  };
  const confirm = async (): Promise<Result<void>> => {
    const current = await currentOwner();
    if (!current.ok) return current;
    return current.value === owner ? ok(undefined) : refused(at);
  };
  const isTaken = async (): Promise<Result<boolean>> => {
    const current = await currentOwner();
    return current.ok ? ok(current.value !== null && current.value !== owner) : current;
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

/** True if it is unknown whether the thread was written. The claim then stays for the repetition. */
export const isUnsettled = (written: Result<unknown>): boolean =>
  !written.ok && written.problem.code === "store_unavailable";

const refused = ({ thread }: ThreadRef) =>
  fail("turn_running", `Thread ${thread} is being imported by another request.`, { retry_after_s: RETRY_AFTER_S });
