import { beforeAll, describe, expect, test } from "vitest";
import { type KillRow, killAtPoint, killBlindly, killTable, POINTS } from "./kills.ts";
import { bundleVictim } from "./victim-process.ts";

const KILLS_PER_POINT = 5;
const BLIND_KILLS = 100;
const rows: KillRow[] = [];
let bundle = "";

beforeAll(async () => {
  bundle = await bundleVictim();
});

const unharmed = { lost: 0, half: 0, double: 0, notes: [] };

describe("a server that is killed", () => {
  test.each(POINTS)("at %s loses nothing, leaves nothing half done and does nothing twice", async (point) => {
    const row = await killAtPoint(bundle, point, KILLS_PER_POINT);
    rows.push(row);
    expect(row).toMatchObject(unharmed);
  });

  test("at any instant under load neither", async () => {
    const row = await killBlindly(bundle, BLIND_KILLS);
    rows.push(row);
    expect(row).toMatchObject(unharmed);
    console.log(killTable(rows));
  }, 300_000);
});
