import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { killApps, startApp } from "../support/app-process.ts";
import { killTerminals, runCli } from "./terminal.ts";

const cwd = mkdtempSync(join(tmpdir(), "pawl-cli-calendar-"));
afterAll(async () => {
  killTerminals();
  await killApps();
  rmSync(cwd, { recursive: true, force: true });
});

const FILE = [
  ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT", "UID:dentist@example.com"],
  ...["DTSTAMP:20260301T000000Z", "DTSTART:20260305T090000Z", "DTEND:20260305T100000Z"],
  ...["SUMMARY:Dentist \u001b[31mred", "LOCATION:Main Street", "END:VEVENT", "END:VCALENDAR", ""],
].join("\r\n");

test("pawl calendar imports a file, shows its events, and reports what it cannot connect", async () => {
  const app = await startApp(cwd);
  const created = await app.client.call("POST", "/v1/calendars", { name: "Doctors", time_zone: "Europe/Berlin" });
  expect(created.ok).toBe(true);
  writeFileSync(join(cwd, "doctors.ics"), FILE);
  const run = (...args: string[]) => runCli(["calendar", ...args, "--calendar", "Doctors", "--url", app.url], { cwd });

  const imported = await run("import", "doctors.ics");
  expect([imported.code, imported.out]).toEqual([0, expect.stringContaining("Imported 1 events")]);
  const week = ["--from", "2026-03-02", "--to", "2026-03-09"];
  const shown = await run("show", ...week);
  expect([shown.code, shown.out]).toEqual([
    0,
    expect.stringMatching(/2026-03-05 10:00–11:00 {2}Dentist .*\(Main Street\)/),
  ]);
  expect(shown.out).not.toContain("\u001b[31m");
  const json = JSON.parse((await run("show", ...week, "--json")).out);
  expect(json.events.map(({ start }: { start: string }) => start.slice(0, 16))).toEqual(["2026-03-05T10:00"]);
  expect((await run("show", "--from", "2026-04-06", "--to", "2026-04-13")).out).toContain("Nothing is planned");

  expect(await run("import", "missing.ics")).toMatchObject({ code: 1, err: expect.stringContaining("cannot be read") });
  expect(await run("connect")).toMatchObject({ code: 1, err: expect.stringContaining("--subscribe") });
  const unknown = await run("connect", "nowhere");
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("no accounts on calendar servers")]);
});
