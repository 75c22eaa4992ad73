// Examines the host for `pawl doctor`: configuration, keys, sandbox, data folder, port and models. Changes nothing.
import { access, constants, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { examineFile } from "../../adapters/store-sqlite/examine-file.ts";
import { TOOLKITS } from "../../toolkits/index.ts";
import { absentToolkits } from "../../tools/toolkit.ts";
import { createAccess } from "../shared/access.ts";
import { type Environment, type LoadedConfig, loadConfig } from "../shared/config.ts";
import { modelsInUse } from "../shared/config-names.ts";
import { readableKeys } from "../shared/secret-variables.ts";
import { bashRefusal } from "./bash-start.ts";
import { chooseSandbox, openSandbox } from "./command-sandbox.ts";
import { realPath, replaceableLink, replaceableProgram, storeFile } from "./data-folder.ts";
import { grantFile } from "./mcp/grant-files.ts";
import { doctorTexts } from "./messages/doctor-messages.ts";
import { nodePartNames } from "./workspace.ts";

type CheckResult = { about: string; is: "good" | "note" | "bad"; found: string; todo: string | null };

/** Examines commands for `pawl doctor`: whether the sandbox works and, if not, what a command could read. */
const good = (about: string, found: string): CheckResult => ({ about, is: "good", found, todo: null });
const bad = (about: string, found: string, todo: string): CheckResult => ({ about, is: "bad", found, todo });
const note = (about: string, found: string, todo: string): CheckResult => ({ about, is: "note", found, todo });

/** The keys that Pawl itself uses are found separately. */
const SECRET_NAME = /(_|^)(KEY|KEYS|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)$/;

function examineCommands(config: LoadedConfig, env: Environment): readonly CheckResult[] {
  const { workspace, bash } = config;
  if (!bash.enabled || workspace === null) return [];
  const works = openSandbox({ ...config, workspace });
  const chosen = chooseSandbox({ ...config, workspace }, env);
  const readable = readableVariables(config, env);
  const reach = readable.length > 0 ? `A command can read ${readable.join(", ")}.` : "No variable looks like a key.";
  if (!chosen.ok) return [bad("sandbox", chosen.problem.message, chosen.problem.hint)];
  if (chosen.value) return [good("sandbox", "bubblewrap works: commands run in it")];
  if (works.ok) {
    const todo = 'bubblewrap works here: set bash.sandbox to "auto" to use it.';
    return [note("sandbox", `off, as the configuration says. ${reach}`, todo)];
  }
  const todo = "Install bubblewrap (apt-get install bubblewrap): without it a command can do what this user can.";
  return [note("sandbox", `none. ${works.problem.message} ${reach}`, todo)];
}

function readableVariables(config: LoadedConfig, env: Environment): readonly string[] {
  const others = Object.keys(env).filter((name) => SECRET_NAME.test(name) && name !== "PAWL_API_KEYS" && env[name]);
  return [...new Set([...readableKeys(config, env), ...others])];
}

const text = doctorTexts();
const PROBE_TIMEOUT_MS = 5_000;

async function examine(): Promise<readonly CheckResult[]> {
  const config = await loadConfig(process.cwd(), process.env);
  if (!config.ok) return [bad("config", config.problem.message, config.problem.hint)];
  const { value } = config;
  return [
    good("config", value.source ?? text.environment),
    examineKeys(value),
    ...examineCommands(value, process.env),
    await examineData(value.data),
    ...examineBash(value),
    ...(await examineSignIns(value)),
    examineToolkits(value),
    await examinePort(value.host, value.port),
    ...(await examineModels(value)),
  ];
}

function examineKeys(config: LoadedConfig): CheckResult {
  const found = createAccess(config, process.env);
  if (!found.ok) return bad("keys", found.problem.message, found.problem.hint);
  return found.value.local_only ? note("keys", text.noKeys, text.onePerson) : good("keys", text.namedKeys);
}

/** Empty if bash is off or can start as configured. */
function examineBash(config: LoadedConfig): readonly CheckResult[] {
  const { workspace, data, bash } = config;
  const paths = {
    workspace: workspace === null ? null : realPath(workspace),
    data: realPath(data),
    link: workspace === null ? null : replaceableLink(workspace, [data, ...config.closed]),
    program: workspace === null ? null : replaceableProgram(workspace),
  };
  const sandbox = workspace === null ? null : chooseSandbox({ ...config, workspace }, process.env);
  const sandboxed = sandbox?.ok === true && sandbox.value !== null;
  const refusal = bashRefusal({ ...paths, enabled: bash.enabled, sandboxed });
  return refusal === null ? [] : [bad("bash", refusal, text.bashHint)];
}

async function examineSignIns({ mcp, data }: LoadedConfig): Promise<readonly CheckResult[]> {
  const names = Object.entries(mcp).flatMap(([name, { oauth }]) =>
    oauth?.grant === "authorization_code" ? [name] : [],
  );
  const results = names.map(async (name) =>
    (await grantFile(data, name).read())
      ? good("mcp", text.signedIn(name))
      : note("mcp", text.notSignedIn(name), `pawl mcp login ${name}`),
  );
  return Promise.all(results);
}

function examineToolkits(config: LoadedConfig): CheckResult {
  const toolkits = [...TOOLKITS, ...config.extensions.flatMap((extension) => extension.toolkits ?? [])];
  const absent = absentToolkits(toolkits, nodePartNames(config));
  const present = toolkits.map(({ name }) => name).filter((name) => !absent.some((one) => one.name === name));
  if (absent.length === 0) return good("toolkits", present.join(", "));
  const needs = absent.map(({ name, missing }) => [name, missing.join(", ")] as const);
  return note("toolkits", `${present.join(", ")}; ${text.absent(needs)}`, text.toolkitHint);
}

/** If the folder does not exist, the nearest existing folder above it is examined, in which it would be created. */
async function examineData(data: string): Promise<CheckResult> {
  for (let folder = data; ; folder = dirname(folder)) {
    const stats = await stat(folder).catch(() => null);
    if (stats === null && dirname(folder) !== folder) continue;
    if (!stats?.isDirectory()) return bad("data", text.notAFolder(folder), text.anotherFolder);
    const writable = await access(folder, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!writable) return bad("data", text.notWritable(folder), text.changeOwner);
    return folder === data ? examineStore(data) : good("data", text.willBeCreated(data));
  }
}

async function examineStore(data: string): Promise<CheckResult> {
  const file = storeFile(data);
  const usable = await examineFile(file);
  if (usable.ok) return good("data", data);
  const { code, message } = usable.problem;
  return bad("data", text.unusable(file, message), code === "newer_version" ? text.anotherRelease : text.restoreFile);
}

const examinePort = (host: string, port: number): Promise<CheckResult> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === "EADDRINUSE"
          ? note("port", text.portTaken(host, port), text.anotherPort)
          : bad("port", text.portFailed(host, port, error.message), text.setPort),
      ),
    );
    server.listen(port, host, () => server.close(() => resolve(good("port", text.portFree(host, port)))));
  });

