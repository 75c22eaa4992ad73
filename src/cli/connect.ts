// Where the commands talk to: a server that is named, or one of our own in this folder.
import { type Client, createClient } from "../client/client.ts";
import { startServer } from "./host.ts";
import { complain, type ExitCode, PROBLEM } from "./screen.ts";

export type Where = { readonly url?: string; readonly key?: string };

export type Connection = {
  readonly client: Client;
  readonly url: string;
  readonly key: string | null;
  /** True when the server is our own and ends with us. */
  readonly own: boolean;
};

/** Runs the command with a connection, and ends a server of our own after it. */
export async function connected(where: Where, run: (to: Connection) => Promise<ExitCode>): Promise<ExitCode> {
  const url = where.url ?? process.env.PAWL_URL;
  const key = where.key ?? process.env.PAWL_KEY ?? null;
  if (url) return isAddress(url) ? run({ client: createClient(url, key), url, key, own: false }) : noAddress(url);
  try {
    const server = await startServer();
    try {
      return await run({ client: createClient(server.url, key), url: server.url, key, own: true });
    } finally {
      await server.stop();
    }
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    complain("  `pawl doctor` says what is wrong here; --url or PAWL_URL names a server elsewhere.");
    return PROBLEM;
  }
}

const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

function noAddress(url: string): ExitCode {
  complain(`${url} is no address of a server.\n  Write it like http://127.0.0.1:8787.`);
  return PROBLEM;
}
