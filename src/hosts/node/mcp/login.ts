// The program behind `pawl mcp login` and `pawl mcp logout`: signs in to an MCP server of the configuration, or forgets
// the sign-in. It prints messages and the address to open.
import { parseArgs } from "node:util";
import { createGuardedFetcher } from "../../../adapters/fetch-guarded/guarded-fetcher.ts";
import { signIn } from "../../../adapters/mcp-client/oauth/sign-in.ts";
import { fail, ok, type Problem, type Result } from "../../../schema/problem.ts";
import { singleLine } from "../../../tools/truncate-text.ts";
import { VERSION } from "../../../version.ts";
import { loadConfig } from "../../shared/config.ts";
import { fetcherFor, loadMcpSdk, readClient, readHeaders } from "../../shared/mcp-servers.ts";
import { loginTexts } from "../messages/login-messages.ts";
import { openCallbackServer } from "./callback-server.ts";
import { grantFile } from "./grant-files.ts";

const text = loginTexts();
const SIGN_IN_MS = 600_000;

type Options = { readonly port: number; readonly scope: string | undefined };

async function login(name: string, { port, scope }: Options): Promise<Result<string>> {
  const found = await findServer(name);
  if (!found.ok) return found;
  const { server, url, oauth, data } = found.value;
  const sdk = await loadMcpSdk();
  if (!sdk.ok) return sdk;
  const client = readClient(name, oauth, process.env);
  if (!client.ok) return client;
  const headers = readHeaders(name, server, process.env);
  if (!headers.ok) return headers;
  const callback = await openCallbackServer(port, text.page);
  const timer = setTimeout(() => stop(fail("request_timeout", text.timeout)), SIGN_IN_MS);
  const grant = await signIn({
    sdk: sdk.value,
    name,
    version: VERSION,
    url,
    headers: headers.value,
    fetcher: fetcherFor(server, url, (ports, allow) => createGuardedFetcher({ ports, allow })),
    client: client.value,
    scope: [oauth.scope, scope].filter(Boolean).join(" ") || undefined,
    redirect_url: callback.url,
    authorize(address) {
      console.log(`${text.open}\n\n${address.href}\n`);
      return callback.returned;
    },
  });
  clearTimeout(timer);
  callback.close();
  if (!grant.ok) return grant;
  await grantFile(data, name).write(grant.value);
  return ok(text.signedIn(name));
}

async function logout(name: string): Promise<Result<string>> {
  const found = await findServer(name);
  if (!found.ok) return found;
  await grantFile(found.value.data, name).remove();
  return ok(text.signedOut(name));
}

async function findServer(name: string) {
  const config = await loadConfig(process.cwd(), process.env);
  if (!config.ok) return config;
  const { mcp, data } = config.value;
  const server = mcp[name];
  if (!server) return fail("config_invalid", text.unknown(name, Object.keys(mcp)));
  const { url, oauth } = server;
  if (url === undefined || oauth?.grant !== "authorization_code") return fail("config_invalid", text.noSignIn(name));
  return ok({ server, url, oauth, data });
}

function stop(result: Result<string>): never {
  if (result.ok) console.log(result.value);
  else printProblem(result.problem);
  process.exit(result.ok ? 0 : 1);
}

/** The message may quote the authorization server, whose control characters could rewrite the terminal. */
const printProblem = ({ message, hint }: Problem): void => console.error(`${singleLine(message)}\n  ${hint}`);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string", default: "0" }, scope: { type: "string" } },
});
const [verb, name = ""] = positionals;
stop(await (verb === "logout" ? logout(name) : login(name, { port: Number(values.port), scope: values.scope })));
