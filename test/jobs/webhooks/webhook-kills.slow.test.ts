// Kills the process that sends webhooks repeatedly while its endpoint is handling a request. Every event must arrive,
// always under the same id. PAWL_KILLS sets the number of kills, which is small by default.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { createRandom } from "../../sim/random.ts";
import { type AppProcess, killApps, startApp } from "../../support/app-process.ts";
import { unwrap } from "../../support/runtime.ts";

const KILLS = Number(process.env.PAWL_KILLS ?? 3);
/** The number of jobs. Each kill may consume one event, and some must be left. */
const JOBS = Math.ceil(KILLS / 3) + 4;
/** A time that is longer than the lease of a delivery and its longest backoff. */
const LATER_MS = 5 * 3_600_000;
const SLOWLY = { timeout: 60_000, interval: 50 };

const folder = mkdtempSync(join(tmpdir(), "pawl-kills-"));
const sent = new Map<string, Set<string>>();
/** The ids under which each event arrived. */
const ids = new Map<string, Set<string>>();
const answered = new Set<string>();
/** Handles a request of the endpoint: rejects it, kills the sender, or accepts it. */
let handleRequest: (id: string, answer: (status: number) => void) => void | Promise<void> = (_id, answer) =>
  answer(503);
const endpoint = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on("end", () => {
    const id = String(request.headers["webhook-id"]);
    const { data } = JSON.parse(body) as { data: { thread: string; seq: number } };
    const event = `${data.thread} ${data.seq}`;
    sent.set(id, (sent.get(id) ?? new Set()).add(body));
    ids.set(event, (ids.get(event) ?? new Set()).add(id));
    void handleRequest(id, (status) => {
      if (status < 300) answered.add(event);
      response.writeHead(status).end();
    });
  });
});
await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
const { port } = endpoint.address() as AddressInfo;
const config = {
  fetch: { allow: [`127.0.0.1:${port}`] },
  jobs: { poll_ms: 20 },
  limits: { requests_per_minute: 100_000 },
};
writeFileSync(join(folder, "pawl.config.json"), JSON.stringify(config));
afterAll(async () => {
  await killApps();
  endpoint.closeAllConnections();
  endpoint.close();
  rmSync(folder, { recursive: true, force: true });
});

const hostAhead = (ahead_ms: number): Promise<AppProcess> =>
  startApp(
    folder,
    { JOB_FOLDER: folder, JOB_LEDGER: join(folder, "ledger"), JOB_AHEAD_MS: String(ahead_ms) },
    "test/support/job-host.ts",
  );

/** Creates runs that ended while the endpoint was unavailable. Returns the events that must arrive. */
async function makeEvents(): Promise<readonly string[]> {
  const host = await hostAhead(0);
  unwrap(
    await host.client.webhooks.create({
      name: "desk",
      url: `http://127.0.0.1:${port}/told`,
      events: ["turn.committed"],
    }),
  );
  for (let n = 0; n < JOBS; n++)
    unwrap(await host.client.create({ goal: `Job ${n}`, mode: "direct", run: "background" }));
  const rested = async () => unwrap(await host.client.list({ limit: 200, state: "rest" })).threads;
  await vi.waitFor(async () => expect(await rested()).toHaveLength(JOBS), SLOWLY);
  const wanted: string[] = [];
  for (const { id } of await rested()) {
    const path = `/v1/threads/${id}/events?limit=500`;
    const { events } = unwrap(await host.client.call<{ events: { type: string; seq: number }[] }>("GET", path));
    const committed = events.filter(({ type, seq }) => type === "turn.committed" && seq > 1);
    wanted.push(...committed.map(({ seq }) => `${id} ${seq}`));
  }
  await host.stop();
  return wanted;
}

test("each event arrives at least once and under one id, however often its sender is killed", async () => {
  const wanted = await makeEvents();
  expect(wanted.length).toBeGreaterThan(KILLS);
  const random = createRandom(8, 1).next;
  let ahead = LATER_MS;
  for (let n = 0; n < KILLS; n++, ahead += LATER_MS / 4) {
    // The sender is killed before it has a response or right after one, so nobody else can know whether the event was
    // delivered.
    const after = random() < 0.5;
    // The process may have started before its process id is known here.
    const known = Promise.withResolvers<AppProcess>();
    handleRequest = async (_id, answer) => {
      const host = await known.promise;
      if (after) answer(204);
      host.kill();
    };
    known.resolve(await hostAhead(ahead));
    expect(await (await known.promise).ended).toBe("SIGKILL");
  }
  handleRequest = (_id, answer) => answer(204);
  const last = await hostAhead(ahead + LATER_MS);
  await vi.waitFor(() => expect(wanted.filter((event) => !answered.has(event))).toEqual([]), SLOWLY);
  await last.stop();
  // The same id always has the same content.
  for (const bodies of sent.values()) expect(bodies.size).toBe(1);
  for (const sentAs of ids.values()) expect(sentAs.size).toBe(1);
});
