// Measures the lower limit: one row of the same size per request, without a model, prompts or checks.
import { randomUUID } from "node:crypto";
import { type OpenSession, observe, openDatabase } from "./system.ts";

const ENTRY = JSON.stringify({ text: observe(0), record: "x".repeat(1_900) });
const STATE = JSON.stringify({ state: "x".repeat(2_600) });

export const open: OpenSession = async (path) => {
  const db = openDatabase(path, "CREATE TABLE rows (thread TEXT, n INTEGER, entry TEXT, state TEXT) STRICT");
  const insert = db.prepare("INSERT INTO rows VALUES (?, ?, ?, ?)");
  const put = async (id: string): Promise<void> => void insert.run(id, 1, ENTRY, STATE);
  return {
    async create() {
      const id = randomUUID();
      insert.run(id, 0, "{}", "{}");
      return id;
    },
    turn: put,
    pause: put,
    resume: put,
    age: async () => undefined,
  };
};
