// Stores the claim of a thread, for runtimes that use claims. A claim costs one conditional put. A turn that commits
// leaves its claim behind, and the next turn may overwrite it, because it has loaded a newer version. A turn that
// commits nothing deletes its claim.
import type { ClaimResult, Claims } from "../../ports/claims.ts";
import { ok, type Result } from "../../schema/problem.ts";
import { conditionalWrite } from "./failures.ts";
import { claimKey, keyItem } from "./keys.ts";
import type { OpenTable } from "./table.ts";

const OWNER = { "#owner": "owner" };

export function createClaims(table: OpenTable): Claims {
  return {
    end_with_version: true,
    claim: (at, owner, ttl_ms, version = 0) =>
      table.retryUnavailable(async (): Promise<Result<ClaimResult>> => {
        const now = table.clock.now();
        const until = now + ttl_ms;
        const unmet = await conditionalWrite(() =>
          table.call("PutItem", {
            TableName: table.name,
            Item: {
              ...keyItem(claimKey(at)),
              owner: { S: owner },
              until: { N: String(until) },
              version: { N: String(version) },
              expires: { N: String(Math.ceil(until / 1000)) },
            },
            // DynamoDB deletes expired items with a delay, so the expiry is checked here.
            ConditionExpression: "attribute_not_exists(pk) OR #until <= :now OR #owner = :owner OR #version < :version",
            ExpressionAttributeNames: { ...OWNER, "#until": "until", "#version": "version" },
            ExpressionAttributeValues: {
              ":now": { N: String(now) },
              ":owner": { S: owner },
              ":version": { N: String(version) },
            },
            ReturnValuesOnConditionCheckFailure: "ALL_OLD",
          }),
        );
        if (unmet) return ok({ mine: false, until: Number(unmet.get(0)?.until?.N ?? now) });
        return ok({ mine: true });
      }),
    release: (at, owner) =>
      table.retryUnavailable(async () => {
        await conditionalWrite(() =>
          table.call("DeleteItem", {
            TableName: table.name,
            Key: keyItem(claimKey(at)),
            ConditionExpression: "#owner = :owner",
            ExpressionAttributeNames: OWNER,
            ExpressionAttributeValues: { ":owner": { S: owner } },
          }),
        );
        return ok(undefined);
      }),
  };
}
