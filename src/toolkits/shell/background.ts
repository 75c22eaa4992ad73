// Keeps commands running while their thread does other work. A command is stopped when its thread is removed, after an
// hour, or when the server stops.
import type { OutputChunk, ProcessExit, ProcessOperations } from "../../ports/operations.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";

const RUNNING_MAX = 4;
const KEPT_MAX = 16;
const OUTPUT_CHARS_MAX = 65_536;
const DURATION_MAX_MS = 3_600_000;

export type BackgroundProcess = {
  readonly id: number;
  readonly command: string;
  /** Null while the command runs. */
  readonly end: ProcessExit | { readonly kind: "failed"; readonly message: string } | null;
  readonly output: string;
};

type Entry = { -readonly [K in keyof BackgroundProcess]: BackgroundProcess[K] } & {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
};
export type StartCommand = {
  readonly command: string;
  readonly folder?: string | undefined;
  readonly network: boolean;
};

export type Background = {
  readonly start: (owner: string, process: ProcessOperations, command: StartCommand) => Result<BackgroundProcess>;
  readonly list: (owner: string) => readonly BackgroundProcess[];
  readonly find: (owner: string, id: number) => Result<BackgroundProcess>;
  readonly stop: (owner: string, id: number) => Promise<Result<BackgroundProcess>>;
  readonly stopAll: (owner: string) => Promise<void>;
};

export function createBackground(): Background {
  const owners = new Map<string, Entry[]>();
  const entriesOf = (owner: string): Entry[] => owners.get(owner) ?? [];
  const find = (owner: string, id: number): Result<Entry> => {
    const entry = entriesOf(owner).find((one) => one.id === id);
    return entry ? ok(entry) : fail("tool_refused", `This thread started no command with the number ${id}.`);
  };
  const stopEntry = async (entry: Entry): Promise<void> => {
    entry.stop.abort();
    await entry.ended;
  };
  return {
    start(owner, process, command) {
      const entries = entriesOf(owner);
      if (entries.filter(({ end }) => end === null).length >= RUNNING_MAX)
        return fail("tool_refused", `At most ${RUNNING_MAX} commands run in the background. Stop one first.`);
      const entry = startEntry((entries.at(-1)?.id ?? 0) + 1, process, command);
      const ended = entries.filter(({ end }) => end !== null);
      const dropped = new Set(ended.slice(0, Math.max(0, entries.length + 1 - KEPT_MAX)));
      owners.set(owner, [...entries.filter((one) => !dropped.has(one)), entry]);
      return ok(view(entry));
    },
    list: (owner) => entriesOf(owner).map(view),
    find(owner, id) {
      const found = find(owner, id);
      return found.ok ? ok(view(found.value)) : found;
    },
    async stop(owner, id) {
      const found = find(owner, id);
      if (!found.ok) return found;
      await stopEntry(found.value);
      return ok(view(found.value));
    },
    async stopAll(owner) {
      await Promise.all(entriesOf(owner).map(stopEntry));
      owners.delete(owner);
    },
  };
}

const view = ({ id, command, end, output }: Entry): BackgroundProcess => ({ id, command, end, output });

function startEntry(id: number, process: ProcessOperations, { command, folder, network }: StartCommand): Entry {
  const stop = new AbortController();
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const onOutput = ({ stream, bytes }: OutputChunk): void => {
    entry.output = (entry.output + decoders[stream].decode(bytes, { stream: true })).slice(-OUTPUT_CHARS_MAX);
  };
  const options = { command, network, timeout_ms: DURATION_MAX_MS, signal: stop.signal, onOutput };
  const ended = process.run({ ...options, ...(folder ? { folder } : {}) }).then(
    (report) => {
      entry.end = report.ok ? report.value.end : { kind: "failed", message: report.problem.message };
    },
    (error: unknown) => {
      entry.end = { kind: "failed", message: String(error) };
    },
  );
  const entry: Entry = { id, command, end: null, output: "", stop, ended };
  return entry;
}
