// I25: metrics receive every record of a turn once, unless the process that committed it died first. So tokens and costs
// are counted once.
import type { Evidence } from "../evidence.ts";

export function turnsAreReportedOnce({ threads, telemetry: { reports, committers } }: Evidence): readonly string[] {
  return threads.flatMap(({ at, records }) =>
    records.flatMap(({ version, entry }) => {
      const count = reports.get(entry.commit_id) ?? 0;
      if (count > 1) return [`I25 ${at.thread}: record ${version} is reported ${count} times`];
      const isLost = entry.usage !== null && count === 0 && committers.get(entry.commit_id)?.alive;
      return isLost ? [`I25 ${at.thread}: record ${version} is not reported`] : [];
    }),
  );
}
