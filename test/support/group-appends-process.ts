// Runs as a separate process until it is killed: appends to eight threads at the same time and reports each append when
// it is acknowledged. The argument is the database file.
import { writeSync } from "node:fs";
import { openFile } from "../../src/adapters/store-sqlite/open.ts";
import { createThreadStore } from "../../src/adapters/store-sqlite/thread-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { createRecords, delivery, record, threadAt } from "../../src/testing/thread-store/fixtures.ts";

const store = createThreadStore(succeeded(await openFile({ path: process.argv[2] ?? "" })));
const places = Array.from({ length: 8 }, (_, n) => threadAt(n + 1));
for (const at of places) await createRecords(store, at, 1);
const entry = JSON.stringify({ text: "x".repeat(3_000) });
for (let version = 1; ; version += 1) {
  const append = async (n: number, at: (typeof places)[number]): Promise<void> => {
    succeeded(await store.append(at, record(version, { entry }), { outbox: [delivery(version, at)] }));
    writeSync(1, `${n} ${version}\n`);
  };
  await Promise.all(places.map((at, n) => append(n, at)));
}
