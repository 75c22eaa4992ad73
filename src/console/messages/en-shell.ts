// Contains the English strings for navigation, home page, inbox, key form and the labels shared by all pages.
import type { Gate } from "../../schema/gate.ts";
import type { Needs } from "../../schema/plan.ts";
import type { RetryAdvice } from "../../schema/problem.ts";
import type { ReceiptSource } from "../../schema/receipt.ts";
import type { RunOutcome } from "../../schema/thread.ts";

export type Labels<K extends string> = Readonly<Record<K, string>>;
export type Group = "waiting" | "active" | "failed" | "idle";

const gateKinds: Labels<Gate["kind"]> = {
  plan: "Plan approval",
  question: "Question",
  confirmation: "Call approval",
  doubt: "Unknown result",
  external: "Client result",
  suspend: "Suspended role",
};
const outcomes: Labels<RunOutcome> = {
  completed: "Delivered",
  aborted: "Aborted",
  exhausted: "Budget exhausted",
  cancelled: "Cancelled",
};
const groups: Labels<Group> = { waiting: "Waiting for you", active: "In progress", failed: "Failed", idle: "Idle" };
const retryLabels: Labels<RetryAdvice> = {
  "same-request": "Retry",
  later: "Retry",
  "after-reload": "Reload the thread",
  "after-fix": "",
  never: "",
};
const retryAdvice: Labels<RetryAdvice> = {
  "same-request": "You can send the same request again.",
  later: "You can send the same request again in a moment.",
  "after-reload": "The thread has changed since you loaded it. Reload it, then decide again.",
  "after-fix": "Sending the same request again will not help. Follow the hint first.",
  never: "Sending the same request again will not help.",
};
const needs: Labels<Needs> = {
  write: "a successful write",
  observation: "an observation",
  reply: "your reply",
  any: "any receipt for this step",
  none: "nothing",
};
const sources: Labels<ReceiptSource> = {
  tool_observation: "observation",
  write_receipt: "write",
  user_reply: "reply",
  client_reply: "client reply",
};

export const enShell = {
  common: {
    product: "Pawl",
    appTitle: (page: string) => (page ? `${page} · Pawl` : "Pawl"),
    loading: "Loading…",
    retry: "Retry",
    dismiss: "Dismiss",
    cancel: "Cancel",
    close: "Close",
    save: "Save",
    remove: "Delete",
    confirmRemove: "Confirm delete",
    details: "Details",
    edit: "Edit",
    name: "Name",
    timeZone: "Time zone",
    enable: "Enable",
    disable: "Disable",
    enabled: "Enabled",
    disabled: "Disabled",
    named: (action: string, name: string) => `${action}: ${name}`,
    copy: "Copy",
    copied: "Copied",
    justNow: "just now",
    expiresIn: (duration: string) => `expires in ${duration}`,
    hiddenCharacter: "Invisible character",
    showLess: "Show less",
    showAll: (characters: string) => `Show all ${characters} characters`,
    aboutProblem: "About this problem",
    list: (items: readonly string[]) => items.join(", "),
  },
  labels: { gateKinds, outcomes, groups, retryLabels, retryAdvice, needs, sources },
  problem: {
    retryIn: (label: string, seconds: number) => `${label} in ${seconds} s`,
    connectionLost: (cause: string) => `The connection was lost: ${cause}`,
    connectionHint: "Committed turns are safe. Retry: the same idempotency key never runs anything twice.",
    streamEnded: "the stream ended early",
    /** Returns the title for a code, or null to show the code as words with the text of the server. */
    title: (_code: string): string | null => null,
    advice: (_code: string): string | null => null,
    pageError: "Something went wrong on this page",
    pageErrorHint: "Reload the page. Your threads are safe on the server.",
  },
  connection: {
    lost: "The connection to the server was lost",
    waiting: "The server cannot be reached. The page reconnects automatically when the server is available again.",
  },
  states: {
    waiting: "Waiting for you",
    paused: "Paused",
    failed: "Failed",
    idle: "Idle",
    stopped: "Stopped",
    delivering: "Delivering",
    working: "Working",
    planning: "Planning",
    runningTool: "Running a tool",
  },
  nav: {
    threads: "Threads",
    skip: "Skip to content",
    newThread: "New thread",
    inbox: "Inbox",
    calendar: "Calendar",
    runs: "Runs",
    agents: "Agents",
    schedules: "Schedules",
    tools: "Tools",
    webhooks: "Webhooks",
    recent: "Recent",
    noThreads: "No threads yet.",
    search: "Search threads",
    status: "State",
    allStates: "All states",
    agent: "Agent",
    allAgents: "All agents",
    noMatches: "No thread matches.",
    noGoal: "No goal yet",
    forgetKey: "Forget key",
    theme: (theme: "system" | "light" | "dark") => `Theme: ${theme}`,
    changeTheme: (theme: "system" | "light" | "dark", next: "system" | "light" | "dark") =>
      `Theme: ${theme}. Change to ${next}.`,
    language: "Language",
  },
  palette: {
    title: "Go to",
    placeholder: "Search threads, pages and actions",
    thread: "Thread",
    page: "Page",
    action: "Action",
    nothing: "Nothing matches.",
  },
  inbox: {
    empty: "Nothing is waiting for you.",
    onBehalfOf: "Asked by a sub-agent of another thread",
    more: "Show more",
  },
  key: {
    placeholder: "pawl_…",
    title: "This server requires an API key",
    ask: "Ask the operator of this server for a key.",
    label: "API key",
    open: "Open the console",
    note: "The key is stored in this tab until you close it.",
  },
  demo: {
    commands: "export OPENAI_API_KEY=…\nexport PAWL_MODEL=…\nnpm start",
    name: "Demo model.",
    text: "No real model is configured. The built-in one only knows the scheduling examples.",
    link: "Use a real model",
    steps: "Stop the server, set a model of any provider with a chat completions API, and start it again:",
    note: "Set OPENAI_BASE_URL to use another provider or your own server. Your threads are kept.",
  },
  home: {
    firstTitle: "An agent you can follow and stop",
    title: "Start a thread",
    lead: "Pawl advances one durable turn at a time. A model proposes, the runtime judges, you approve what matters, and “done” needs proof. You can close this page at any time without losing anything.",
    goal: "What should the agent do?",
    skipPlanning: "Skip planning",
    approvePlan: "Approve the plan automatically",
    background: "Keep running when this page is closed",
    start: "Start",
    importTitle: "Import a thread",
    importFile: "Exported file",
    importNote: "The thread keeps its id and all its turns.",
    weekTitle: "Or try an example with the sample week (this week):",
    weekExamples: [
      "What is on next week?",
      "Find an hour tomorrow afternoon",
      "Book a haircut tomorrow at 16:00 for 45 minutes",
      "Move all stand-ups to 8:30",
    ] as readonly string[],
    examplesTitle: "Or try an example with the sample semester:",
    examples: [
      "Move the essay outline to Thursday of week 1",
      "Find time for the lab report draft and place it",
      "Spread the tasks of week 1 more evenly",
      "What is on Monday of week 1?",
    ] as readonly string[],
    misbehavingExample: "Move the essay outline to Friday of week 2 /misbehave early-done",
    misbehavingLabel: "See a false “done” get caught",
    introduction: [
      ["Ask", "State a goal. The planner writes the steps and names the proof each one needs."],
      ["Watch", "Every turn is recorded: decision, judgement, receipt, and the exact prompt the model received."],
      ["Approve", "A change waits for your approval for as long as it takes, and you approve its exact arguments."],
    ] as readonly (readonly [string, string])[],
  },
};
