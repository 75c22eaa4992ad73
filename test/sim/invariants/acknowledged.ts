// I1: what a client was told is stored verbatim, in an order that explains all observations; and what was sent once is
// stored at most once.
import type { TurnInput } from "../../../src/schema/input.ts";
import type { ThreadRecord } from "../../../src/schema/record.ts";
import type { ThreadView } from "../../../src/schema/turn-result.ts";
import { explainList, type ListOperation } from "../../../src/testing/linearizable.ts";
import { formatAllArguments } from "../../../src/tools/redaction/escape-hidden.ts";
import { threadView, turnView } from "../../../src/turn/view.ts";
import { removedCommits, wasRemoved } from "../changes/changes-state.ts";
import type { Evidence, StoredThread } from "../evidence.ts";
import type { Attempt, ClientRequest } from "../network.ts";
import { isSameJson } from "../same-json.ts";
import type { SimResponse } from "../server.ts";
import { argumentsOf } from "./receipts.ts";

export function acknowledgedIsStored({ threads, clientRequests, changes }: Evidence): readonly string[] {
  return threads.flatMap((thread) => {
    if (wasRemoved(changes, thread.at.thread)) return [];
    const isOwn = (sent: ClientRequest) => (attempt: Attempt) => threadOf(sent, attempt) === thread.at.thread;
    const own = clientRequests.filter((sent) => sent.tries.some(isOwn(sent)));
    const tries = own.flatMap((sent) => sent.tries.filter(isOwn(sent)).map((attempt) => ({ sent, attempt })));
    const list = thread.records.map(({ entry }) => entry.commit_id);
    const views = createViews(thread);
    return [
      ...tries.flatMap(({ sent, attempt }) =>
        attempt.response ? responseMismatch(views, sent, attempt.response) : [],
      ),
      ...own.flatMap((sent) => responsesMatch(sent)),
      ...explainList(
        list,
        tries.flatMap(({ sent, attempt }) => operationOf(thread, sent, attempt)),
      ).map((flaw) => `I1 ${thread.at.thread} ${flaw}`),
    ];
  });
}

/** Returns the thread of a response. The response to a message that rolls back a run comes from a different thread. */
function threadOf({ request }: ClientRequest, { response }: Attempt): string | null {
  if (response?.outcome) return response.outcome.thread.id;
  return "at" in request && request.kind !== "fork" ? request.at.thread : null;
}

type Views = {
  readonly thread: StoredThread;
  readonly threadAt: (version: number, head: ThreadRecord) => ThreadView;
  readonly turnOf: (versions: readonly number[]) => ReturnType<typeof turnView>;
};

/** Creates the views that responses must match. Many responses show the same ones. */
function createViews(thread: StoredThread): Views {
  const threads = new Map<number, ThreadView>();
  const turns = new Map<string, ReturnType<typeof turnView>>();
  return {
    thread,
    threadAt(version, { state, entry }) {
      const view = threads.get(version) ?? threadView(thread.at.thread, version, state, entry.at);
      threads.set(version, view);
      return view;
    },
    turnOf(versions) {
      const key = versions.join();
      const records = versions.map((version) => thread.records[version]).filter((one) => one !== undefined);
      const view = turns.get(key) ?? turnView(records);
      turns.set(key, view);
      return view;
    },
  };
}

/** Checks that the thread and the turn in a response match the records exactly. */
function responseMismatch(views: Views, sent: ClientRequest, answer: SimResponse): readonly string[] {
  if (!answer.outcome) return [];
  const { thread: shown, turn } = answer.outcome;
  const { thread } = views;
  const head = thread.records[shown.version];
  if (!head) return [`I1 ${sent.client} got version ${shown.version} of ${shown.id}, which is not stored`];
  const view = withHydratedGate(thread, views.threadAt(shown.version, head), shown);
  const wrong = isSameJson(view, shown)
    ? []
    : [
        `I1 version ${shown.version} of ${shown.id} is not what ${sent.client} got: ${firstDifference(JSON.stringify(view), JSON.stringify(shown))}`,
      ];
  if (!turn) return wrong;
  const stored = views.turnOf(turn.versions);
  if (!isSameJson(stored, turn))
    wrong.push(
      `I1 turn ${turn.number} of ${shown.id} is not what was returned: ${firstDifference(JSON.stringify(stored), JSON.stringify(turn))}`,
    );
  return wrong;
}

