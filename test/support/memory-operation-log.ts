// Keeps operation logs in process memory. The logs are lost at exit.
import type { ProgressLog } from "../../src/ports/progress-log.ts";
import type { ThreadRef } from "../../src/schema/ids.ts";
import { fail, ok } from "../../src/schema/problem.ts";
import type { ProgressLine } from "../../src/schema/progress-line.ts";

export function createMemoryOperationLog(): ProgressLog {
  const threads = new Map<string, Map<string, ProgressLine[]>>();
  const nameOf = (at: ThreadRef): string => `${at.tenant}/${at.thread}`;
  return {
    async append(at, operation, line) {
      const logs = threads.get(nameOf(at)) ?? new Map<string, ProgressLine[]>();
      const lines = logs.get(operation) ?? [];
      lines.push(line);
      threads.set(nameOf(at), logs.set(operation, lines));
      return ok(undefined);
    },
    async read(at, operation, { after, limit }) {
      const lines = threads
        .get(nameOf(at))
        ?.get(operation)
        ?.filter((line) => line.n > after);
      if (!lines) return fail("operation_not_found", "This operation has no log.");
      const page = lines.slice(0, limit);
      return ok({ lines: page, after: lines.length > limit ? (page.at(-1)?.n ?? after) : null });
    },
    async remove(at) {
      threads.delete(nameOf(at));
      return ok(undefined);
    },
  };
}
