// Stores the messages of this tab that are still queued. The server also stores them, so this copy is only for display.
import type { RecordView } from "../thread/conversation.ts";

export type QueuedMessage = {
  readonly text: string;
  /** The thread version when the message was sent. Only later records can contain the message. */
  readonly after: number;
};

const STORAGE_KEY = "pawl-waiting";
type StoredMessages = Readonly<Record<string, readonly QueuedMessage[]>>;

const readAll = (): StoredMessages => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "{}") as StoredMessages;

export const readQueuedMessages = (thread: string): readonly QueuedMessage[] => readAll()[thread] ?? [];

export function storeQueuedMessages(thread: string, messages: readonly QueuedMessage[]): void {
  const { [thread]: _, ...others } = readAll();
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(messages.length > 0 ? { ...others, [thread]: messages } : others));
}

export const clearQueuedMessages = (): void => sessionStorage.removeItem(STORAGE_KEY);

/** Drops delivered messages, and messages older than the loaded records, which may have been delivered. */
export function stillQueued(
  messages: readonly QueuedMessage[],
  records: readonly RecordView[],
): readonly QueuedMessage[] {
  const first = records[0]?.version ?? 0;
  const deliveredVersions = new Set<number>();
  return messages.filter(({ text, after }) => {
    if (after + 1 < first) return false;
    const record = records.find(
      ({ version, input }) =>
        version > after && !deliveredVersions.has(version) && input?.type === "message" && input.text === text,
    );
    if (record) deliveredVersions.add(record.version);
    return !record;
  });
}
