// The host examines itself for `pawl doctor`: configuration, keys, sandbox, data folder, port, models. Prints findings as JSON; changes nothing.
import { access, constants, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { TOOLKITS } from "../../toolkits/index.ts";
import { absentToolkits } from "../../tools/toolkit.ts";
import { createAccess } from "../shared/access.ts";
import { type LoadedConfig, loadConfig } from "../shared/config.ts";
import { describeAbsent, modelsInUse } from "../shared/config-names.ts";
import { bashRefusal } from "./bash-start.ts";
import { chooseSandbox } from "./command-sandbox.ts";
import { realPath, replaceableLink } from "./data-folder.ts";
import { examineCommands } from "./examine-commands.ts";
import { nodePartNames } from "./workspace.ts";

type CheckResult = { about: string; is: "good" | "note" | "bad"; found: string; todo: string | null };

const good = (about: string, found: string): CheckResult => ({ about, is: "good", found, todo: null });
const bad = (about: string, found: string, todo: string): CheckResult => ({ about, is: "bad", found, todo });
const note = (about: string, found: string, todo: string): CheckResult => ({ about, is: "note", found, todo });

const PROBE_TIMEOUT_MS = 5_000;

async function examine(): Promise<readonly CheckResult[]> {
  const config = await loadConfig(process.cwd(), process.env);
  if (!config.ok) return [bad("config", config.problem.message, config.problem.hint)];
  const { value } = config;
  return [
    good("config", value.source ?? "the environment; there is no pawl.config"),
    examineKeys(value),
    ...examineCommands(value, process.env),
    await examineData(value.data),
    ...examineBash(value),
    examineToolkits(value),
    await examinePort(value.host, value.port),
    ...(await examineModels(value)),
  ];
}

function examineKeys(config: LoadedConfig): CheckResult {
  const found = createAccess(config, process.env);
  if (!found.ok) return bad("keys", found.problem.message, found.problem.hint);
  return found.value.local_only
    ? note("keys", "none: everybody on this machine may do everything, nobody else anything", "Fine for one person.")
    : good("keys", "named keys are configured");
}

/** No result where commands are off or run as configured. */
function examineBash(config: LoadedConfig): readonly CheckResult[] {
  const { workspace, data, bash } = config;
  const paths = {
    workspace: workspace === null ? null : realPath(workspace),
    data: realPath(data),
    link: workspace === null ? null : replaceableLink(workspace, [data, ...config.closed]),
  };
  const sandbox = workspace === null ? null : chooseSandbox({ ...config, workspace }, process.env);
  const sandboxed = sandbox?.ok === true && sandbox.value !== null;
  const refusal = bashRefusal({ ...paths, enabled: bash.enabled, sandboxed });
  return refusal === null ? [] : [bad("bash", refusal, "See docs/reference/configuration.md#tools.")];
}

/** Which toolkits agents can ask for, and why the others are absent. */
function examineToolkits(config: LoadedConfig): CheckResult {
  const toolkits = [...TOOLKITS, ...config.extensions.flatMap((extension) => extension.toolkits ?? [])];
  const absent = absentToolkits(toolkits, nodePartNames(config));
  const present = toolkits.map(({ name }) => name).filter((name) => !absent.some((one) => one.name === name));
  const found = `${present.join(", ")}${absent.map((one) => `; ${describeAbsent(one)}`).join("")}`;
  if (absent.length === 0) return good("toolkits", found);
  return note(
    "toolkits",
    found,
    "For process set workspace and bash.enabled, see docs/reference/configuration.md#tools. For powershell install pwsh, too.",
  );
}

/** The folder, or the nearest one above in which it would be made. */
async function examineData(data: string): Promise<CheckResult> {
  for (let folder = data; ; folder = dirname(folder)) {
    const stats = await stat(folder).catch(() => null);
    if (stats === null && dirname(folder) !== folder) continue;
    if (!stats?.isDirectory()) return bad("data", `${folder} is not a folder`, "Name another one in PAWL_DATA.");
    const writable = await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!writable)
      return bad("data", `${folder} cannot be written to`, "Change its owner, or name another in PAWL_DATA.");
    return good("data", folder === data ? data : `${data} (will be made)`);
  }
}

const examinePort = (host: string, port: number): Promise<CheckResult> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === "EADDRINUSE"
          ? note(
              "port",
              `${host} port ${port} is taken, perhaps by Pawl itself`,
              "For a second server set PORT to another one.",
            )
          : bad("port", `${host} port ${port}: ${error.message}`, "Set HOST and PORT to what this machine has."),
      ),
    );
    server.listen(port, host, () => server.close(() => resolve(good("port", `${host} port ${port} is free`))));
  });

async function examineModels(config: LoadedConfig): Promise<readonly CheckResult[]> {
  const names = modelsInUse(config);
  if (names.length === 0)
    return [note("model", "none: the built-in demo model answers", "A real one: docs/how-to/configure-a-model.md")];
  return Promise.all(names.map((name) => examineModel(config, name)));
}

async function examineModel(config: LoadedConfig, name: string): Promise<CheckResult> {
  const model = config.models[name];
  const provider = model ? config.providers[model.provider] : undefined;
  if (!model || !provider) return bad("model", `${name} is not configured`, "Add it to pawl.config.");
  const { api_key_env, base_url } = provider;
  const key = api_key_env ? process.env[api_key_env]?.trim() : provider.api_key;
  if (api_key_env && !key)
    return bad("model", `${name}: ${api_key_env} is not set`, `Put the key into ${api_key_env}.`);
  const answer = await probeEndpoint(base_url, key);
  if (typeof answer === "string")
    return bad(
      "model",
      `${name}: ${base_url} does not answer (${answer})`,
      "Check the address, the network and whether the server runs.",
    );
  if (answer === 401 || answer === 403)
    return bad(
      "model",
      `${name}: ${base_url} refuses the key (${answer})`,
      `Put a valid key into ${api_key_env ?? "the configuration"}.`,
    );
  // Not every server lists its models: any answer but a refusal means that it is there.
  return answer < 500
    ? good("model", `${name}: ${model.name} at ${base_url} answers`)
    : bad("model", `${name}: ${base_url} answers ${answer}`, "Look at that server, or try later.");
}

/** The status, or why there is none. The key is sent only to the configured server. */
async function probeEndpoint(base_url: string, key: string | undefined): Promise<number | string> {
  try {
    const headers = key ? { authorization: `Bearer ${key}` } : {};
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(`${base_url.replace(/\/$/, "")}/models`, { headers, signal, redirect: "manual" });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message || cause.name : String(cause);
  }
}

console.log(JSON.stringify(await examine()));
