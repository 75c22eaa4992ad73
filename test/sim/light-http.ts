// Provides requests and responses without the cost of the platform's: their headers are plain objects, and their bodies
// are strings and not streams. Node's adapter of Hono does the same. What they cannot represent is left to the platform.
import type { Env } from "../../src/http/env.ts";

type Fields = Readonly<Record<string, string>>;
export type HttpRequest = {
  readonly method: string;
  readonly path: string;
  /** The names are in lower case. */
  readonly headers: Fields;
  readonly body?: string;
};

const ORIGIN = "http://localhost";
const encoder = new TextEncoder();

/** Returns a request and the bindings with which Node's adapter passes its headers. */
export function lightRequest({ method, path, headers, body }: HttpRequest): [Request, Env["Bindings"]] {
  const bytes = body === undefined ? null : encoder.encode(body);
  const request = {
    method,
    url: `${ORIGIN}${path}`,
    headers: createHeaders(headers),
    arrayBuffer: async () => bytes?.buffer ?? new ArrayBuffer(0),
  };
  const incoming = { headers: bytes ? { ...headers, "content-length": String(bytes.length) } : headers };
  return [request as unknown as Request, { incoming }];
}

type LightHeaders = Pick<Headers, "get" | "has" | "set">;

function createHeaders(fields: Fields): LightHeaders {
  const values: Record<string, string> = {};
  for (const name in fields) values[name.toLowerCase()] = fields[name] ?? "";
  return {
    get: (name) => values[name.toLowerCase()] ?? null,
    has: (name) => Object.hasOwn(values, name.toLowerCase()),
    set: (name, value) => {
      values[name.toLowerCase()] = value;
    },
  };
}

const PlatformResponse = globalThis.Response;

/** Creates the platform's response unless the body is text with a content type and the headers are a plain object. */
class LightResponse {
  readonly status: number;
  readonly headers: LightHeaders;
  readonly #text: string;

  constructor(body?: BodyInit | null, init: ResponseInit = {}) {
    const { headers, status = 200 } = init;
    const isLight = typeof body === "string" && isPlain(headers);
    this.status = status;
    this.headers = createHeaders(isLight ? headers : {});
    this.#text = isLight ? body : "";
    // biome-ignore lint/correctness/noConstructorReturn: `new Response` must also create the platform's responses
    if (!isLight) return new PlatformResponse(body, init) as unknown as LightResponse;
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof PlatformResponse || (typeof value === "object" && value !== null && #text in value);
  }

  async text(): Promise<string> {
    return this.#text;
  }
}

const isPlain = (headers: ResponseInit["headers"]): headers is Record<string, string> =>
  headers !== undefined && Object.getPrototypeOf(headers) === Object.prototype && "content-type" in headers;

/** Lets `new Response` create light responses until the returned function is called. */
export function useLightResponses(): () => void {
  globalThis.Response = LightResponse as unknown as typeof Response;
  return () => {
    globalThis.Response = PlatformResponse;
  };
}
