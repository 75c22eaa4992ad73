// Manages the spans of one turn. They are created when the turn ends, unless a call passes its trace on to another
// system, which needs them earlier.
import {
  type Context,
  context,
  type Link,
  ProxyTracer,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type TextMapGetter,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { TracedCall, TraceParent, TurnTrace } from "../../turn/runtime.ts";
import { OPERATIONS } from "./names.ts";

export type TurnOperation = "plan" | "invoke_agent";
export type TurnRoot = { readonly tracer: Tracer; readonly span: Span; readonly inside: Context };

export class TurnSpans implements TurnTrace {
  readonly #version: string;
  readonly #parent: TraceParent | null;
  readonly #started: number;
  /** The context at the start of the turn. When the turn is reported, another context may be active. */
  readonly #active = context.active();
  #root: TurnRoot | null = null;
  /** The spans of calls that passed their trace on. Most turns have none. */
  #calls: Map<string, Span> | null = null;

  constructor(version: string, parent: TraceParent | null, started: number) {
    this.#version = version;
    this.#parent = parent;
    this.#started = started;
  }

  headersOf({ operation_id, name, agent, started }: TracedCall): Readonly<Record<string, string>> {
    const root = this.root("invoke_agent", agent);
    this.#calls ??= new Map();
    const span = this.#calls.get(operation_id) ?? startCall(root, name, started);
    this.#calls.set(operation_id, span);
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(root.inside, span), headers);
    return headers;
  }

  root(operation: TurnOperation, agent: string | null, tracer = getTracer(this.#version)): TurnRoot {
    if (this.#root) return this.#root;
    const around = parentContext(this.#parent, this.#active);
    const links = linksOf(this.#parent);
    const options = { kind: SpanKind.INTERNAL, startTime: this.#started, attributes: OPERATIONS[operation], links };
    const span = tracer.startSpan(`${operation} ${agent ?? "unknown"}`, options, around);
    this.#root = { tracer, span, inside: trace.setSpan(around, span) };
    return this.#root;
  }

  /** Returns and forgets the span that was created for a call while it ran, if there is one. */
  takeCall(operation_id: string | null): Span | null {
    const span = operation_id === null ? undefined : this.#calls?.get(operation_id);
    if (!span || operation_id === null) return null;
    this.#calls?.delete(operation_id);
    return span;
  }

  /** Ends the spans of calls that have no receipt, for example because their commit lost a race. */
  endCalls(ended: number): void {
    for (const span of this.#calls?.values() ?? []) span.end(ended);
  }
}

const getTracer = (version: string): Tracer => trace.getTracer("pawl", version);

/** Returns null if no SDK for traces is registered. */
export function findTracer(version: string): Tracer | null {
  const tracer = getTracer(version);
  return tracer instanceof ProxyTracer ? null : tracer;
}

export function startCall({ tracer, inside }: TurnRoot, name: string, started: number): Span {
  const options = { kind: SpanKind.INTERNAL, startTime: started, attributes: OPERATIONS.execute_tool };
  return tracer.startSpan(`execute_tool ${name}`, options, inside);
}

/**
 * Returns a link to the request that queued this work. The trace of the request is not continued, because the request
 * may have ended days ago.
 */
function linksOf(parent: TraceParent | null): Link[] {
  if (parent?.from !== "queue") return [];
  const request = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, parent.carrier, GETTER));
  return request ? [{ context: request }] : [];
}

/**
 * Returns the parent of the turn's spans. The active span of an HTTP instrumentation is preferred to the headers of the
 * request, because it is itself a child of the span in these headers.
 */
function parentContext(parent: TraceParent | null, active: Context): Context {
  if (!parent || parent.from === "queue" || (parent.from === "headers" && trace.getSpan(active))) return active;
  return propagation.extract(active, parent.carrier, GETTER);
}

const GETTER: TextMapGetter<TraceParent["carrier"]> = {
  get: (carrier, name) => carrier.get(name) ?? undefined,
  keys: (carrier) => [...carrier.keys()],
};
