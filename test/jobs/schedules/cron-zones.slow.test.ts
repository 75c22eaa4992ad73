// Checks every zone of the platform whose clocks change in these years, at every change, against a minute-by-minute
// computation. The sample checks one year per zone, a different one for each.
import { expect, test } from "vitest";
import { nextCronDue } from "../../../src/jobs/schedules/cron-due.ts";
import { type Change, changesOf, dueIn, minutesAround, RULES } from "../../support/cron-oracle.ts";
import { isFullSize } from "../../support/test-size.ts";

const FROM = Date.parse("2024-01-01T00:00:00Z");
const YEARS = 7;
const TO = Date.parse("2031-01-01T00:00:00Z");
/** The time before and after a change to check. Clocks change at night, and no change is longer than an hour. */
const REACH = 5 * 3_600_000;

/** Groups zones by their changes, because zones that change together need to be checked only once. */
function zonesByChanges(): ReadonlyMap<string, { zone: string; changes: readonly Change[] }> {
  const found = new Map<string, { zone: string; changes: readonly Change[] }>();
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const changes = changesOf(zone, FROM, TO);
    if (changes.length > 0) found.set(JSON.stringify(changes), { zone, changes });
  }
  return found;
}

test("cron expressions are due as the page says, in all zones whose clocks change from 2024 to 2030", {
  timeout: 300_000,
}, () => {
  const zones = [...zonesByChanges().values()];
  expect(zones.length).toBeGreaterThan(30);
  let compared = 0;
  const wrong: string[] = [];
  for (const [z, { zone, changes }] of zones.entries())
    for (const [n, change] of changes.entries()) {
      if (!isFullSize() && (n >> 1) % YEARS !== z % YEARS) continue;
      const minutes = minutesAround(change);
      // Each year is checked with a third of the rules, the same for both of its changes, so that all rules are checked
      // at both changes of every zone.
      for (const rule of RULES.filter((_, i) => i % 3 === ((n >> 1) + z) % 3)) {
        const until = change.at + REACH;
        const expected = dueIn(minutes, rule).filter((at) => at > change.at - REACH && at < until);
        let after = change.at - REACH;
        for (const at of expected) {
          const found = nextCronDue({ expression: rule.expression, time_zone: zone }, after);
          if (found !== at) wrong.push(`${zone} ${rule.expression}: ${found} instead of ${at}`);
          after = at;
          compared += 1;
        }
        const next = nextCronDue({ expression: rule.expression, time_zone: zone }, after);
        if (next !== null && next < until) wrong.push(`${zone} ${rule.expression}: ${next} besides`);
      }
    }
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(compared).toBeGreaterThan(isFullSize() ? 10_000 : 1000);
});
