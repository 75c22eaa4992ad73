// The bundled Lambda host in processes: one that is started for a call and ends with it, or one that stays for a while.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

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
  /** How far its clock is ahead of the machine's. */
  readonly ahead_ms?: number;
};

type InvokeOptions = {
  readonly stream?: boolean;
  /** What the function is told of the time it has left. */
  readonly remaining_ms?: number;
};

/** A process that stays, as an instance does that is asked again soon. */
export type LambdaInstance = {
  readonly invoke: <T>(event: unknown, remaining_ms?: number) => Promise<InvocationResult<T>>;
  readonly end: () => Promise<void>;
};

const REMAINING_MS = 120_000;
const MARK = '{"lambda":';

export function startInstance(lambda: LambdaProcess, { stream = false }: InvokeOptions = {}): LambdaInstance {
  const child = spawn(process.execPath, [INVOKE], {
    env: { PATH: process.env.PATH ?? "", LAMBDA_TASK_ROOT: join(lambda.bundle, ".."), ...lambda.env },
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

  /** The next answer that is not read yet; null while there is none. */
  const readResult = <T>(): InvocationResult<T> | null => {
    const from = out.indexOf(MARK, read);
    const to = from < 0 ? -1 : out.indexOf("\n", from);
    if (to < 0) return null;
    const { lambda: told } = JSON.parse(out.slice(from, to)) as { lambda: InvocationResult<T> };
    const log = out.slice(read, from);
    read = to;
    return { ...told, log };
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
          throw new Error(`The function gave no answer.\n${out.slice(-2_000)}`);
        }
      }
    },
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}

/** One call in a process that is started for it and ends with it. */
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
  /** As it is, instead of JSON. */
  readonly text?: string;
  readonly base64?: boolean;
};

/** The event of a request, in the words of the service that received it. */
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

/** What the queue gives out when the table's stream told of new rows: a message each, with the keys and no more. */
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
