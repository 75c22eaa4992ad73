// Contains the messages of `pawl mcp login` and `pawl mcp logout` in English and Simplified Chinese.
import { terminalLanguage } from "../../../language.ts";

const en = {
  open: "Open this address in a browser on this machine to sign in:",
  page: "You can close this page and return to the terminal.",
  timeout: "Nobody signed in within ten minutes.",
  signedIn: (name: string) => `Signed in to ${name}. A running server uses the sign-in within a minute.`,
  signedOut: (name: string) => `Removed the tokens of ${name}.`,
  unknown: (name: string, known: readonly string[]) =>
    `The configuration has no MCP server ${name}. Configured servers: ${known.join(", ") || "none"}.`,
  noSignIn: (name: string) =>
    `mcp.${name} has no sign-in. To add one, set its url and "oauth": {} in the configuration.`,
};

const zh: typeof en = {
  open: "请在本机的浏览器中打开这个地址并登录：",
  page: "您可以关闭此页面并返回终端。",
  timeout: "十分钟内没有人登录。",
  signedIn: (name) => `已登录 ${name}。正在运行的服务器会在一分钟内使用它。`,
  signedOut: (name) => `已删除 ${name} 的令牌。`,
  unknown: (name, known) => `配置中没有 MCP 服务器 ${name}；现有：${known.join("、") || "无"}。`,
  noSignIn: (name) => `mcp.${name} 不使用登录。如需登录，请在配置中为它设置 url 和 "oauth": {}。`,
};

export const loginTexts = (): typeof en => (terminalLanguage(process.env) === "zh" ? zh : en);
