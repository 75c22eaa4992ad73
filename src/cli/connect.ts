// Connects a command to the given server or, if none is given, to a local one that is started for the command in this
// folder.
import { type Client, createClient } from "../client/client.ts";
import { startLocalServer } from "./local-server.ts";
import { localToken } from "./local-token.ts";
import { t } from "./messages/messages.ts";
import { type ExitCode, messageOf, reportError } from "./output.ts";

export type ServerOptions = { readonly url?: string; readonly key?: string };

export type Connection = {
  readonly client: Client;
  readonly url: string;
  readonly key: string | null;
  /** True if this process has started the server, which it then stops on exit. */
  readonly isOwnServer: boolean;
};

/** Stops the server afterwards if it was started for the command. */
export async function withConnection(
  options: ServerOptions,
  run: (to: Connection) => Promise<ExitCode>,
): Promise<ExitCode> {
  const url = options.url ?? process.env.PAWL_URL;
  const given = options.key ?? process.env.PAWL_KEY ?? null;
  if (url) return isHttpUrl(url) ? run(await connection(url, given, false)) : reportError(t().invalidUrl(url));
  try {
    const server = await startLocalServer();
    try {
      return await run(await connection(server.url, given, true));
    } finally {
      await server.stop();
    }
  } catch (error) {
    return reportError(`${messageOf(error)}\n${t().serverHint}`);
  }
}

async function connection(url: string, given: string | null, own: boolean): Promise<Connection> {
  const key = given ?? (await localToken(url));
  return { client: createClient(url, key), url, key, isOwnServer: own };
}

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
