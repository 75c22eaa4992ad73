// Messages that this tab sent and that still wait in line. The server keeps them; this only remembers what to show.
import type { RecordView } from "../thread/conversation.ts";

export type Waiting = {
  readonly text: string;
  /** The version of the thread when it was sent: later records may have heard it. */
  readonly after: number;
};

const NAME = "pawl-waiting";
type Kept = Readonly<Record<string, readonly Waiting[]>>;

const readAll = (): Kept => JSON.parse(sessionStorage.getItem(NAME) ?? "{}") as Kept;

export const readWaiting = (thread: string): readonly Waiting[] => readAll()[thread] ?? [];

export function keepWaiting(thread: string, waiting: readonly Waiting[]): void {
  const { [thread]: _, ...others } = readAll();
  sessionStorage.setItem(NAME, JSON.stringify(waiting.length > 0 ? { ...others, [thread]: waiting } : others));
}

export const forgetWaiting = (): void => sessionStorage.removeItem(NAME);

/** Without those that were heard, and those sent so long ago that nobody can tell from these records. */
export function stillWaiting(waiting: readonly Waiting[], records: readonly RecordView[]): readonly Waiting[] {
  const first = records[0]?.version ?? 0;
  const heard = new Set<number>();
  return waiting.filter(({ text, after }) => {
    if (after + 1 < first) return false;
    const record = records.find(
      ({ version, input }) =>
        version > after && !heard.has(version) && input?.type === "message" && input.text === text,
    );
    if (record) heard.add(record.version);
    return !record;
  });
}
