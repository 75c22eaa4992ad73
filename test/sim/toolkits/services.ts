// Provides the services that tools of a toolkit history reach: a read-only database, and an MCP server that asks a user
// before it files a report. They record what really arrived.
import type { JudgeStatement, NamedSource } from "../../../src/ports/data/data-source.ts";
import type { McpServer } from "../../../src/ports/data/mcp-server.ts";
import { fail, ok, type Result } from "../../../src/schema/problem.ts";
import { judgeSql } from "../../../src/toolkits/data/sql/judge-sql.ts";
import { crashHere, drawDelay } from "../ports.ts";
import type { Process, World } from "../world.ts";

export type Filed = { readonly report: string; readonly topic: string };
export type Services = {
  /** Every statement that the database ran. */
  readonly statements: string[];
  readonly filed: Filed[];
};
export const createServices = (): Services => ({ statements: [], filed: [] });

/**
 * The ports through which a process reaches both services, over a network that fails, loses replies and ends with the
 * process.
 */
export type ServicePorts = {
  readonly judge: JudgeStatement;
  readonly source: NamedSource["source"];
  readonly mcp: McpServer;
};

export const CUSTOMERS = [
  ["Ada", 3],
  ["Grace", 5],
] as const;
export const MASKED_VALUE = "ada@canary.example";

export const SHOP: Omit<NamedSource, "source"> = {
  ...{ name: "shop", description: "Customers", agents: null, database: "shop" },
  ...{ tables: ["customers"], masked: ["customers.email"], max_rows: 100, timeout_ms: 5_000 },
};
export const REPORT_TOOL = {
  name: "file_report",
  description: "Files a report.",
  input: { type: "object", properties: { report: { type: "string" } }, required: ["report"] },
};
const TOPIC_FORM = {
  message: "Which topic?",
  schema: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
  url: null,
};

export function servicePorts(world: World, process: Process, services: Services): ServicePorts {
  /** Decides whether the request arrives, and whether its reply does. */
  async function exchange<T>(label: string, perform: () => T, unknown: boolean): Promise<Result<T>> {
    await world.wait(process, label, drawDelay(world, label));
    switch (world.fault(label, { fail: 2, lose: 2, crash_before: 1, crash_after: 2 })) {
      case "fail":
        return fail(unknown ? "fetch_failed" : "query_failed", "The service is down.");
      case "lose":
        perform();
        return fail(unknown ? "outcome_unknown" : "query_failed", "No reply came.");
      case "crash_before":
        return crashHere(world, process);
      case "crash_after":
        perform();
        return crashHere(world, process);
      default:
        return ok(perform());
    }
  }
  const columns = ["name", "orders", "email"];
  return {
    judge,
    source: {
      read: (sql) =>
        exchange(
          "query",
          () => {
            services.statements.push(sql);
            const shows = /\bemail\b/.test(sql) ? columns : columns.slice(0, 2);
            const rows = CUSTOMERS.map((row) => [...row, MASKED_VALUE].slice(0, shows.length));
            return { columns: shows, rows, truncated: false };
          },
          false,
        ),
      tables: async () => ok([]),
    },
    mcp: {
      list: async () => ok([REPORT_TOOL]),
      call: ({ arguments: { report }, answers }) =>
        exchange(
          "mcp call",
          () => {
            const answer = answers?.topic;
            if (!answer) return { kind: "asks" as const, forms: { topic: TOPIC_FORM }, request_state: String(report) };
            const declined = answer.action === "decline";
            if (!declined) services.filed.push({ report: String(report), topic: String(answer.content.topic) });
            const text = declined ? "Not filed." : "Filed.";
            return { kind: "result" as const, text, data: null, is_error: declined };
          },
          true,
        ),
      close: async () => undefined,
    },
  };
}

const judge: JudgeStatement = async (sql, { tables, masked, database }) => {
  const verdict = judgeSql(sql, { dialect: "mysql", masked, database, ...(tables ? { tables } : {}) });
  return verdict.verdict === "allow" ? ok(verdict.sql) : fail("query_refused", verdict.reason, { code: verdict.code });
};
