// Implements `pawl doctor`, which reports problems and how to fix them. The host runs its checks in its own process.
import { createClient } from "../client/client.ts";
import type { ServerOptions } from "./connect.ts";
import { runHostDoctor } from "./local-server.ts";
import { localToken } from "./local-token.ts";
import { t } from "./messages/messages.ts";
import {
  colorize,
  EXIT_OK,
  EXIT_PROBLEM,
  type ExitCode,
  escapeControl,
  indent,
  printJson,
  printLine,
} from "./output.ts";

/** The format that src/hosts/node/doctor.ts prints. */
type CheckResult = {
  readonly about: string;
  readonly is: "good" | "note" | "bad";
  readonly found: string;
  readonly todo: string | null;
};

const MARKS = {
  good: () => colorize("green", "✓"),
  note: () => colorize("yellow", "!"),
  bad: () => colorize("red", "✗"),
};

export async function doctor(options: ServerOptions & { readonly json?: boolean }): Promise<ExitCode> {
  const url = options.url ?? process.env.PAWL_URL;
  const key = options.key ?? process.env.PAWL_KEY ?? (url && URL.canParse(url) ? await localToken(url) : null);
  const findings = [checkNodeVersion(), ...(url ? await examineServer(url, key) : await examineHost())];
  const good = findings.every((finding) => finding.is !== "bad");
  if (options.json) printJson({ ok: good, findings });
  else for (const finding of findings) printCheckResult(finding);
  if (!options.json) printLine(good ? t().doctor.fine : t().doctor.fix);
  return good ? EXIT_OK : EXIT_PROBLEM;
}

function printCheckResult({ about, is, found, todo }: CheckResult): void {
  const name = t().doctor.about[about] ?? about;
  printLine(`${MARKS[is]()} ${name.padEnd(9)} ${indent(escapeControl(found), " ".repeat(12)).trimStart()}`);
  if (todo) printLine(indent(escapeControl(todo), " ".repeat(12)));
}

function checkNodeVersion(): CheckResult {
  const good = Number(process.versions.node.split(".")[0]) >= 24;
  const todo = good ? null : t().doctor.installNode;
  return { about: "node", is: good ? "good" : "bad", found: t().doctor.node(process.versions.node), todo };
}

async function examineHost(): Promise<readonly CheckResult[]> {
  const output = await runHostDoctor();
  try {
    return JSON.parse(output) as readonly CheckResult[];
  } catch {
    const todo = t().doctor.seeWhy;
    return [{ about: "host", is: "bad", found: t().doctor.hostFailed(output.slice(0, 500)), todo }];
  }
}

type About = { release: string; model: string; demo: boolean; caller: { name: string; scopes: string[] } };

async function examineServer(url: string, key: string | null): Promise<readonly CheckResult[]> {
  const client = createClient(url, key);
  const ready = await client.call("GET", "/readyz");
  if (!ready.ok) return [{ about: "server", is: "bad", found: ready.problem.message, todo: ready.problem.hint }];
  const server: CheckResult = { about: "server", is: "good", found: t().doctor.serverResponds(url), todo: null };
  const about = await client.call<About>("GET", "/v1/about");
  if (!about.ok) return [server, { about: "key", is: "bad", found: about.problem.message, todo: about.problem.hint }];
  const { model, demo, caller } = about.value;
  return [
    server,
    { about: "key", is: "good", found: t().doctor.scopes(caller.name, caller.scopes.join(", ")), todo: null },
    demo
      ? { about: "model", is: "note", found: t().doctor.demo, todo: t().doctor.realModel }
      : { about: "model", is: "good", found: model, todo: null },
  ];
}
