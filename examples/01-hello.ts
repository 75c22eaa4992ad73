// A client in a loop: it reads `next` and sends the requested input. Start the server with `npm start` first.
import { createClient } from "../src/client.ts";

const pawl = createClient(process.env.PAWL_URL ?? "http://127.0.0.1:8787");
let response = await pawl.create({ goal: "Move the essay outline to Thursday of week 2" });
while (response.ok && response.value.next !== "none") {
  const { id, gate } = response.value.thread;
  if (gate) console.log(`approved: ${gate.text}`); // a real client asks a user here
  const approval =
    gate && "digest" in gate ? { gate_id: gate.id, digest: gate.digest, decision: "approve" as const } : null;
  response = await pawl.advanceUntilPause(id, approval && { type: "confirm", ...approval });
}
console.log(response.ok ? response.value.turn?.speak : `${response.problem.code}: ${response.problem.hint}`);
