// Stores the claim on a thread as one row in its object, timed by the object's clock. The claim avoids duplicate model
// requests, but commits do not depend on it.
import type { ClaimResult } from "../../ports/claims.ts";
import { ok, type Result } from "../../schema/problem.ts";
import type { ObjectStorage } from "./platform.ts";

const TABLE =
  "CREATE TABLE IF NOT EXISTS claim (one INTEGER PRIMARY KEY CHECK (one = 1), owner TEXT NOT NULL, until INTEGER NOT NULL)";

export function claimRows({ sql }: ObjectStorage) {
  sql.exec(TABLE);
  return {
    claim(owner: string, ttl_ms: number): Result<ClaimResult> {
      const now = Date.now();
      const [current] = sql.exec("SELECT owner, until FROM claim").toArray() as { owner: string; until: number }[];
      if (current && current.owner !== owner && now < current.until) return ok({ mine: false, until: current.until });
      sql.exec("INSERT OR REPLACE INTO claim VALUES (1, ?, ?)", owner, now + ttl_ms);
      return ok({ mine: true });
    },
    release(owner: string): Result<void> {
      sql.exec("DELETE FROM claim WHERE owner = ?", owner);
      return ok(undefined);
    },
  };
}
