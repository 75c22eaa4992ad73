// The message printed after startup: the URL of the server, who may call it, and a first request to copy.
import type { Language } from "../../language.ts";
import type { ResolvedConfig } from "../shared/config-names.ts";

/** The model, under its provider's name, and the host that serves it. */
export type Endpoint = { readonly model: string; readonly host: string };

export type StartupInfo = {
  readonly host: string;
  readonly port: number;
  readonly file: string;
  /** Null if the demo model is used. */
  readonly endpoint: Endpoint | null;
  readonly local_only: boolean;
  readonly has_console: boolean;
  /** Opens the console once with the right to approve. Null if every caller has this right, or if keys determine who has it. */
  readonly link_code?: string | null;
  /** True if commands run in a sandbox; null if commands cannot run. */
  readonly sandboxed?: boolean | null;
  /** Configured capabilities that are not available, each with advice on what to do. */
  readonly warnings?: readonly string[];
};

const en = {
  listens: (url: string, everywhere: boolean) =>
    `Pawl listens on ${url}${everywhere ? " and on every other address of this machine" : ""}`,
  labels: {
    page: "page  ",
    access: "access",
    data: "data  ",
    model: "model ",
    bash: "bash  ",
    docs: "docs  ",
    note: "note  ",
  },
  notBuilt: "not built: run `npm run build`, then start again",
  demo: [
    "demo: the built-in offline model. It knows the sample semester and the sample week (agent planner).",
    "         For a real model, set PAWL_MODEL and OPENAI_API_KEY (or OPENAI_BASE_URL for your own server);",
    "         see docs/how-to/configure-a-model.md",
  ],
  modelAt: (model: string, host: string) => `${model} at ${host}`,
  keys: "named keys; set PAWL_KEY to one of them for the request below",
  local: "this machine only: no keys are configured, so anyone on this machine has full access",
  localWithLink: [
    "this machine only: anyone on it may read and advance. Tools can start processes, so approving",
    "         needs `pawl` in a terminal, or this link, which works once (`pawl link` prints another):",
  ],
  sandboxed: "in a sandbox (bubblewrap): the workspace only, no network unless a person approves it",
  notSandboxed: "without a sandbox: a command can do what this user can; see `pawl doctor`",
  first: "Create a first thread; the response states what to send next, and docs/start.md continues from there:",
};

const zh: typeof en = {
  listens: (url, everywhere) => `Pawl 已启动：${url}${everywhere ? " 以及本机的所有其他地址" : ""}`,
  labels: {
    page: "页面  ",
    access: "访问  ",
    data: "数据  ",
    model: "模型  ",
    bash: "命令  ",
    docs: "文档  ",
    note: "注意  ",
  },
  notBuilt: "尚未构建：运行 `npm run build`，然后重新启动",
  demo: [
    "demo：内置的离线模型，只了解示例学期和示例工作周（智能体 planner）。",
    "         使用真正的模型请设置 PAWL_MODEL 和 OPENAI_API_KEY（自己的服务器请设置 OPENAI_BASE_URL），",
    "         见 docs/how-to/configure-a-model.md",
  ],
  modelAt: (model, host) => `${model}（${host}）`,
  keys: "需要密钥；下面的请求请把其中一个放入 PAWL_KEY",
  local: "仅限本机：没有配置密钥，本机上的任何人都可以做任何事",
  localWithLink: [
    "仅限本机：本机上的任何人都可以查看和推进。工具可以启动进程，因此批准需要",
    "         在终端里使用 `pawl`，或使用下面的一次性链接（`pawl link` 会再给出一个）：",
  ],
  sandboxed: "在沙箱（bubblewrap）中：只能访问工作区，未经批准不能联网",
  notSandboxed: "没有沙箱：命令拥有当前用户的全部权限；详见 `pawl doctor`",
  first: "创建第一个会话；响应会说明接下来发送什么，docs/start.md 有后续步骤：",
};

/** `name` is the name of the model in the configuration. */
export function endpointOf({ models, providers }: ResolvedConfig, name: string): Endpoint | null {
  const model = models[name];
  const provider = model === undefined ? undefined : providers[model.provider];
  return model && provider ? { model: model.name, host: new URL(provider.base_url).host } : null;
}

const WILDCARD_HOSTS = ["0.0.0.0", "::"];

/** A URL for requests from this machine. */
export function localUrl(host: string, port: number): string {
  const hostname = WILDCARD_HOSTS.includes(host) ? "127.0.0.1" : host;
  return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

const EXAMPLE_REQUESTS: Readonly<Record<Language, string>> = {
  en: JSON.stringify({ goal: "Move the essay outline to Thursday of week 2" }),
  zh: JSON.stringify({ goal: "把 essay outline 移到第2周周四" }),
};

export function startupMessage(info: StartupInfo, language: Language = "en"): string {
  const {
    host,
    port,
    file,
    endpoint,
    local_only,
    has_console,
    link_code = null,
    sandboxed = null,
    warnings = [],
  } = info;
  const text = { en, zh }[language];
  const url = localUrl(host, port);
  // The code is printed only in the link, because anyone who reads it can approve.
  const local =
    link_code === null ? text.local : [...text.localWithLink, `         ${url}/#token=${link_code}`].join("\n");
  const key = local_only ? "" : ' -H "authorization: Bearer $PAWL_KEY"';
  const line = (label: keyof typeof text.labels, value: string): string => `  ${text.labels[label]} ${value}`;
  return [
    text.listens(url, WILDCARD_HOSTS.includes(host)),
    line("page", has_console ? `${url}/` : text.notBuilt),
    line("access", local_only ? local : text.keys),
    line("data", file),
    line("model", endpoint === null ? text.demo.join("\n") : text.modelAt(endpoint.model, endpoint.host)),
    ...(sandboxed === null ? [] : [line("bash", sandboxed ? text.sandboxed : text.notSandboxed)]),
    line("docs", `${url}/docs`),
    ...warnings.map((warning) => line("note", warning)),
    "",
    text.first,
    `  curl -s ${url}/v1/threads${key} -H 'content-type: application/json' -d '${EXAMPLE_REQUESTS[language]}'`,
  ].join("\n");
}
