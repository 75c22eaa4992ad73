// Defines the cases for asking whether a record is the newest one. They do not apply to a store without `isNewest`.
import type { HeldRecord, StoredRecord, ThreadStore } from "../../ports/thread-store.ts";
import { equal, succeeded } from "../expect.ts";
import type { ContractCase } from "./case.ts";
import { createRecords, record, threadAt } from "./fixtures.ts";

type StoreWithIsNewest = Required<Pick<ThreadStore, "isNewest">> & ThreadStore;
const hasIsNewest = (store: ThreadStore): store is StoreWithIsNewest => store.isNewest !== undefined;

const named = (
  name: string,
  run: (stores: readonly [StoreWithIsNewest, StoreWithIsNewest]) => Promise<void>,
): ContractCase => ({
  name: `newest: ${name}`,
  run: async (open) => {
    const [one, other] = [await open(), await open()];
    if (hasIsNewest(one) && hasIsNewest(other)) await run([one, other]);
  },
});

const held = ({ version, commit_id, entry, state }: StoredRecord): HeldRecord => ({
  version,
  commit_id,
  entry: () => entry,
  state: () => state,
});

const asks = async (store: StoreWithIsNewest, of: StoredRecord): Promise<boolean> =>
  succeeded(await store.isNewest(threadAt(), held(of)));

export const newestCases: readonly ContractCase[] = [
  named("only the newest record is, whether or not its writer holds it", async ([store, other]) => {
    succeeded(await store.create(threadAt(), record(0), null, true));
    equal([await asks(store, record(0)), await asks(other, record(0))], [true, true]);
    succeeded(await store.append(threadAt(), record(1), { held: true }));
    equal([await asks(store, record(0)), await asks(store, record(1))], [false, true]);
    succeeded(await other.append(threadAt(), record(2)));
    equal([await asks(store, record(1)), await asks(store, record(2))], [false, true]);
    equal([await asks(other, record(1)), await asks(other, record(2))], [false, true]);
  }),
  named("a record that another handle appended ends it", async ([store, other]) => {
    succeeded(await store.create(threadAt(), record(0), null, true));
    equal(await asks(store, record(0)), true);
    succeeded(await other.append(threadAt(), record(1), { held: true }));
    equal(await asks(store, record(0)), false);
    equal(succeeded(await store.load(threadAt(), 17)).head.version, 1);
  }),
  named("a thread that does not exist has none, and a thread created anew has its own", async ([store, other]) => {
    equal(await asks(store, record(0)), false);
    succeeded(await store.create(threadAt(), record(0), null, true));
    succeeded(await other.remove(threadAt()));
    equal(await asks(store, record(0)), false);
    const changed = record(0, { entry: '{"entry":"other"}' });
    succeeded(await other.create(threadAt(), changed, null));
    equal([await asks(store, record(0)), await asks(store, changed)], [false, true]);
  }),
  named("an append that lost changes nothing", async ([store, other]) => {
    await createRecords(store, threadAt(), 2);
    succeeded(await other.append(threadAt(), record(2), { held: true }));
    const late = record(2, { commit_id: "cmt_late" });
    equal((await store.append(threadAt(), late, { held: true })).ok, false);
    equal([await asks(store, late), await asks(store, record(2))], [false, true]);
  }),
  named("records that their writer holds can be loaded like others", async ([store]) => {
    succeeded(await store.create(threadAt(), record(0), null, true));
    for (const version of [1, 2, 3]) succeeded(await store.append(threadAt(), record(version), { held: true }));
    const { head, entries } = succeeded(await store.load(threadAt(), 17));
    equal([head.version, entries.map((row) => row.entry)], [3, [0, 1, 2, 3].map((n) => record(n).entry)]);
  }),
];
