// What a person reads when the server has started: where it is, who may call, and a first call that works as printed.

export type Started = {
  readonly host: string;
  readonly port: number;
  readonly file: string;
  readonly model: string;
  readonly local_only: boolean;
};

const ANYWHERE = ["0.0.0.0", "::"];

/** An address that can be called from this machine. */
export function urlOf(host: string, port: number): string {
  const named = ANYWHERE.includes(host) ? "127.0.0.1" : host;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

export function startLines({ host, port, file, model, local_only }: Started): string {
  const url = urlOf(host, port);
  const access = local_only
    ? "this machine only: no keys are configured, and everybody on it may do everything"
    : "named keys; put one of them into PAWL_KEY for the call below";
  const key = local_only ? "" : ' -H "authorization: Bearer $PAWL_KEY"';
  return [
    `Pawl listens on ${url}`,
    `  access ${access}`,
    `  data   ${file}`,
    `  model  ${model}`,
    `  docs   ${url}/docs`,
    "",
    `  curl -s ${url}/v1/threads${key} -H 'content-type: application/json' -d '{"goal":"Say hello"}'`,
  ].join("\n");
}
