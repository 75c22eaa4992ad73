// Messages that this tab sent and that still wait in line. The server keeps them; this only remembers what to show.
import type { RecordView } from "../thread/conversation.ts";

export type QueuedMessage = {
  readonly text: string;
  /** The version of the thread when it was sent: later records may have heard it. */
  readonly after: number;
};

const STORAGE_KEY = "pawl-waiting";
type StoredMessages = Readonly<Record<string, readonly QueuedMessage[]>>;

const readAll = (): StoredMessages => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as StoredMessages;

export const readQueuedMessages = (thread: string): readonly QueuedMessage[] => readAll()[thread] ?? [];

export function storeQueuedMessages(thread: string, waiting: readonly QueuedMessage[]): void {
  const { [thread]: _, ...others } = readAll();
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(waiting.length > 0 ? { ...others, [thread]: waiting } : others));
}

export const clearQueuedMessages = (): void => sessionStorage.removeItem(STORAGE_KEY);

/** Without those that were heard, and those sent so long ago that nobody can tell from these records. */
export function stillQueued(
  waiting: readonly QueuedMessage[],
  records: readonly RecordView[],
): readonly QueuedMessage[] {
  const first = records[0]?.version ?? 0;
  const deliveredVersions = new Set<number>();
  return waiting.filter(({ text, after }) => {
    if (after + 1 < first) return false;
    const record = records.find(
      ({ version, input }) =>
        version > after && !deliveredVersions.has(version) && input?.type === "message" && input.text === text,
    );
    if (record) deliveredVersions.add(record.version);
    return !record;
  });
}
