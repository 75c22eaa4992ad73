// Every expected failure of the product: one row with its HTTP status, whether to retry, and what to do next.
// size: one table, one row per problem; splitting it would only hide rows.
import * as z from "zod";

export type Retry = "never" | "after-reload" | "same-request" | "later" | "after-fix";
type ProblemSpec = { readonly status: number; readonly retry: Retry; readonly hint: string };

export const PROBLEMS = {
  // requests
  request_invalid: {
    status: 400,
    retry: "after-fix",
    hint: "Correct the field the message names; /openapi.json lists every field.",
  },
  body_invalid: {
    status: 400,
    retry: "after-fix",
    hint: "Send one UTF-8 JSON object without duplicate keys, and numbers that JavaScript represents exactly.",
  },
  body_too_large: { status: 413, retry: "after-fix", hint: "Send a smaller body; the message names the limit." },
  input_too_large: {
    status: 413,
    retry: "after-fix",
    hint: "Shorten the text to 16 KB or put it into a file the agent can read.",
  },
  content_type_unsupported: {
    status: 415,
    retry: "after-fix",
    hint: "Set the header content-type to the type that the message asks for.",
  },
  header_invalid: { status: 400, retry: "after-fix", hint: "Send the header once, within its length, in plain ASCII." },
  unauthorized: {
    status: 401,
    retry: "after-fix",
    hint: "Send Authorization: Bearer <key> with a key that is still valid.",
  },
  forbidden: { status: 403, retry: "after-fix", hint: "Use a key whose scopes include the one the message names." },
  sandbox_unavailable: {
    status: 500,
    retry: "after-fix",
    hint: 'Install bubblewrap (apt-get install bubblewrap), take the keys out of the environment, or set bash.sandbox to "off".',
  },
  command_refused: {
    status: 403,
    retry: "never",
    hint: "Send the request from outside: a command that the server runs cannot approve anything.",
  },
  token_required: {
    status: 401,
    retry: "after-fix",
    hint: "Open the link that the server printed at startup, or use `pawl`, which finds the token automatically.",
  },
  origin_refused: {
    status: 403,
    retry: "never",
    hint: "Send the request from this machine without a foreign Origin or Host, or configure keys and CORS.",
  },
  rate_limited: { status: 429, retry: "later", hint: "Wait for the time given in Retry-After." },
  request_timeout: {
    status: 408,
    retry: "same-request",
    hint: "Send the whole request without pauses; the server does not wait for slow requests.",
  },
  headers_too_large: { status: 431, retry: "after-fix", hint: "Send fewer or shorter headers; the limit is 16 KB." },
  route_not_found: { status: 404, retry: "never", hint: "See /docs for the routes." },
  method_not_allowed: { status: 405, retry: "never", hint: "See /docs for the methods of this route." },
  not_supported_here: {
    status: 501,
    retry: "never",
    hint: "This host does not support it; docs/reference/stores.md lists the hosts that do.",
  },
  no_worker: {
    status: 501,
    retry: "after-fix",
    hint: "Start a job worker with startWorker(runtime), or advance the thread with POST /v1/threads/{id}/turns.",
  },
  upgrade_required: {
    status: 426,
    retry: "after-fix",
    hint: "Open it as a WebSocket, or read GET /v1/threads/{id}/events instead.",
  },
  idempotency_mismatch: { status: 422, retry: "never", hint: "Use a new Idempotency-Key for a different request." },
  // threads
  thread_not_found: { status: 404, retry: "never", hint: "Create the thread with POST /v1/threads first." },
  schedule_not_found: { status: 404, retry: "never", hint: "GET /v1/schedules lists the existing schedules." },
  webhook_not_found: { status: 404, retry: "never", hint: "GET /v1/webhooks lists the existing webhooks." },
  delivery_not_found: {
    status: 404,
    retry: "never",
    hint: "GET /v1/webhooks/{id}/deliveries lists the newest hundred; older ones are removed.",
  },
  hook_not_found: {
    status: 404,
    retry: "never",
    hint: "Send to the URL that was shown when the inbound webhook was created.",
  },
  signature_invalid: {
    status: 401,
    retry: "after-fix",
    hint: "Sign id, timestamp and body as Standard Webhooks requires, with the secret of the inbound webhook and the current time.",
  },
  link_invalid: {
    status: 403,
    retry: "never",
    hint: "Answer the gate through the API or the console; a link is valid for a week at most.",
  },
  turn_not_found: { status: 404, retry: "never", hint: "GET /v1/threads/{id}/turns lists the existing turns." },
  prompt_not_found: { status: 404, retry: "never", hint: "Only a turn that called the model has a prompt." },
  thread_moved: {
    status: 409,
    retry: "after-reload",
    hint: "The thread changed in the meantime; load it and send the request again.",
  },
  version_mismatch: {
    status: 412,
    retry: "after-reload",
    hint: "If-Match names a version other than the current one; load the thread or the settings and decide again.",
  },
  turn_running: {
    status: 409,
    retry: "later",
    hint: "A turn or a call is still running; try again after Retry-After.",
  },
  nothing_to_do: { status: 409, retry: "never", hint: "The run is finished; send a message to start the next one." },
  delivery_pending: {
    status: 409,
    retry: "after-fix",
    hint: "Advance once without input so that the run is delivered, then send the message.",
  },
  sub_agent_refused: {
    status: 409,
    retry: "never",
    hint: "A sub-agent works only while its parent waits for it; continue with the parent, which the message names.",
  },
  thread_failed: {
    status: 409,
    retry: "after-fix",
    hint: 'Send {type:"reset"} to return to the state in which it failed, or {type:"cancel"}.',
  },
  state_corrupt: {
    status: 500,
    retry: "never",
    hint: "The stored state cannot be read; nothing was changed. Restore the thread or report it.",
  },
  newer_version: {
    status: 409,
    retry: "never",
    hint: "A newer release wrote this thread; serve it with that release.",
  },
  signal_refused: {
    status: 409,
    retry: "after-reload",
    hint: "The thread does not accept this in its current state; load it and read next.",
  },
  settings_moved: {
    status: 409,
    retry: "after-reload",
    hint: "The settings changed in the meantime; load them and send the request again.",
  },
  export_invalid: {
    status: 422,
    retry: "after-fix",
    hint: "Export the thread again and send the file unchanged; `pawl verify` checks the file offline.",
  },
  // gates
  gate_open: { status: 409, retry: "after-fix", hint: "Answer the open gate as its kind requires; next says how." },
  gate_closed: {
    status: 409,
    retry: "never",
    hint: "This gate was answered, cancelled or never existed; load the thread.",
  },
  gate_expired: { status: 409, retry: "never", hint: "The gate has expired; advance without input to continue." },
  gate_mismatch: {
    status: 409,
    retry: "after-fix",
    hint: "The open gate is of another kind; next says which input it accepts.",
  },
  gate_leased: {
    status: 409,
    retry: "later",
    hint: "Another worker has leased this call; take another one, or wait until the lease ends.",
  },
  digest_mismatch: {
    status: 409,
    retry: "after-reload",
    hint: "Load the gate again and send the digest it shows now.",
  },
  arguments_invalid: {
    status: 422,
    retry: "after-fix",
    hint: "Edit the arguments so that they match the tool's input schema.",
  },
  // the model and its decisions
  decision_invalid: {
    status: 502,
    retry: "same-request",
    hint: "The model's reply is not a valid decision. A turn fails after two corrections of the model; then advance again.",
  },
  decision_refused: {
    status: 502,
    retry: "same-request",
    hint: "The model's decision was refused three times; advance again, or send a message with more information.",
  },
  model_unavailable: {
    status: 503,
    retry: "later",
    hint: "The model's provider does not respond; nothing was stored. Send the request again after Retry-After.",
  },
  model_misconfigured: {
    status: 500,
    retry: "after-fix",
    hint: "Check the model's provider, name and key in the configuration.",
  },
  turn_deadline: {
    status: 504,
    retry: "same-request",
    hint: "The turn's deadline passed before the model answered; nothing was stored. Advance again.",
  },
  prompt_too_large: {
    status: 422,
    retry: "after-fix",
    hint: "Rules, tools and state alone exceed the model's budget; use fewer tools or a larger window.",
  },
  plan_too_long: {
    status: 422,
    retry: "after-fix",
    hint: "Use fewer or shorter steps: the whole plan must fit in 4 KB.",
  },
  budget_exhausted: {
    status: 409,
    retry: "after-fix",
    hint: "Advance with a raised budget to continue where it stopped.",
  },
  // tools
  tool_unknown: { status: 422, retry: "after-fix", hint: "Use the exact name of a tool; GET /v1/tools lists them." },
  tool_disabled: {
    status: 409,
    retry: "after-fix",
    hint: "The tool is disabled; GET /v1/threads/{id}/tools says why.",
  },
  tool_changed: {
    status: 409,
    retry: "never",
    hint: "The tool has changed since the gate was opened; reject the call, and the model will propose it again.",
  },
  tool_core: {
    status: 409,
    retry: "never",
    hint: "A core tool cannot be disabled; remove it from the host's tools instead.",
  },
  tool_name_taken: {
    status: 409,
    retry: "after-fix",
    hint: "Give the tool another name, for example prefixed with the name of its server.",
  },
  manifest_invalid: {
    status: 422,
    retry: "after-fix",
    hint: "Correct the field of the manifest that the message names; docs/reference/tools.md lists them.",
  },
  agent_not_found: { status: 404, retry: "never", hint: "Use an agent that GET /v1/agents lists." },
  operation_not_found: {
    status: 404,
    retry: "never",
    hint: "Only a call that reported progress has a log, and only on a host that stores logs.",
  },
  approval_not_found: {
    status: 404,
    retry: "never",
    hint: "GET the thread: remembered_approvals lists those that are there.",
  },
  tool_denied: { status: 409, retry: "never", hint: "A hook refused this call; its reason is in the message." },
  source_not_found: {
    status: 404,
    retry: "after-fix",
    hint: "Use a source and a table that mysql_list_sources and mysql_schema show.",
  },
  query_refused: {
    status: 422,
    retry: "after-fix",
    hint: "Change the statement as the message says: one SELECT on granted tables, without masked columns.",
  },
  query_failed: {
    status: 502,
    retry: "after-fix",
    hint: "Correct or narrow the query if the message is about it; otherwise check that the database is reachable.",
  },
  tool_refused: {
    status: 422,
    retry: "after-fix",
    hint: "The tool refused the arguments; its text says why.",
  },
  tool_failed: { status: 502, retry: "same-request", hint: "The tool's handler failed; see its receipt." },
  tool_timeout: { status: 504, retry: "same-request", hint: "The tool ran past its time limit; see its receipt." },
  outcome_unknown: {
    status: 502,
    retry: "later",
    hint: "The call was interrupted and may have taken effect; it is resent under its key, or a person is asked.",
  },
  not_streaming: { status: 422, retry: "never", hint: "Only a tool whose manifest declares streaming can stream." },
  // files, search, processes and the network, as tools see them
  path_outside_workspace: {
    status: 422,
    retry: "after-fix",
    hint: "Use a relative path with forward slashes that stays inside the workspace.",
  },
  file_not_found: { status: 404, retry: "after-fix", hint: "List the folder to see its files." },
  file_too_large: { status: 413, retry: "after-fix", hint: "Read a range of it, or write less at once." },
  not_a_file: { status: 422, retry: "after-fix", hint: "Name a regular file, not a folder or a device." },
  not_a_folder: { status: 422, retry: "after-fix", hint: "Name a folder; a part of this path is something else." },
  file_failed: {
    status: 500,
    retry: "later",
    hint: "The file system returned an error; check the reason, the workspace's permissions and its free space.",
  },
  pattern_invalid: {
    status: 422,
    retry: "after-fix",
    hint: "Use RE2 syntax without back-references and look-around; shorten the pattern.",
  },
  process_unavailable: {
    status: 501,
    retry: "never",
    hint: "This host runs no commands, or the shell could not be started.",
  },
  blocked_address: {
    status: 422,
    retry: "never",
    hint: "Only public http and https addresses on the usual ports may be fetched.",
  },
  fetch_failed: { status: 502, retry: "later", hint: "The other server did not respond properly; see the reason." },
  // calendars
  calendar_invalid: {
    status: 422,
    retry: "after-fix",
    hint: "Correct the part of the calendar that the message names.",
  },
  calendar_changed: {
    status: 409,
    retry: "after-reload",
    hint: "The event was changed on the server; compare both versions in the details and decide again.",
  },
  calendar_not_found: { status: 404, retry: "never", hint: "GET /v1/calendars lists the existing calendars." },
  calendar_moved: {
    status: 409,
    retry: "after-reload",
    hint: "The calendar changed in the meantime; load it and try again.",
  },
  // memories, and other documents of toolkits
  memory_not_found: { status: 404, retry: "never", hint: "List the memories of the agent with GET /v1/memories." },
  skill_not_found: { status: 404, retry: "after-fix", hint: "List the skills with read_skill without a name." },
  skill_invalid: { status: 422, retry: "after-fix", hint: "Correct SKILL.md as the message says." },
  task_not_found: { status: 404, retry: "never", hint: "Claim a task with POST /v1/desktop/claim." },
  task_not_claimed: {
    status: 409,
    retry: "never",
    hint: "Do not send the text; claim the next task with POST /v1/desktop/claim.",
  },
  document_moved: {
    status: 409,
    retry: "after-reload",
    hint: "Something else was saved at the same time; load it and try again.",
  },
  // the patch tool
  patch_empty: { status: 422, retry: "after-fix", hint: "Put the text to replace into old_string." },
  patch_blank: { status: 422, retry: "after-fix", hint: "Put at least one line that is not blank into old_string." },
  patch_identical: { status: 422, retry: "never", hint: "Nothing to do; put the changed text into new_string." },
  patch_not_found: {
    status: 422,
    retry: "after-fix",
    hint: "Read the file again and copy old_string from it; the message shows the closest lines.",
  },
  patch_ambiguous: {
    status: 422,
    retry: "after-fix",
    hint: "Add lines around old_string until it is unique, or set replace_all to true.",
  },
  patch_already_applied: {
    status: 422,
    retry: "never",
    hint: "Continue: the file already is as the patch would leave it.",
  },
  patch_approximate: {
    status: 422,
    retry: "after-fix",
    hint: "Copy old_string exactly from the file, or leave out replace_all.",
  },
  patch_escape_drift: {
    status: 422,
    retry: "after-fix",
    hint: "Write quotes in old_string and new_string as in the file, without a backslash before them.",
  },
  // role workflows
  workflow_invalid: {
    status: 422,
    retry: "after-fix",
    hint: "Correct every mistake in details.errors; `pawl workflow check` lists them without a server.",
  },
  workflow_too_large: { status: 413, retry: "after-fix", hint: "A workflow file has at most 256 KB and few aliases." },
  workflow_not_found: { status: 404, retry: "never", hint: "GET /v1/workflows lists the stored workflows." },
  route_unknown_role: { status: 422, retry: "after-fix", hint: "Add the role to the workflow and start a new thread." },
  route_unknown_status: {
    status: 422,
    retry: "after-fix",
    hint: "Add an edge for this status to the graph and start a new thread.",
  },
  route_template: {
    status: 422,
    retry: "after-fix",
    hint: "Correct the template that the message names; it must render to a text that is not blank.",
  },
  step_invalid_output: {
    status: 422,
    retry: "after-fix",
    hint: "The role did not deliver its output in the required format; resume the thread with advice, or poke it.",
  },
  not_resumable: {
    status: 409,
    retry: "after-reload",
    hint: "Only a suspended or ended workflow can be resumed; load the thread and read its workflow.status.",
  },
  not_pokable: {
    status: 409,
    retry: "after-reload",
    hint: "Only the newest step of a suspended or idle workflow can be repeated; load the thread and read its workflow.status.",
  },
  // the store and the machine it runs on
  store_unavailable: {
    status: 503,
    retry: "later",
    hint: "The store does not respond, so it is not known whether the request took effect. Repeat it after Retry-After with the same Idempotency-Key.",
  },
  record_too_large: {
    status: 413,
    retry: "never",
    hint: "The record exceeds the limit of the store; shorten the goal, the metadata or the plan.",
  },
  blob_not_found: { status: 404, retry: "never", hint: "The blob expired or never existed in this thread." },
  cursor_invalid: {
    status: 400,
    retry: "after-fix",
    hint: "Use the cursor exactly as the previous page gave it, with the same filter.",
  },
  stopping: {
    status: 503,
    retry: "later",
    hint: "This server is shutting down; send the request again, to another instance or after the restart.",
  },
  package_missing: { status: 500, retry: "after-fix", hint: "Install the package that the message names." },
  config_invalid: {
    status: 500,
    retry: "after-fix",
    hint: "Correct the field or variable that the message names; `pawl doctor` checks all of them.",
  },
  internal: {
    status: 500,
    retry: "same-request",
    hint: "This is a bug in the server. Send the request again with the same Idempotency-Key; report the bug with the request id.",
  },
} as const satisfies Record<string, ProblemSpec>;

export type ProblemCode = keyof typeof PROBLEMS;

export const ProblemCode = z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);

export const Problem = z.object({
  code: ProblemCode,
  message: z.string(),
  hint: z.string(),
  retry: z.enum(["never", "after-reload", "same-request", "later", "after-fix"]),
  status: z.int(),
  /** Data for programs: the current version, the open gate, seconds to wait. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Problem = z.infer<typeof Problem>;

export type Ok<T> = { readonly ok: true; readonly value: T };
export type Failed = { readonly ok: false; readonly problem: Problem };
export type Result<T> = Ok<T> | Failed;

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export function problem(code: ProblemCode, message: string, details?: Record<string, unknown>): Problem {
  const { status, retry, hint } = PROBLEMS[code];
  return { code, message, hint, retry, status, ...(details ? { details } : {}) };
}

export const fail = (code: ProblemCode, message: string, details?: Record<string, unknown>): Failed => ({
  ok: false,
  problem: problem(code, message, details),
});

/** For the default branch of a switch over a union: the compiler reports a missing case. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
