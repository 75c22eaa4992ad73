// What a person reads when the server has started: where it is, who may call, and a first call that works as printed.

export type StartupInfo = {
  readonly host: string;
  readonly port: number;
  readonly file: string;
  readonly model: string;
  readonly local_only: boolean;
  /** Whether the console was built. */
  readonly has_console: boolean;
};

/** The name under which the built-in model signs every record. */
export const DEMO_MODEL = "demo";
const DEMO_DESCRIPTION = [
  "demo: the built-in offline model. It knows the sample calendar and nothing else.",
  "         For a real one set PAWL_MODEL and OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own),",
  "         see docs/how-to/configure-a-model.md",
].join("\n");

const WILDCARD_HOSTS = ["0.0.0.0", "::"];

/** An address that can be called from this machine. */
export function localUrl(host: string, port: number): string {
  const hostname = WILDCARD_HOSTS.includes(host) ? "127.0.0.1" : host;
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

const EXAMPLE_REQUEST = JSON.stringify({ goal: "Move the essay outline to Thursday of week 2" });

export function startupMessage({ host, port, file, model, local_only, has_console: page }: StartupInfo): string {
  const url = localUrl(host, port);
  const access = local_only
    ? "this machine only: no keys are configured, and everybody on it may do everything"
    : "named keys; put one of them into PAWL_KEY for the call below";
  const key = local_only ? "" : ' -H "authorization: Bearer $PAWL_KEY"';
  return [
    `Pawl listens on ${url}${WILDCARD_HOSTS.includes(host) ? " and on every other address of this machine" : ""}`,
    `  page   ${page ? `${url}/` : "not built: run `npm run build`, then start again"}`,
    `  access ${access}`,
    `  data   ${file}`,
    `  model  ${model === DEMO_MODEL ? DEMO_DESCRIPTION : model}`,
    `  docs   ${url}/docs`,
    "",
    "A first thread; the answer says what to send next, and README.md tells the whole story:",
    `  curl -s ${url}/v1/threads${key} -H 'content-type: application/json' -d '${EXAMPLE_REQUEST}'`,
  ].join("\n");
}
