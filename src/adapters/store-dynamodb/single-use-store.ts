// Stores short-lived values that any process can take once. Unused values expire.
import { ok, type Result } from "../../schema/problem.ts";
import { keyItem, singleUseKey } from "./keys.ts";
import type { OpenTable } from "./table.ts";

export type SingleUseStore = {
  /** `until` is in milliseconds since the epoch. */
  readonly put: (name: string, text: string, until: number) => Promise<Result<void>>;
  /** Null if the value does not exist, has expired, or was taken. If the reply to a successful read is lost, so is the value. */
  readonly take: (name: string) => Promise<Result<string | null>>;
};

export const createSingleUseStore = (table: OpenTable): SingleUseStore => ({
  put: (name, text, until) =>
    table.retryUnavailable(async () => {
      const Item = {
        ...keyItem(singleUseKey(name)),
        text: { S: text },
        until: { N: String(until) },
        expires: { N: String(Math.ceil(until / 1000)) },
      };
      await table.call("PutItem", { TableName: table.name, Item });
      return ok(undefined);
    }),
  take: (name) =>
    table.retryUnavailable(async () => {
      const { Attributes } = await table.call("DeleteItem", {
        TableName: table.name,
        Key: keyItem(singleUseKey(name)),
        ReturnValues: "ALL_OLD",
      });
      // DynamoDB deletes expired items with a delay, so the expiry is checked here.
      const isValid = Number(Attributes?.until?.N) > table.clock.now();
      return ok(isValid ? (Attributes?.text?.S ?? null) : null);
    }),
});
