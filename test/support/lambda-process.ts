// Runs the bundled Lambda host in processes, either one per invocation or one for several.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minimalEnvironment } from "./minimal-environment.ts";

const INVOKE = join(import.meta.dirname, "lambda-invoke.ts");
const EVENTS = join(import.meta.dirname, "../hosts/aws-lambda/events");

export type InvocationResult<T> = {
  readonly answer: T;
  readonly load_ms: number;
  readonly answer_ms: number;
  readonly log: string;
};
export type HttpResponse = {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
};

export type LambdaProcess = {
  readonly bundle: string;
  readonly env: Readonly<Record<string, string>>;
  /** The time by which its clock is ahead of the machine's. */
  readonly ahead_ms?: number;
};

type InvokeOptions = {
  readonly stream?: boolean;
  /** The remaining time reported to the function. */
  readonly remaining_ms?: number;
};

/** A process for several invocations, like a warm instance. */
export type LambdaInstance = {
  readonly invoke: <T>(event: unknown, remaining_ms?: number) => Promise<InvocationResult<T>>;
  readonly end: () => Promise<void>;
};

const REMAINING_MS = 120_000;
const MARK = '{"lambda":';

export function startInstance(lambda: LambdaProcess, { stream = false }: InvokeOptions = {}): LambdaInstance {
  const child = spawn(process.execPath, [INVOKE], {
    env: minimalEnvironment({ LAMBDA_TASK_ROOT: join(lambda.bundle, ".."), ...lambda.env }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let read = 0;
  let wake = (): void => undefined;
  for (const from of [child.stdout, child.stderr]) {
    from.on("data", (part) => {
      out += String(part);
      wake();
    });
  }
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const send = (line: unknown): boolean => child.stdin.write(`${JSON.stringify(line)}\n`);
  send({ bundle: lambda.bundle, stream, ahead_ms: lambda.ahead_ms ?? 0 });

  /** Returns the next unread result, or null if there is none yet. */
  const readResult = <T>(): InvocationResult<T> | null => {
    const from = out.indexOf(MARK, read);
    const to = from < 0 ? -1 : out.indexOf("\n", from);
    if (to < 0) return null;
    const { lambda: result } = JSON.parse(out.slice(from, to)) as { lambda: InvocationResult<T> };
    const log = out.slice(read, from);
    read = to;
    return { ...result, log };
  };
  return {
    async invoke<T>(event: unknown, remaining_ms = REMAINING_MS) {
      send({ event, remaining_ms });
      const exited = closed.then(() => true);
      for (;;) {
        const answer = readResult<T>();
        if (answer) return answer;
        const outputReceived = new Promise<false>((resolve) => {
          wake = () => resolve(false);
        });
        if (await Promise.race([outputReceived, exited])) {
          const last = readResult<T>();
          if (last) return last;
          throw new Error(`The function returned no response.\n${out.slice(-2_000)}`);
        }
      }
    },
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}

/** Runs one invocation in a new process. */
export async function invoke<T>(
  lambda: LambdaProcess,
  event: unknown,
  { remaining_ms, ...options }: InvokeOptions = {},
): Promise<InvocationResult<T>> {
  const instance = startInstance(lambda, options);
  try {
    return await instance.invoke<T>(event, remaining_ms);
  } finally {
    await instance.end();
  }
}

type Event = Record<string, unknown> & {
  headers: Record<string, string>;
  requestContext: { http: Record<string, string> };
};

export const readEvent = (name: string): unknown => JSON.parse(readFileSync(join(EVENTS, `${name}.json`), "utf8"));

export type HttpRequest = {
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** A body that is sent unchanged instead of JSON. */
  readonly text?: string;
  readonly base64?: boolean;
};

/** Returns a request as an event in the format of the given service. */
export function httpEvent(from: "function-url" | "http-api", request: HttpRequest): unknown {
  const event = readEvent(from) as Event;
  const text = request.text ?? (request.body === undefined ? "" : JSON.stringify(request.body));
  const method = request.method ?? (text === "" ? "GET" : "POST");
  return {
    ...event,
    rawPath: request.path,
    rawQueryString: request.query ?? "",
    headers: { ...event.headers, ...request.headers },
    requestContext: { ...event.requestContext, http: { ...event.requestContext.http, method, path: request.path } },
    body: request.base64 ? Buffer.from(text).toString("base64") : text,
    isBase64Encoded: request.base64 ?? false,
  };
}

type Keys = { readonly pk: string; readonly sk: string };

/** Returns what the queue delivers when the table's stream reports new rows: one message each, with keys only. */
export function queueEvent(rows: readonly Keys[]): { Records: { messageId: string; body: string }[] } {
  const { Records } = readEvent("sqs") as { Records: [Record<string, unknown>] };
  const record = readEvent("stream-record") as { dynamodb: object };
  return {
    Records: rows.map(({ pk, sk }, n) => ({
      ...Records[0],
      messageId: `059f36b4-87a3-44ab-83d2-66197583${String(n).padStart(4, "0")}`,
      body: JSON.stringify({ ...record, dynamodb: { ...record.dynamodb, Keys: { pk: { S: pk }, sk: { S: sk } } } }),
    })),
  };
}
