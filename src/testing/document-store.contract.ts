// The contract of every document store, as plain data for any test runner. It has no optional parts.
import type { DocumentRef, DocumentStore } from "../ports/documents.ts";
import { TenantId } from "../schema/ids.ts";
import { equal, succeeded } from "./expect.ts";
import { onHandles, onOneHandle } from "./test-case.ts";

/** A new handle on the same data on every call. The data is empty when a case begins. */
export type OpenDocuments = () => Promise<DocumentStore>;
export type DocumentCase = { readonly name: string; readonly run: (open: OpenDocuments) => Promise<void> };

const ACME = TenantId.parse("acme");
const BOLT = TenantId.parse("bolt");
const at = (id: string, tenant = ACME, kind = "note"): DocumentRef => ({ tenant, kind, id });
const FIRST = at("thr_first");

const note = (n: number) => ({ n, text: `größe 📏 "${n}" error\u0000 analysis`, list: [n, null, { deep: [true] }] });
const stored = (n: number, version: number) => ({ version, value: note(n) });
const saved = (version: number) => ({ saved: true, version });
const refused = (version: number) => ({ saved: false, version });

/** Older stores keep "calendar" in a separate place. */
const KINDS = ["note", "calendar"];

export const documentStoreContract: readonly DocumentCase[] = [
  onOneHandle("a document that was never saved is null", async (store) => {
    equal(succeeded(await store.load(FIRST)), null);
  }),
  ...KINDS.map((kind) => ({
    name: `a saved document of the kind ${kind} is loaded, copied and removed unchanged`,
    run: async (open: OpenDocuments) => {
      const store = await open();
      const original = at("thr_first", ACME, kind);
      equal(succeeded(await store.save(original, note(1), 0)), saved(1));
      equal(succeeded(await store.load(original)), stored(1, 1));
      equal(succeeded(await store.copy(original, at("thr_fork", ACME, kind))), true);
      equal(succeeded(await store.load(at("thr_fork", ACME, kind))), stored(1, 1));
      succeeded(await store.remove(original));
      equal(succeeded(await store.load(original)), null);
    },
  })),
  onOneHandle("a document of 250 KB that cannot be compressed is stored", async (store) => {
    // A linear congruential generator produces the same text in every run.
    let seed = 7;
    const digits = Array.from({ length: 250_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return String.fromCharCode(33 + ((seed >>> 16) % 90));
    });
    const value = { text: digits.join("") };
    succeeded(await store.save(FIRST, value, 0));
    equal(succeeded(await store.load(FIRST)), { version: 1, value });
  }),
  onOneHandle("each save increments the version and replaces the document", async (store) => {
    for (let n = 0; n < 5; n += 1) equal(succeeded(await store.save(FIRST, note(n + 1), n)), saved(n + 1));
    equal(succeeded(await store.load(FIRST)), stored(5, 5));
  }),
  onOneHandle("a save over another version than the newest returns the newest and changes nothing", async (store) => {
    equal(succeeded(await store.save(FIRST, note(1), 3)), refused(0));
    succeeded(await store.save(FIRST, note(1), 0));
    succeeded(await store.save(FIRST, note(2), 1));
    for (const expectedVersion of [0, 1, 3])
      equal(succeeded(await store.save(FIRST, note(9), expectedVersion)), refused(2));
    equal(succeeded(await store.load(FIRST)), stored(2, 2));
  }),
  onHandles("of 16 racing saves on two handles exactly one wins", async (open) => {
    const [first, second] = [await open(), await open()];
    for (const expectedVersion of [0, 1]) {
      const saves = Array.from({ length: 16 }, (_, n) =>
        (n % 2 ? first : second).save(FIRST, note(n + 1), expectedVersion),
      );
      const results = (await Promise.all(saves)).map((result) => succeeded(result));
      equal(results.filter((result) => result.saved).length, 1, "winners");
      const winner = results.findIndex((result) => result.saved) + 1;
      equal(succeeded(await second.load(FIRST)), stored(winner, expectedVersion + 1));
    }
  }),
  onOneHandle("documents of another tenant, kind or id are separate", async (store) => {
    succeeded(await store.save(FIRST, note(1), 0));
    for (const other of [at("thr_first", BOLT), at("thr_other"), at("thr_first", ACME, "list")]) {
      equal(succeeded(await store.load(other)), null);
      equal(succeeded(await store.save(other, note(2), 0)), saved(1));
    }
    equal(succeeded(await store.load(FIRST)), stored(1, 1));
  }),
  onOneHandle("a copy has the same content and version, and is independent afterwards", async (store) => {
    succeeded(await store.save(FIRST, note(1), 0));
    succeeded(await store.save(FIRST, note(2), 1));
    equal(succeeded(await store.copy(FIRST, at("thr_fork"))), true);
    equal(succeeded(await store.load(at("thr_fork"))), stored(2, 2));
    succeeded(await store.save(at("thr_fork"), note(3), 2));
    equal(succeeded(await store.load(FIRST)), stored(2, 2));
    equal(succeeded(await store.load(at("thr_fork"))), stored(3, 3));
  }),
  onOneHandle("copying nothing, or onto a document that exists, changes nothing", async (store) => {
    equal(succeeded(await store.copy(FIRST, at("thr_fork"))), false);
    equal(succeeded(await store.load(at("thr_fork"))), null);
    succeeded(await store.save(FIRST, note(1), 0));
    succeeded(await store.save(at("thr_fork"), note(2), 0));
    equal(succeeded(await store.copy(FIRST, at("thr_fork"))), false);
    equal(succeeded(await store.load(at("thr_fork"))), stored(2, 1));
  }),
  onOneHandle("a removed document is deleted, can be removed again, and can be created again", async (store) => {
    succeeded(await store.remove(FIRST));
    succeeded(await store.save(FIRST, note(1), 0));
    succeeded(await store.save(at("thr_other"), note(2), 0));
    succeeded(await store.remove(FIRST));
    succeeded(await store.remove(FIRST));
    equal(succeeded(await store.load(FIRST)), null);
    equal(succeeded(await store.load(at("thr_other"))), stored(2, 1));
    equal(succeeded(await store.save(FIRST, note(3), 0)), saved(1));
  }),
  onOneHandle("changing a loaded or saved value does not change the stored document", async (store) => {
    const value = note(1);
    succeeded(await store.save(FIRST, value, 0));
    value.list.length = 0;
    const loaded = succeeded(await store.load(FIRST))?.value as typeof value | undefined;
    loaded?.list.pop();
    equal(succeeded(await store.load(FIRST)), stored(1, 1));
  }),
];
