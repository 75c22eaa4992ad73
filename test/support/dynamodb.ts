// Runs a real DynamoDB-compatible server for tests: dynoxide, in memory, on a free loopback port, stopped with the test
// file.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DynamoDBClient, type DynamoDBClientConfig, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll } from "vitest";
import { createDynamoClient } from "../../src/adapters/store-dynamodb/create-store.ts";
import { ensureTable } from "../../src/adapters/store-dynamodb/ensure-table.ts";

const SERVER = join(import.meta.dirname, "../../node_modules/@dynoxide/linux-x64/dynoxide");
const READY_TRIES = 400;
const START_MS_MAX = 120_000;

/** Returns false if the server is not available on this platform; a line then says which tests are skipped. */
export function hasDynamoServer(): boolean {
  if (existsSync(SERVER)) return true;
  console.log("The DynamoDB tests are skipped: @dynoxide/linux-x64 is not installed (available for x64 Linux only).");
  return false;
}

export type DynamoServer = {
  readonly endpoint: string;
  /** The environment of a process that uses this server. */
  readonly env: Readonly<Record<string, string>>;
  readonly client: (config?: DynamoDBClientConfig) => DynamoDBClient;
  /** Creates an empty table and returns its name. */
  readonly table: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

/** The program and its arguments, without the port. */
export type ServerCommand = readonly [string, ...string[]];
const DYNOXIDE: ServerCommand = [SERVER, "--port"];

export async function startDynamoServer([program, ...args] = DYNOXIDE): Promise<DynamoServer> {
  const port = await freePort();
  const child = spawn(program, [...args, String(port)], { stdio: "ignore" });
  const endpoint = `http://127.0.0.1:${port}`;
  const clients: DynamoDBClient[] = [];
  const client = (config: DynamoDBClientConfig = {}): DynamoDBClient => {
    const made = createDynamoClient({ endpoint, region: "us-east-1", credentials: CREDENTIALS, ...config });
    clients.push(made);
    return made;
  };
  const adminClient = client();
  await waitUntilReady(adminClient, child);
  let tables = 0;
  return {
    endpoint,
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    client,
    async table() {
      const name = `pawl-${++tables}`;
      await ensureTable(adminClient, name);
      return name;
    },
    async stop() {
      for (const one of clients) one.destroy();
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.kill()) await ended;
    },
  };
}

/** Starts one server for all tests of a file. */
export function useDynamoServer(command?: () => ServerCommand): () => DynamoServer {
  let server: DynamoServer | null = null;
  beforeAll(async () => {
    server = await startDynamoServer(command?.());
  }, START_MS_MAX);
  afterAll(() => server?.stop());
  return () => {
    if (server === null) throw new Error("the server is only available inside tests");
    return server;
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function waitUntilReady(client: DynamoDBClient, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < READY_TRIES; tries += 1) {
    if (child.exitCode !== null) break;
    try {
      await client.send(new ListTablesCommand({}));
      return;
    } catch {
      await sleep(50);
    }
  }
  child.kill();
  throw new Error("the DynamoDB server did not start");
}
