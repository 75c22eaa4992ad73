// A process that appends to one shared thread for a given time and prints the acknowledged versions. Its arguments are
// the data file, a name and the milliseconds.
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import { succeeded } from "../../src/testing/expect.ts";
import { record, threadAt } from "../../src/testing/thread-store/fixtures.ts";

const [path = "", name = "", ms = "1000"] = process.argv.slice(2);
const at = threadAt();
const entry = JSON.stringify({ by: name, text: "x".repeat(4_000) });
const store = succeeded(await createSqliteStore({ path })).threads;

let ticks = 0;
const ticking = setInterval(() => {
  ticks += 1;
}, 10);
const created = await store.create(at, record(0, { commit_id: `${name}-0` }), null);
const tally = { appended: 0, moved: 0, unavailable: 0, created: created.ok, ticks: 0 };
const until = Date.now() + Number(ms);
while (Date.now() < until) {
  const version = succeeded(await store.load(at, 17)).head.version + 1;
  // Gives the other process a chance between reading and writing, as a turn does.
  await new Promise((resolve) => setImmediate(resolve));
  const result = await store.append(at, record(version, { commit_id: `${name}-${version}`, entry }));
  if (result.ok) {
    tally.appended += 1;
    process.stdout.write(`acknowledged ${version}\n`);
  } else if (result.problem.code === "thread_moved") tally.moved += 1;
  else tally.unavailable += 1;
}
clearInterval(ticking);
await store.close();
process.stdout.write(`tally ${JSON.stringify({ ...tally, ticks })}\n`);
