// What a person reads when the server has started: where it is, who may call, and a first call that works as printed.

import type { ResolvedConfig } from "../shared/config-names.ts";

/** What the provider calls the model, and the host that serves it. */
export type Endpoint = { readonly model: string; readonly host: string };

export type StartupInfo = {
  readonly host: string;
  readonly port: number;
  readonly file: string;
  /** null: the demo model answers. */
  readonly endpoint: Endpoint | null;
  readonly local_only: boolean;
  /** Whether the console was built. */
  readonly has_console: boolean;
  /** Opens the console once with the right to approve; null where every caller has it, or keys decide. */
  readonly link_code?: string | null;
  /** Whether commands run in a sandbox; null: none can be run. */
  readonly sandboxed?: boolean | null;
  /** What is configured and does not start, each with what to do. */
  readonly warnings?: readonly string[];
};

/** The name under which the built-in model signs every record. */
export const DEMO_MODEL = "demo";
const DEMO_DESCRIPTION = [
  "demo: the built-in offline model. It knows the sample calendar and nothing else.",
  "         For a real one set PAWL_MODEL and OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own),",
  "         see docs/how-to/configure-a-model.md",
].join("\n");

const KEYS = "named keys; put one of them into PAWL_KEY for the call below";
const LOCAL = "this machine only: no keys are configured, and everybody on it may do everything";
/** The code appears only in the link: anyone who reads it can approve. */
const localWithLink = (link: string): string =>
  [
    "this machine only: everybody on it may read and advance. Tools can start processes, so approving",
    "         needs `pawl` in a terminal, or this link, which works once (`pawl link` prints another):",
    `         ${link}`,
  ].join("\n");

const SANDBOXED = "in a sandbox (bubblewrap): the workspace only, no network unless a person approves it";
const NOT_SANDBOXED = "without a sandbox: a command can do what this user can; `pawl doctor` says more";

/** `name` is the model's name in the configuration. */
export function endpointOf({ models, providers }: ResolvedConfig, name: string): Endpoint | null {
  const model = models[name];
  const provider = model === undefined ? undefined : providers[model.provider];
  return model && provider ? { model: model.name, host: new URL(provider.base_url).host } : null;
}

const WILDCARD_HOSTS = ["0.0.0.0", "::"];

/** An address that can be called from this machine. */
export function localUrl(host: string, port: number): string {
  const hostname = WILDCARD_HOSTS.includes(host) ? "127.0.0.1" : host;
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

const EXAMPLE_REQUEST = JSON.stringify({ goal: "Move the essay outline to Thursday of week 2" });

export function startupMessage({
  host,
  port,
  file,
  endpoint,
  local_only,
  has_console: page,
  link_code = null,
  sandboxed = null,
  warnings = [],
}: StartupInfo): string {
  const url = localUrl(host, port);
  const access = local_only ? (link_code === null ? LOCAL : localWithLink(`${url}/#token=${link_code}`)) : KEYS;
  const key = local_only ? "" : ' -H "authorization: Bearer $PAWL_KEY"';
  return [
    `Pawl listens on ${url}${WILDCARD_HOSTS.includes(host) ? " and on every other address of this machine" : ""}`,
    `  page   ${page ? `${url}/` : "not built: run `npm run build`, then start again"}`,
    `  access ${access}`,
    `  data   ${file}`,
    `  model  ${endpoint === null ? DEMO_DESCRIPTION : `${endpoint.model} at ${endpoint.host}`}`,
    ...(sandboxed === null ? [] : [`  bash   ${sandboxed ? SANDBOXED : NOT_SANDBOXED}`]),
    `  docs   ${url}/docs`,
    ...warnings.map((warning) => `  note   ${warning}`),
    "",
    "Create a first thread; the response says what to send next, and docs/start.md goes on from there:",
    `  curl -s ${url}/v1/threads${key} -H 'content-type: application/json' -d '${EXAMPLE_REQUEST}'`,
  ].join("\n");
}
