// A client is a loop: look at `next`, send what is asked for. Start the server with `npm start` first.
import { createClient } from "../src/index.ts";

const pawl = createClient(process.env.PAWL_URL ?? "http://127.0.0.1:8787");
let at = await pawl.create({ goal: "Move the essay outline to Thursday of week 2" });
while (at.ok && at.value.next !== "none") {
  const { id, gate } = at.value.thread;
  if (gate) console.log(`approved: ${gate.text}`); // a real client asks a person here
  const yes = gate && "digest" in gate ? { gate_id: gate.id, digest: gate.digest, decision: "approve" as const } : null;
  at = await pawl.advanceUntilPause(id, yes && { type: "confirm", ...yes });
}
console.log(at.ok ? at.value.turn?.speak : `${at.problem.code}: ${at.problem.hint}`);
