// A desktop worker: claims messages of one app, "sends" them by printing, and reports. Run it next to a server with a desktop channel:
//   PAWL=http://127.0.0.1:8787 PAWL_KEY=pawl_… node examples/08-desktop-worker.ts weixin
import { setTimeout as sleep } from "node:timers/promises";

const [app = "weixin", worker = `desk-${process.pid}`] = process.argv.slice(2);
const { PAWL = "http://127.0.0.1:8787", PAWL_KEY } = process.env;

type Task = { readonly id: string; readonly to: string | null; readonly text: string };

async function post(path: string, body: object): Promise<{ readonly task: Task | null }> {
  const response = await fetch(`${PAWL}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(PAWL_KEY ? { authorization: `Bearer ${PAWL_KEY}` } : {}) },
    body: JSON.stringify({ app, worker, ...body }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as { task: Task | null };
}

for (;;) {
  const { task } = await post("/v1/desktop/claim", {});
  if (task) {
    const report = `/v1/desktop/${encodeURIComponent(task.id)}/result`;
    // From here on no other worker gets it, so that nobody receives the message twice.
    await post(report, { state: "started" });
    console.log(`${task.to ?? "everyone"}: ${task.text}`);
    await post(report, { state: "done" });
  } else if (process.env.ONCE) break;
  else await sleep(1_000);
}
