// Short texts that can be taken once and soon, by whichever process asks. What nobody takes expires.
import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { ok, type Result } from "../../schema/problem.ts";
import { keyItem, onceKey } from "./keys.ts";
import type { OpenTable } from "./table.ts";

export type Once = {
  /** `until`: milliseconds since the epoch. */
  readonly put: (name: string, text: string, until: number) => Promise<Result<void>>;
  /** Null: there is none, its time is over, or somebody has it. Whose reply is lost does not get it either. */
  readonly take: (name: string) => Promise<Result<string | null>>;
};

export const onceOn = (table: OpenTable): Once => ({
  put: (name, text, until) =>
    table.insist(async () => {
      const Item = {
        ...keyItem(onceKey(name)),
        text: { S: text },
        until: { N: String(until) },
        expires: { N: String(Math.ceil(until / 1000)) },
      };
      await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
      return ok(undefined);
    }),
  take: (name) =>
    table.insist(async () => {
      const { Attributes } = await table.client.send(
        new DeleteItemCommand({ TableName: table.name, Key: keyItem(onceKey(name)), ReturnValues: "ALL_OLD" }),
      );
      // DynamoDB takes expired items away when it likes, so their time is asked here.
      const inTime = Number(Attributes?.until?.N) > table.clock.now();
      return ok(inTime ? (Attributes?.text?.S ?? null) : null);
    }),
});
