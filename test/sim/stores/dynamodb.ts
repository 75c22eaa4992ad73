// Creates a separate table on the DynamoDB-compatible server that the environment names, with a client per server slot.
import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { createDynamoClient, createDynamoStore } from "../../../src/adapters/store-dynamodb/create-store.ts";
import { ensureTable } from "../../../src/adapters/store-dynamodb/ensure-table.ts";
import { HANDLES, type RealStore } from "./mirror-store.ts";

export async function openDynamoTable(): Promise<RealStore> {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (!endpoint?.startsWith("http://127.0.0.1:")) throw new Error("AWS_ENDPOINT_URL_DYNAMODB must be a local server");
  const table = `sim-${crypto.randomUUID()}`;
  const clients = Array.from({ length: HANDLES }, () => createDynamoClient({ endpoint }));
  const [first] = clients;
  if (!first) throw new Error("a store has at least one handle");
  await ensureTable(first, table);
  return {
    name: "DynamoDB",
    handles: clients.map((client) => createDynamoStore({ client, table }).threads),
    close: async () => {
      await first.send(new DeleteTableCommand({ TableName: table }));
      for (const client of clients) client.destroy();
    },
  };
}
