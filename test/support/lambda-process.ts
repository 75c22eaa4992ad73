// The bundled Lambda host, every call in a process that is started for it and ends with it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const INVOKE = join(import.meta.dirname, "lambda-invoke.ts");
const EVENTS = join(import.meta.dirname, "../hosts/lambda-events");

export type Invoked<T> = {
  readonly answer: T;
  readonly load_ms: number;
  readonly answer_ms: number;
  readonly log: string;
};
export type HttpAnswer = {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
};

export type LambdaProcess = {
  readonly bundle: string;
  readonly env: Readonly<Record<string, string>>;
};

export function invoke<T>(lambda: LambdaProcess, event: unknown, stream = false): Promise<Invoked<T>> {
  const child = spawn(process.execPath, [INVOKE], {
    env: { PATH: process.env.PATH ?? "", LAMBDA_TASK_ROOT: join(lambda.bundle, ".."), ...lambda.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let errors = "";
  child.stdout.on("data", (part) => {
    out += String(part);
  });
  child.stderr.on("data", (part) => {
    errors += String(part);
  });
  child.stdin.end(JSON.stringify({ bundle: lambda.bundle, event, stream }));
  return new Promise((resolve, reject) => {
    child.once("close", () => {
      const line = out.split("\n").findLast((one) => one.startsWith('{"lambda":'));
      if (line === undefined)
        return reject(new Error(`The function gave no answer.\n${`${out}${errors}`.slice(-2_000)}`));
      resolve({ ...(JSON.parse(line) as { lambda: Invoked<T> }).lambda, log: `${out}${errors}` });
    });
  });
}

type Event = Record<string, unknown> & {
  headers: Record<string, string>;
  requestContext: { http: Record<string, string> };
};

export const readEvent = (name: string): unknown => JSON.parse(readFileSync(join(EVENTS, `${name}.json`), "utf8"));

export type Call = {
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly base64?: boolean;
};

/** The event of a request, in the words of the service that received it. */
export function httpEvent(from: "function-url" | "http-api", call: Call): unknown {
  const event = readEvent(from) as Event;
  const method = call.method ?? (call.body === undefined ? "GET" : "POST");
  const text = call.body === undefined ? "" : JSON.stringify(call.body);
  return {
    ...event,
    rawPath: call.path,
    rawQueryString: call.query ?? "",
    headers: { ...event.headers, ...call.headers },
    requestContext: { ...event.requestContext, http: { ...event.requestContext.http, method, path: call.path } },
    body: call.base64 ? Buffer.from(text).toString("base64") : text,
    isBase64Encoded: call.base64 ?? false,
  };
}
