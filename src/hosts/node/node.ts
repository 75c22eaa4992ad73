// Runs the Node host (`npm start`): reads the configuration, opens the data folder and serves HTTP until it is stopped.
import { systemClock } from "../../adapters/clock-system.ts";
import { createApp } from "../../http/app.ts";
import { createHub } from "../../http/live/hub.ts";
import { aboutRoutes } from "../../http/routes/about.ts";
import { consoleFileRoutes } from "../../http/routes/console-page.ts";
import { terminalLanguage } from "../../language.ts";
import type { Result } from "../../schema/problem.ts";
import { createAccess } from "../shared/access.ts";
import { appSettings } from "../shared/app-settings.ts";
import { collectSecrets } from "../shared/collect-secrets.ts";
import { loadConfig } from "../shared/config.ts";
import { DEMO_MODEL } from "../shared/config-names.ts";
import { createCommandGuard } from "./command-guard.ts";
import { consoleFiles } from "./console-files.ts";
import { createHostJobs } from "./host-jobs.ts";
import { canStartProcesses, keepTokenFile, localTokenFor } from "./local-token.ts";
import { createLog } from "./log.ts";
import { createNodeRuntime } from "./node-runtime.ts";
import { upgradeNodeSocket } from "./node-sockets.ts";
import { readProblemPage } from "./problem-pages.ts";
import { serveNode } from "./serve-node.ts";
import { endpointOf, localUrl, startupMessage } from "./startup-message.ts";

/** Added to the deadline of a turn, for commits and responses. */
const STOP_GRACE_MS = 10_000;
const PARENT_POLL_MS = 500;

// Otherwise this signal would open Node's debugger, through which any process of this user could run code in the server.
process.on("SIGUSR1", () => undefined);

function orExit<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  console.error(`${result.problem.message}\n${result.problem.hint}`);
  process.exit(1);
}

const config = orExit(await loadConfig(process.cwd(), process.env));
const access = orExit(createAccess(config, process.env, (reason) => log.warn({ msg: "keys", reason })));
const onCall = (line: object): void => log.info({ msg: "call", ...line });
const onDataAttempt = (attempt: object): void => log.info({ msg: "data", ...attempt });
const runtime = orExit(await createNodeRuntime(config, process.env, { onCall, onDataAttempt }));
const { rt, file, model, commands, warnings } = runtime;
// Created only now, because the log redacts the secret that signs links, which was just read from the data folder.
const log = createLog(config.log.level, [...collectSecrets(config, process.env), runtime.secret]);
const jobs = createHostJobs(runtime, config, log);
const startsProcesses = canStartProcesses(rt, config.extensions);
const local = localTokenFor(access, startsProcesses);
const stopping = new AbortController();
const { host, limits } = config;
const consolePage = consoleFiles();
const hub = createHub();
const app = createApp(
  {
    ...appSettings(rt, config, access, log),
    ...(local ? { authenticate: local.authenticate } : {}),
    hub,
    upgrade: upgradeNodeSocket,
    stopping: stopping.signal,
    problem_page: readProblemPage,
  },
  [
    ...consoleFileRoutes(consolePage),
    ...aboutRoutes({ model, demo: model === DEMO_MODEL, data: file }),
    ...(local?.routes ?? []),
    ...jobs.routes,
  ],
  runtime.routes,
);
const { request_timeout_ms } = limits;
const guardOptions = startsProcesses ? { guard: createCommandGuard(commands?.running ?? new Map()) } : {};
const server = orExit(
  await serveNode(app, { host, port: config.port, request_timeout_ms, log, stopping, ...guardOptions }),
);
const removeToken = local ? keepTokenFile(config.data, server.port, local.token) : () => undefined;
const worker = jobs.start(localUrl(host, server.port), hub.publish);
console.log(
  startupMessage(
    {
      host,
      port: server.port,
      file,
      endpoint: endpointOf(config, model),
      local_only: access.local_only,
      has_console: consolePage.length > 0,
      link_code: local?.issueLinkCode() ?? null,
      sandboxed: commands?.sandboxed ?? null,
      warnings,
    },
    terminalLanguage(process.env),
  ),
);
for (const reason of warnings) log.warn({ msg: "startup note", reason });

async function stop(): Promise<void> {
  rt.metrics?.flush?.();
  // A second signal means that the operator does not want to wait. Everything committed is already stored.
  if (stopping.signal.aborted) process.exit(1);
  const timeout_ms = limits.turn_deadline_ms + STOP_GRACE_MS;
  const drained = Promise.race([worker.drain().then(() => true), systemClock.sleep(timeout_ms).then(() => false)]);
  const inTime = (await server.stop(timeout_ms)) && (await drained);
  removeToken();
  await runtime.close();
  process.exit(inTime ? 0 : 1);
}
// Prepended, because a listener of an extension may shut down a telemetry SDK, which would ignore later reports.
process.prependListener("SIGTERM", () => void stop());
process.prependListener("SIGINT", () => void stop());

/** `npm start` runs the server in a shell that does not forward signals, so the end of the shell means that npm was stopped. */
function stopWhenParentExits(): void {
  const parentPid = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(poll);
    if (!stopping.signal.aborted) void stop();
  }, PARENT_POLL_MS);
}
if (process.env.npm_lifecycle_event === "start") stopWhenParentExits();
