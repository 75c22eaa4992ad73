import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSize } from "../support/test-size.ts";
import { type KillRow, killAtPoint, killTable, POINTS } from "./kills.ts";
import { bundleTarget } from "./target-process.ts";

/** The number of kills per point. `npm run kill` kills more often, also at later passes of a point. */
const KILLS_PER_POINT = testSize({ sample: 1, full: 3 });
const rows: KillRow[] = [];
let bundle = "";

beforeAll(async () => {
  bundle = await bundleTarget();
});
afterAll(() => console.log(killTable(rows)));

describe("a server that is killed", () => {
  test.each(POINTS)("at %s loses nothing, leaves no partial turn and repeats no effect", async (point) => {
    const row = await killAtPoint(bundle, point, KILLS_PER_POINT);
    rows.push(row);
    expect(row).toMatchObject({ lost: 0, half: 0, double: 0, notes: [] });
  });
});
