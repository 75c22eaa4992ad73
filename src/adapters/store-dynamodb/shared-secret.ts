// Stores a secret that all processes on one table share. The first process that needs the secret creates it.
import { randomBytes } from "node:crypto";
import { ok, type Result } from "../../schema/problem.ts";
import { unmetConditions } from "./failures.ts";
import { type Item, keyItem, SECRET_KEY } from "./keys.ts";
import { getItem, type OpenTable } from "./table.ts";

const BYTES = 32;

const textOf = (item: Item | undefined | null): string | null => item?.text?.S ?? null;

/** The returned function reads the secret once per process. */
export function createSharedSecret(table: OpenTable): () => Promise<Result<string>> {
  let known: string | null = null;
  return async () => {
    if (known !== null) return ok(known);
    const candidate = randomBytes(BYTES).toString("hex");
    const found = await table.retryUnavailable(async () =>
      ok(textOf(await getItem(table, SECRET_KEY)) ?? (await put(table, candidate))),
    );
    if (found.ok) known = found.value;
    return found;
  };
}

/** If several processes create a secret concurrently, the first wins and the others use its secret. */
async function put(table: OpenTable, text: string): Promise<string> {
  try {
    await table.call("PutItem", {
      TableName: table.name,
      Item: { ...keyItem(SECRET_KEY), text: { S: text } },
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    return text;
  } catch (thrown) {
    const existing = textOf(unmetConditions(thrown)?.get(0));
    if (existing === null) throw thrown;
    return existing;
  }
}
