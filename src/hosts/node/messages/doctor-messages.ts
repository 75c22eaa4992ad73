// Contains the messages of `pawl doctor` in English and Simplified Chinese.
import { terminalLanguage } from "../../../language.ts";

const en = {
  environment: "the environment; there is no pawl.config",
  noKeys: "none: everybody on this machine may do everything, nobody else anything",
  onePerson: "Fine for one person.",
  namedKeys: "named keys are configured",
  bashHint: "See docs/reference/configuration.md#tools.",
  toolkitHint:
    "For process set workspace and bash.enabled, see docs/reference/configuration.md#tools. For powershell install pwsh, too.",
  absent: (needs: readonly (readonly [name: string, missing: string])[]) =>
    `absent: ${needs.map(([name, part]) => `${name} (${part === name ? "not configured" : `needs ${part}`})`).join(", ")}`,
  notAFolder: (folder: string) => `${folder} is not a folder`,
  anotherFolder: "Name another one in PAWL_DATA.",
  notWritable: (folder: string) => `${folder} cannot be written to`,
  changeOwner: "Change its owner, or name another in PAWL_DATA.",
  willBeMade: (folder: string) => `${folder} (will be made)`,
  portTaken: (host: string, port: number) => `${host} port ${port} is taken, perhaps by Pawl itself`,
  anotherPort: "For a second server set PORT to another one.",
  portFailed: (host: string, port: number, why: string) => `${host} port ${port}: ${why}`,
  setPort: "Set HOST and PORT to what this machine has.",
  portFree: (host: string, port: number) => `${host} port ${port} is free`,
  demoModel: "none: the built-in demo model answers",
  realModel: "A real one: docs/how-to/configure-a-model.md",
  modelMissing: (name: string) => `${name} is not configured`,
  addModel: "Add it to pawl.config.",
  keyMissing: (name: string, variable: string) => `${name}: ${variable} is not set`,
  putKey: (variable: string) => `Put the key into ${variable}.`,
  noAnswer: (name: string, url: string, why: string) => `${name}: ${url} does not answer (${why})`,
  checkAddress: "Check the address, the network and whether the server runs.",
  keyRefused: (name: string, url: string, status: number) => `${name}: ${url} refuses the key (${status})`,
  validKey: (variable: string | undefined) => `Put a valid key into ${variable ?? "the configuration"}.`,
  answers: (name: string, model: string, url: string) => `${name}: ${model} at ${url} answers`,
  htmlPage: (name: string, url: string) => `${name}: ${url} answers with an HTML page, not as an API`,
  checkBaseUrl: "Check the address; it usually ends in /v1.",
  failing: (name: string, url: string, status: number) => `${name}: ${url} answers ${status}`,
  tryLater: "Look at that server, or try later.",
};

const zh: typeof en = {
  environment: "环境变量；没有 pawl.config",
  noKeys: "没有密钥：本机上的任何人都可以做任何事，其他人什么都不能做",
  onePerson: "适合一个人使用。",
  namedKeys: "已配置命名密钥",
  bashHint: "请看 docs/reference/configuration.md#tools。",
  toolkitHint:
    "要使用 process，请设置 workspace 和 bash.enabled，参见 docs/reference/configuration.md#tools。要使用 powershell，还要安装 pwsh。",
  absent: (needs) =>
    `缺少：${needs.map(([name, part]) => `${name}（${part === name ? "未配置" : `需要 ${part}`}）`).join("、")}`,
  notAFolder: (folder) => `${folder} 不是文件夹`,
  anotherFolder: "请在 PAWL_DATA 中指定另一个文件夹。",
  notWritable: (folder) => `${folder} 不可写`,
  changeOwner: "请更改它的所有者，或在 PAWL_DATA 中指定另一个文件夹。",
  willBeMade: (folder) => `${folder}（将会创建）`,
  portTaken: (host, port) => `${host} 的端口 ${port} 已被占用，可能就是 Pawl 自己`,
  anotherPort: "要启动第二个服务器，请把 PORT 设为另一个端口。",
  portFailed: (host, port, why) => `${host} 端口 ${port}：${why}`,
  setPort: "请把 HOST 和 PORT 设为本机具有的值。",
  portFree: (host, port) => `${host} 的端口 ${port} 空闲`,
  demoModel: "没有配置模型：由内置演示模型回答",
  realModel: "使用真正的模型：docs/how-to/configure-a-model.md",
  modelMissing: (name) => `没有配置 ${name}`,
  addModel: "请把它加入 pawl.config。",
  keyMissing: (name, variable) => `${name}：没有设置 ${variable}`,
  putKey: (variable) => `请把密钥放入 ${variable}。`,
  noAnswer: (name, url, why) => `${name}：${url} 没有响应（${why}）`,
  checkAddress: "请检查地址、网络，以及服务器是否在运行。",
  keyRefused: (name, url, status) => `${name}：${url} 拒绝了密钥（${status}）`,
  validKey: (variable) => `请把有效的密钥放入 ${variable ?? "配置"}。`,
  answers: (name, model, url) => `${name}：${url} 的 ${model} 有响应`,
  htmlPage: (name, url) => `${name}：${url} 返回的是 HTML 页面，而不是 API 的响应`,
  checkBaseUrl: "请检查地址；它通常以 /v1 结尾。",
  failing: (name, url, status) => `${name}：${url} 返回 ${status}`,
  tryLater: "请查看那个服务器，或稍后再试。",
};

/** Returns the messages in the language of the terminal. */
export const doctorTexts = (): typeof en => (terminalLanguage(process.env) === "zh" ? zh : en);
