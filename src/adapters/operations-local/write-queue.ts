// Allows one writer at a time per path, in order of arrival and within this process only.
export type WriteQueue = <T>(path: string, task: () => Promise<T>) => Promise<T>;

export function createWriteQueue(): WriteQueue {
  const tails = new Map<string, Promise<unknown>>();
  return async (path, task) => {
    // Some disks treat two spellings as one file. Waiting unnecessarily is better than losing a write.
    const key = path.normalize("NFC").toLowerCase();
    const previous = tails.get(key) ?? Promise.resolve();
    const current = previous.then(task, task);
    tails.set(key, current);
    try {
      return await current;
    } finally {
      if (tails.get(key) === current) tails.delete(key);
    }
  };
}
