// npm run kill: a real server on a real file, killed at every named point and at random instants. --full for the long run.
import { type KillRow, killAtPoint, killBlindly, killTable, POINTS } from "../test/kill/kills.ts";
import { bundleVictim } from "../test/kill/victim-process.ts";

const full = process.argv.includes("--full");
const [per_point, blind] = full ? [25, 600] : [5, 100];
const bundle = await bundleVictim();
const rows: KillRow[] = [];
for (const point of POINTS) {
  rows.push(await killAtPoint(bundle, point, per_point));
  console.error(`${point}: ${rows.length} of ${POINTS.length + 1} done`);
}
rows.push(await killBlindly(bundle, blind));
console.log(killTable(rows));
const notes = rows.flatMap((row) => row.notes);
for (const note of notes) console.log(note);
process.exit(notes.length === 0 ? 0 : 1);
