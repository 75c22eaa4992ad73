// Two threads share a calendar over HTTP: one proposes, a user approves other arguments, and the second thread sees the
// result.
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../src/adapters/clock-system.ts";
import { toolkitRoutes } from "../../src/http/toolkit-route.ts";
import type { Gate } from "../../src/schema/gate.ts";
import { calendar } from "../../src/toolkits/calendar/toolkit.ts";
import { plugToolkits } from "../../src/tools/plugged-toolkits.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { callTool, done } from "../support/decisions.ts";
import { createMemoryDocuments } from "../support/documents-memory.ts";
import { unwrap } from "../support/runtime.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
afterEach(() => server.stop());

type Events = { events: { title: string; start: string }[] };
const DENTIST = { title: "Dentist", start: "2030-03-05T09:00", duration_min: 90 };

test("a calendar that two threads share", async () => {
  const toolbox = createToolbox([]);
  const parts = { clock: systemClock, documents: createMemoryDocuments() };
  const plugged = unwrap(plugToolkits(toolbox, [calendar], parts));
  server = await startTestServer({
    script: [
      callTool("create_event", DENTIST),
      done,
      "The dentist is booked.",
      callTool("create_event", { title: "Call", start: "2030-03-06T09:30" }),
      callTool("find_time", { duration_min: 60, from: "2030-03-06", to: "2030-03-06", prefer: "morning" }),
      callTool("create_event", { title: "Call", start: "2030-03-06T10:30" }),
      done,
      "The call is booked.",
    ],
    runtime: { toolbox, companions: plugged.companions, worker: { running: false } },
    routes: toolkitRoutes(plugged.routes),
  });
  const client = server.client();
  const { id } = unwrap(
    await client.call<{ id: string }>("POST", "/v1/calendars", { name: "Team", time_zone: "Europe/Berlin" }),
  );
  const events = async () => {
    const path = `/v1/calendars/${id}/events?from=2030-03-04&to=2030-03-08`;
    return unwrap(await client.call<Events>("GET", path)).events.map((one) => `${one.start.slice(0, 16)} ${one.title}`);
  };
  const start = async (goal: string) =>
    unwrap(await client.create({ goal, mode: "direct", calendar: id, toolkits: ["calendar"] })).thread.id;
  const confirm = async (thread: string, gate: Gate | null, edited_arguments?: Record<string, unknown>) => {
    if (gate?.kind !== "confirmation") throw new Error("no confirmation is open");
    const { id: gate_id, digest } = gate;
    const edited = edited_arguments ? { edited_arguments } : {};
    const input = { type: "confirm", gate_id, digest, decision: "approve", ...edited } as const;
    return unwrap(await client.advanceUntilPause(thread, input));
  };

  const first = await start("Book the dentist.");
  const proposed = unwrap(await client.advanceUntilPause(first));
  expect(await events()).toEqual([]);
  const booked = await confirm(first, proposed.thread.gate, { ...DENTIST, start: "2030-03-06T09:00" });
  expect(booked.thread.outcome).toBe("completed");
  expect(await events()).toEqual(["2030-03-06T09:00 Dentist"]);

  // The time that the second thread wants is taken by now, and it learns so without asking anybody.
  const second = await start("Book a call.");
  const waiting = unwrap(await client.advanceUntilPause(second));
  expect(waiting.turns.map(({ receipts }) => receipts[0]?.success ?? null).slice(0, 2)).toEqual([false, true]);
  expect(waiting.thread.gate).toMatchObject({ preview: expect.stringContaining("Wed 2030-03-06 10:30–11:30") });
  const ended = await confirm(second, waiting.thread.gate);
  expect(ended.thread.outcome).toBe("completed");
  expect(await events()).toEqual(["2030-03-06T09:00 Dentist", "2030-03-06T10:30 Call"]);
});
