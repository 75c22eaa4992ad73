// What a person reads when the server has started: where it is, who may call, and a first call that works as printed.

export type Started = {
  readonly host: string;
  readonly port: number;
  readonly file: string;
  readonly model: string;
  readonly local_only: boolean;
  /** Whether the console was built. */
  readonly page: boolean;
};

/** The name under which the built-in model signs every record. */
export const DEMO = "demo";
const DEMO_WORDS = [
  "demo: the built-in offline model. It knows the sample calendar and nothing else.",
  "         For a real one set PAWL_MODEL and OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own),",
  "         see docs/how-to/configure-a-model.md",
].join("\n");

const ANYWHERE = ["0.0.0.0", "::"];

/** An address that can be called from this machine. */
export function urlOf(host: string, port: number): string {
  const named = ANYWHERE.includes(host) ? "127.0.0.1" : host;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

const FIRST_WISH = JSON.stringify({ goal: "Move the essay outline to Thursday of week 2" });

export function startLines({ host, port, file, model, local_only, page }: Started): string {
  const url = urlOf(host, port);
  const access = local_only
    ? "this machine only: no keys are configured, and everybody on it may do everything"
    : "named keys; put one of them into PAWL_KEY for the call below";
  const key = local_only ? "" : ' -H "authorization: Bearer $PAWL_KEY"';
  return [
    `Pawl listens on ${url}${ANYWHERE.includes(host) ? " and on every other address of this machine" : ""}`,
    `  page   ${page ? `${url}/` : "not built: run `npm run build`, then start again"}`,
    `  access ${access}`,
    `  data   ${file}`,
    `  model  ${model === DEMO ? DEMO_WORDS : model}`,
    `  docs   ${url}/docs`,
    "",
    "A first thread; the answer says what to send next, and README.md tells the whole story:",
    `  curl -s ${url}/v1/threads${key} -H 'content-type: application/json' -d '${FIRST_WISH}'`,
  ].join("\n");
}
