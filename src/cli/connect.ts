// Where the commands talk to: a server that is named, or one of our own in this folder.
import { type Client, createClient } from "../client/client.ts";
import { startLocalServer } from "./local-server.ts";
import { localToken } from "./local-token.ts";
import { EXIT_PROBLEM, type ExitCode, printError } from "./output.ts";

export type ServerOptions = { readonly url?: string; readonly key?: string };

export type Connection = {
  readonly client: Client;
  readonly url: string;
  readonly key: string | null;
  /** True when the server is our own and ends with us. */
  readonly isOwnServer: boolean;
};

/** Runs the command with a connection, and ends a server of our own after it. */
export async function withConnection(
  options: ServerOptions,
  run: (to: Connection) => Promise<ExitCode>,
): Promise<ExitCode> {
  const url = options.url ?? process.env.PAWL_URL;
  const given = options.key ?? process.env.PAWL_KEY ?? null;
  if (url) return isHttpUrl(url) ? run(await connection(url, given, false)) : invalidUrl(url);
  try {
    const server = await startLocalServer();
    try {
      return await run(await connection(server.url, given, true));
    } finally {
      await server.stop();
    }
  } catch (error) {
    printError(error instanceof Error ? error.message : String(error));
    printError("  `pawl doctor` says what is wrong here; --url or PAWL_URL names a server elsewhere.");
    return EXIT_PROBLEM;
  }
}

async function connection(url: string, given: string | null, own: boolean): Promise<Connection> {
  const key = given ?? (await localToken(url));
  return { client: createClient(url, key), url, key, isOwnServer: own };
}

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

function invalidUrl(url: string): ExitCode {
  printError(`${url} is no address of a server.\n  Write it like http://127.0.0.1:8787.`);
  return EXIT_PROBLEM;
}
