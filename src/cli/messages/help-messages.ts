// Contains the messages of `pawl --help` in English and Simplified Chinese.
import { terminalLanguage } from "../../language.ts";

const en = {
  about: "Pawl in the terminal. Every turn is durable, so you can leave and come back at any time.",
  seeHelp: "Run with --help for usage.",
  help: "display help for command",
  version: "output the version number",
  wholeNumber: "Expected a whole number from 1 to 200.",
  portNumber: "Expected a port from 0 to 65535.",
  /** Replacements for the titles of the help, such as "Usage:". English needs none. */
  titles: {} as Readonly<Record<string, string>>,
  commands: {
    serve: "start the server",
    chat: "start a run, watch it and approve its calls",
    threads: "list the threads, newest first",
    show: "show a thread with its plan, turns and receipts",
    run: "run a thread in the background; also retries a run that was abandoned",
    pause: "pause a background run after its current turn",
    resume: "resume a paused background run",
    link: "print a one-time link that opens a server's console",
    doctor: "check the installation and explain how to fix problems",
    export: "export a thread to a tamper-evident file",
    import: "import an exported thread under its original id",
    verify: "verify an exported file offline",
    calendar: "show, import and connect calendars",
    "calendar show": "list the events of a week, or of a range",
    "calendar import": "replace the content of a calendar with an iCalendar file, and print the report",
    "calendar connect": "connect an empty calendar to a configured account or a subscription",
    mcp: "sign in to configured MCP servers",
    "mcp login": "sign in to a server in the browser and store its tokens",
    "mcp logout": "remove the tokens of a server",
    workflow: "check and run workflow files",
    "workflow check": "check a workflow file and print all mistakes",
    "workflow run": "run a workflow file until it ends or waits for a person",
    "workflow steps": "list the steps of a thread",
    "workflow show": "print a stored workflow",
    eval: "run evaluation tasks and compare their results",
    "eval run": "run a task file; fails below its threshold",
    "eval list": "list all runs",
    "eval report": "show one run, or the newest of a task",
    "eval diff": "compare two runs; fails if the second is worse",
  },
  options: {
    url: "URL of the server to use (or PAWL_URL)",
    key: "API key for the server (prefer PAWL_KEY, which process lists do not show)",
    json: "print JSON",
    goal: "goal of the run",
    thread: "continue an existing thread",
    agent: "agent to use",
    direct: "run without a plan",
    state: "only threads in this state",
    limit: "maximum number of threads (default: 50)",
    output: "output file (default: standard output)",
    calendar: "id or name of the calendar (default: the default calendar)",
    from: "a date or local time (default: now)",
    to: "a date, which is included, or a local time",
    collection: "which calendar of the account (default: the first)",
    subscribe: "address of an iCalendar file, read only",
    port: "local port for the redirect of the browser (default: a free one)",
    servePort: "port to listen on (or PORT; default: 8787)",
    serveHost: "address to listen on (or HOST; default: 127.0.0.1)",
    scope: "further scopes to request, separated by spaces",
    prompt: "task of the workflow",
    steps: "maximum number of steps",
    results: "file with the results, one JSON line per run",
  },
  serveVariables: `
Environment variables:
  PAWL_DATA      folder of the data (default: .pawl)
  PAWL_CONFIG    configuration file (default: pawl.config.json, .ts or .mjs in this folder)
  PAWL_MODEL     name of the model, with OPENAI_API_KEY or OPENAI_BASE_URL; without a model, the demo model is used
  PAWL_API_KEYS  keys of callers; without keys, only this machine has access

See docs/reference/configuration.md for all of them.`,
  examples: `
Examples:
  pawl chat                                      start a local server in this folder and enter a goal
  pawl chat --goal "Move the essay outline to Thursday of week 2"
  pawl chat --url http://127.0.0.1:8787 --thread thr_…   continue a waiting thread
  pawl serve --port 8787                         start the server; see pawl serve --help for its variables
  pawl threads --state confirm --json            print JSON for scripts
  pawl export thr_… -o thread.jsonl && pawl verify thread.jsonl
  PAWL_URL=https://pawl.example.com pawl import thread.jsonl

Without --url or PAWL_URL a command starts a local server with the data in this folder and stops it afterwards.
Exit codes: 0 success, 1 problem, 2 invalid usage.`,
};

