// Writes threads of simulated histories as they are stored, so that later releases can prove that they still read them:
// node scripts/dump-threads.ts test/fixtures/threads/v1-simulated.json. Never overwrites a file, because the stored
// data of an old release does not change.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { StoredThread } from "../test/sim/evidence.ts";
import { runHistory } from "../test/sim/history.ts";

const [path] = process.argv.slice(2);
const HISTORIES = 600;
const THREADS_MIN = 60;
const BYTES_MAX = 14_000;
const PLAIN_BYTES_MAX = 6000;

if (path === undefined) {
  console.error("usage: node scripts/dump-threads.ts <file.json>");
  process.exit(2);
}
if (existsSync(path)) {
  console.error(`${path} exists; stored threads of a release are never overwritten.`);
  process.exit(1);
}

/** Returns the features of a thread: its state and all events that ever happened to it. */
function featuresOf({ records }: StoredThread): readonly string[] {
  const head = records.at(-1)?.state;
  return [
    `at ${head?.machine.state}.${head?.machine.at}.${head?.machine.outcome}.${head?.gate?.kind}`,
    ...records.flatMap(({ entry }) => [
      `took ${entry.signals.join("+")}`,
      `input ${entry.input?.type}`,
      `closed ${entry.closed_gate?.kind} ${entry.closed_gate?.how}`,
      `problem ${entry.problem?.code}`,
      `corrections ${entry.corrections.length}`,
      `call ${entry.call?.name} ${entry.call?.arguments_blob !== null}`,
      ...entry.receipts.map((receipt) => `receipt ${receipt.kind} ${receipt.source} ${receipt.success}`),
    ]),
  ];
}

const BLOB_REFERENCES = /"(?:blob|arguments_blob|todo_blob|files_blob)":"([0-9a-f]{64})"/g;

function dump({ at, rows, blobs }: StoredThread) {
  const text = rows.map((row) => row.entry + row.state).join("\n");
  const names = new Set([...text.matchAll(BLOB_REFERENCES)].map((match) => match[1] ?? ""));
  return { at, rows, blobs: Object.fromEntries([...blobs].filter(([hash]) => names.has(hash))) };
}

const seen = new Set<string>();
const dumps: ReturnType<typeof dump>[] = [];
for (let seed = 1; seed <= HISTORIES; seed += 1) {
  const { evidence } = await runHistory({ seed });
  for (const thread of evidence?.threads ?? []) {
    const newFeatures = featuresOf(thread).filter((feature) => !seen.has(feature));
    const dumped = dump(thread);
    const size = JSON.stringify(dumped).length;
    const isIncluded =
      newFeatures.length > 0 ? size <= BYTES_MAX : size <= PLAIN_BYTES_MAX && dumps.length < THREADS_MIN;
    if (!isIncluded) continue;
    for (const feature of newFeatures) seen.add(feature);
    dumps.push(dumped);
  }
}
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `{"threads":[\n${dumps.map((thread) => JSON.stringify(thread)).join(",\n")}\n]}\n`);
console.log(`${dumps.length} threads with ${seen.size} features in ${path}`);