/** Returns the gate with its large arguments, which HTTP responses contain but the log stores separately. */
function withHydratedGate(thread: StoredThread, stored: ThreadView, shown: ThreadView): ThreadView {
  const { gate } = stored;
  if (!gate || !("call" in gate) || isSameJson(gate, shown.gate)) return stored;
  const args = argumentsOf(thread, gate.call);
  if (!args) return stored;
  const call = { ...gate.call, arguments: args };
  const hydrated =
    gate.kind === "confirmation" ? { ...gate, shown: formatAllArguments(args), call } : { ...gate, call };
  return { ...stored, gate: hydrated };
}

const firstDifference = (a: string, b: string): string => {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  return `${a.slice(Math.max(0, i - 30), i + 60)} | ${b.slice(Math.max(0, i - 30), i + 60)}`;
};

/** Checks that all complete responses to one keyed request are identical. */
function responsesMatch(sent: ClientRequest): readonly string[] {
  if (!("key" in sent.request) || sent.request.key === null || sent.tries.length < 2) return [];
  const bodies = new Set(sent.tries.flatMap(({ response }) => (response?.final ? [response.body] : [])));
  return bodies.size > 1
    ? [
        `I1 ${sent.client} ${sent.request.key} got ${bodies.size} different responses: ${firstDifference(...([...bodies] as [string, string]))}`,
      ]
    : [];
}

function operationOf(thread: StoredThread, sent: ClientRequest, attempt: Attempt): readonly ListOperation[] {
  const { response } = attempt;
  if (!response) return [];
  // An earlier attempt may have executed the request.
  const invoked = sent.tries.reduce((first, one) => Math.min(first, one.invoked), attempt.invoked);
  const id = `${sent.client} ${sent.request.kind} ${attempt.invoked}`;
  const read = (version: number): ListOperation => ({
    id,
    invoked: attempt.invoked,
    done: attempt.done,
    kind: "read",
    count: version + 1,
    last: thread.records[version]?.entry.commit_id ?? null,
  });
  const moved = response.code === "thread_moved" ? response.problem?.details?.version : undefined;
  if (response.code === "thread_moved" && typeof moved !== "number")
    return [{ ...read(-2), id: `${id} has no version` }];
  if (typeof moved === "number") return [read(moved)];
  if (!response.outcome) return [];
  if (sent.request.kind === "fork") return [];
  if (sent.request.kind === "read") return [read(response.outcome.thread.version)];
  // The thread was already in this state, and the response only reports it.
  if (sent.request.kind !== "create" && response.outcome.turn === null) return [read(response.outcome.thread.version)];
  const versions = response.outcome.turn?.versions ?? [0];
  const values = versions.map(
    (version) => thread.records[version]?.entry.commit_id ?? `${thread.at.thread} ${version}`,
  );
  return [{ id, invoked, done: attempt.done, kind: "append", values, outcome: "ok" }];
}

/** Checks that a keyed input is stored at most once, and an unkeyed one at most as often as it was sent. */
export function inputsStoredOnce({ threads, clientRequests, changes }: Evidence): readonly string[] {
  const owned = ownRecords(threads, removedCommits(changes));
  return threads.flatMap(({ at }) => {
    if (wasRemoved(changes, at.thread)) return [];
    const counts = new Map<string, number>();
    for (const { entry } of owned.get(at.thread) ?? []) {
      const text = entry.input && !NON_USER_ACTORS.test(entry.actor) ? inputSignature(entry.input, entry.actor) : null;
      if (text) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    const allowed = new Map<string, number>();
    for (const { request, tries } of clientRequests) {
      if (request.kind !== "turn" || !request.input) continue;
      const elsewhere = request.if_busy === "rollback" && request.at.tenant === at.tenant;
      if (request.at.thread !== at.thread && !elsewhere) continue;
      const text = inputSignature(request.input, request.actor);
      if (text) allowed.set(text, (allowed.get(text) ?? 0) + (request.key === null ? tries.length : 1));
    }
    return [...counts].flatMap(([text, count]) =>
      count > (allowed.get(text) ?? 0)
        ? [`I1 ${at.thread}: ${text} is stored ${count} times, but was sent ${allowed.get(text) ?? 0} times`]
        : [],
    );
  });
}

/** Returns the records that were sent to this thread. A fork begins with the records of another thread. */
function ownRecords(
  threads: readonly StoredThread[],
  removed: readonly string[],
): ReadonlyMap<string, readonly ThreadRecord[]> {
  const first = new Set(removed);
  return new Map(
    threads.map(({ at, records }) => {
      const own = records.filter(({ entry }) => !first.has(entry.commit_id));
      for (const { entry } of records) first.add(entry.commit_id);
      return [at.thread, own];
    }),
  );
}

/** Matches actors whose inputs other invariants check. */
const NON_USER_ACTORS = /^(?:schedule-|hook:|link:)/;

const inputSignature = (input: TurnInput, actor: string): string => `${actor} ${JSON.stringify(input)}`;