const zh: typeof en = {
  about: "终端里的 Pawl。每一轮都会持久保存，您可以随时离开，随时回来。",
  seeHelp: "用 --help 查看用法。",
  help: "显示帮助",
  version: "显示版本号",
  wholeNumber: "应为 1 到 200 的整数。",
  portNumber: "应为 0 到 65535 的端口。",
  titles: { "Usage:": "用法：", "Arguments:": "参数：", "Options:": "选项：", "Commands:": "命令：" },
  commands: {
    serve: "启动服务器",
    chat: "开始一次运行，查看过程并批准调用",
    threads: "列出会话，最新的在前",
    show: "显示会话的计划、轮次和回执",
    run: "在后台运行会话；也会重试已放弃的运行",
    pause: "本轮结束后暂停后台运行",
    resume: "继续已暂停的后台运行",
    link: "打印一次性链接，用来打开服务器的控制台",
    doctor: "检查安装，并说明如何解决问题",
    export: "把会话导出为防篡改的文件",
    import: "以原来的编号导入导出的会话",
    verify: "离线验证导出的文件",
    calendar: "查看和填充日历",
    "calendar show": "列出一周或一段时间的事件",
    "calendar import": "用 iCalendar 文件替换日历的内容，并打印报告",
    "calendar connect": "把空日历连接到配置中的账户，或订阅一个文件",
    mcp: "登录配置中的 MCP 服务器",
    "mcp login": "在浏览器中登录服务器并保存令牌",
    "mcp logout": "删除服务器的令牌",
    workflow: "检查和运行工作流文件",
    "workflow check": "检查工作流文件并打印所有错误",
    "workflow run": "运行工作流文件，直到结束或等待人处理",
    "workflow steps": "列出会话的步骤",
    "workflow show": "打印保存的工作流",
    eval: "运行评测任务并比较结果",
    "eval run": "运行任务文件；低于阈值即失败",
    "eval list": "列出所有评测",
    "eval report": "显示一次评测，或任务的最新一次",
    "eval diff": "比较两次评测；第二次更差即失败",
  },
  options: {
    url: "要使用的服务器地址（或设置 PAWL_URL）",
    key: "服务器的 API 密钥（最好用 PAWL_KEY，进程列表不会显示它）",
    json: "打印 JSON",
    goal: "运行的目标",
    thread: "继续已有的会话",
    agent: "使用的智能体",
    direct: "不制定计划，直接运行",
    state: "只列出处于这个状态的会话",
    limit: "最多显示多少个会话（默认 50）",
    output: "输出文件（默认标准输出）",
    calendar: "日历的编号或名称（默认使用默认日历）",
    from: "日期或当地时间（默认现在）",
    to: "日期（含当天）或当地时间",
    collection: "账户中的哪个日历（默认第一个）",
    subscribe: "iCalendar 文件的地址，只读",
    port: "浏览器返回时使用的本机端口（默认自动选择）",
    servePort: "监听的端口（或用 PORT；默认 8787）",
    serveHost: "监听的地址（或用 HOST；默认 127.0.0.1）",
    scope: "另外请求的权限范围，用空格分隔",
    prompt: "工作流的任务",
    steps: "最多多少步",
    results: "保存结果的文件，每次运行一行 JSON",
  },
  serveVariables: `
环境变量：
  PAWL_DATA      数据文件夹（默认 .pawl）
  PAWL_CONFIG    配置文件（默认为本文件夹中的 pawl.config.json、.ts 或 .mjs）
  PAWL_MODEL     模型的名称，与 OPENAI_API_KEY 或 OPENAI_BASE_URL 一起使用；没有模型时使用演示模型
  PAWL_API_KEYS  调用者的密钥；没有密钥时只有本机可以访问

全部变量见 docs/reference/configuration.md。`,
  examples: `
示例：
  pawl chat                                      在当前文件夹启动本地服务器并输入目标
  pawl chat --goal "把 essay outline 移到第2周周四"
  pawl chat --url http://127.0.0.1:8787 --thread thr_…   继续等待中的会话
  pawl serve --port 8787                         启动服务器；变量见 pawl serve --help
  pawl threads --state confirm --json            打印供脚本使用的 JSON
  pawl export thr_… -o thread.jsonl && pawl verify thread.jsonl
  PAWL_URL=https://pawl.example.com pawl import thread.jsonl

没有 --url 或 PAWL_URL 时，命令会用当前文件夹的数据启动本地服务器，结束后停止。
退出码：0 成功，1 出现问题，2 用法错误。`,
};

export const helpTexts = (): typeof en => (terminalLanguage(process.env) === "zh" ? zh : en);