async function examineModels(config: LoadedConfig): Promise<readonly CheckResult[]> {
  const names = modelsInUse(config);
  if (names.length === 0) return [note("model", text.demoModel, text.realModel)];
  return Promise.all(names.map((name) => examineModel(config, name)));
}

async function examineModel(config: LoadedConfig, name: string): Promise<CheckResult> {
  const model = config.models[name];
  const provider = model ? config.providers[model.provider] : undefined;
  if (!model || !provider) return bad("model", text.modelMissing(name), text.addModel);
  const { api_key_env, base_url } = provider;
  const key = api_key_env ? process.env[api_key_env]?.trim() : provider.api_key;
  if (api_key_env && !key) return bad("model", text.keyMissing(name, api_key_env), text.putKey(api_key_env));
  const answer = await probeEndpoint(base_url, key);
  if (typeof answer === "string") return bad("model", text.noAnswer(name, base_url, answer), text.checkAddress);
  if (answer === 401 || answer === 403)
    return bad("model", text.keyRefused(name, base_url, answer), text.validKey(api_key_env));
  if (answer === HTML_PAGE) return bad("model", text.htmlPage(name, base_url), text.checkBaseUrl);
  // Not every server can list its models, so any other response below 500 means that the server works.
  return answer < 500
    ? good("model", text.answers(name, model.name, base_url))
    : bad("model", text.failing(name, base_url, answer), text.tryLater);
}

/** A website responds to any URL with a page, so a page means that the URL is not that of an API. */
const HTML_PAGE = Symbol("HTML page");

/** Returns the status, or the reason for a missing response as a string. Redirects are not followed, so that only the configured server gets the key. */
async function probeEndpoint(base_url: string, key: string | undefined): Promise<number | string | typeof HTML_PAGE> {
  try {
    const headers = key ? { authorization: `Bearer ${key}` } : {};
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(`${base_url.replace(/\/$/, "")}/models`, { headers, signal, redirect: "manual" });
    await response.body?.cancel();
    const isPage = response.ok && /^text\/html\b/.test(response.headers.get("content-type") ?? "");
    return isPage ? HTML_PAGE : response.status;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message || cause.name : String(cause);
  }
}

console.log(JSON.stringify(await examine()));
