// Runs as a separate process: advances a workflow in a SQLite file until it pauses and prints the thread. Its arguments
// are the file, "start" or the id of a suspended thread, and the day of the clock.
import { createSqliteStore } from "../../src/adapters/store-sqlite/create-store.ts";
import type { ThreadId } from "../../src/schema/ids.ts";
import { attachTestThread, createTestRuntime, unwrap } from "./runtime.ts";
import { ASKED, BAD, createWorkflowThread, GOOD, PAIR, PUBLISHED, visits, WRITTEN } from "./workflow.ts";

const [path = "", thread = "start", day = "0"] = process.argv.slice(2);
const { threads: store } = unwrap(await createSqliteStore({ path }));
const script = thread === "start" ? visits(WRITTEN, BAD, ASKED) : visits(WRITTEN, GOOD, PUBLISHED);
const rt = createTestRuntime(script, [], { store });
rt.clock.advance(Number(day) * 86_400_000);
const running = thread === "start" ? await createWorkflowThread(rt, PAIR) : attachTestThread(rt, thread as ThreadId);
if (thread !== "start") unwrap(await running.turn({ type: "resume", supplement: "For children." }));
for (;;) {
  const { outcome } = unwrap(await running.turn());
  if (outcome.next === "advance") continue;
  const prompts = rt.model.requests.map(({ messages }) => messages[0]?.content ?? "");
  process.stdout.write(JSON.stringify({ thread: outcome.thread, prompts }));
  break;
}
rt.model.assertSpent();
await store.close();
