// Every expected failure of the product: one row with its HTTP status, whether to retry, and what to do next.
// size: one table, one row per problem; splitting it would only hide rows.
import * as z from "zod";

export type RetryAdvice = "never" | "after-reload" | "same-request" | "later" | "after-fix";
type ProblemSpec = { readonly status: number; readonly retry: RetryAdvice; readonly hint: string };

const row =
  <const R extends RetryAdvice>(retry: R) =>
  <const S extends number>(status: S, hint: string) => ({ status, retry, hint });
const [never, later, reload, repeat, fix] = [
  row("never"),
  row("later"),
  row("after-reload"),
  row("same-request"),
  row("after-fix"),
];

export const PROBLEMS = {
  // requests
  request_invalid: fix(400, "Correct the field the message names; /openapi.json lists every field."),
  body_invalid: fix(
    400,
    "Send one UTF-8 JSON object without duplicate keys, and numbers that JavaScript represents exactly.",
  ),
  body_too_large: fix(413, "Send a smaller body; the message names the limit."),
  input_too_large: fix(413, "Shorten the text to 16 KB or put it into a file the agent can read."),
  content_type_unsupported: fix(415, "Set the header content-type to the type that the message names."),
  header_invalid: fix(400, "Send the header once, within its length, in plain ASCII."),
  unauthorized: fix(401, "Send Authorization: Bearer <key> with a key that is still valid."),
  forbidden: fix(403, "Use a key whose scopes include the one the message names."),
  sandbox_unavailable: fix(
    500,
    'Install bubblewrap (apt-get install bubblewrap), take the keys out of the environment, or set bash.sandbox to "off".',
  ),
  command_refused: never(403, "Send the request from outside: a command that the server runs cannot approve anything."),
  token_required: fix(
    401,
    "Open the link that the server printed at startup, or use `pawl`, which finds the token automatically.",
  ),
  origin_refused: never(
    403,
    "Send the request from this machine without a foreign Origin or Host, or configure keys and CORS.",
  ),
  rate_limited: later(429, "Wait for the time given in Retry-After."),
  request_timeout: repeat(408, "Send the whole request without pauses; the server does not wait for slow requests."),
  headers_too_large: fix(431, "Send fewer or shorter headers; the limit is 16 KB."),
  route_not_found: never(404, "See /docs for the routes."),
  method_not_allowed: never(405, "See /docs for the methods of this route."),
  not_supported_here: never(501, "This host does not support it; docs/reference/stores.md lists the hosts that do."),
  no_worker: fix(
    501,
    "Start a job worker with startWorker(runtime), or advance the thread with POST /v1/threads/{id}/turns.",
  ),
  upgrade_required: fix(426, "Open it as a WebSocket, or read GET /v1/threads/{id}/events instead."),
  idempotency_mismatch: never(422, "Use a new Idempotency-Key for a different request."),
  // threads
  thread_not_found: never(404, "Create the thread with POST /v1/threads first."),
  thread_removed: never(
    410,
    "The thread was removed while its call ran, and nothing will repeat the call; check its effect in the other system.",
  ),
  schedule_not_found: never(404, "GET /v1/schedules lists the existing schedules."),
  webhook_not_found: never(404, "GET /v1/webhooks lists the existing webhooks."),
  delivery_not_found: never(404, "GET /v1/webhooks/{id}/deliveries lists the newest hundred; older ones are removed."),
  hook_not_found: never(404, "Send to the URL that was shown when the inbound webhook was created."),
  signature_invalid: fix(
    401,
    "Sign id, timestamp and body as Standard Webhooks requires, with the secret of the inbound webhook and the current time.",
  ),
  link_invalid: never(403, "Answer the gate through the API or the console; a link is valid for a week at most."),
  turn_not_found: never(404, "GET /v1/threads/{id}/turns lists the existing turns."),
  prompt_not_found: never(404, "Only a turn that called the model has a prompt."),
  thread_moved: reload(409, "The thread changed in the meantime; load it and send the request again."),
  version_mismatch: reload(
    412,
    "If-Match names a version other than the current one; load the thread or the settings and decide again.",
  ),
  turn_running: later(409, "A turn or a call is still running; try again after Retry-After."),
  nothing_to_do: never(409, "The run is finished; send a message to start the next one."),
  delivery_pending: fix(409, "Advance once without input so that the run is delivered, then send the message."),
  sub_agent_refused: never(
    409,
    "A sub-agent works only while its parent waits for it; continue with the parent, which the message names.",
  ),
  thread_failed: fix(409, 'Send {type:"reset"} to return to the state in which it failed, or {type:"cancel"}.'),
  state_corrupt: never(500, "The stored state cannot be read; nothing was changed. Restore the thread or report it."),
  newer_version: never(409, "A newer release wrote this thread; serve it with that release."),
  signal_refused: reload(409, "The thread does not accept this in its current state; load it and read next."),
  settings_moved: reload(409, "The settings changed in the meantime; load them and send the request again."),
  export_invalid: fix(
    422,
    "Export the thread again and send the file unchanged; `pawl verify` checks the file offline.",
  ),
  // gates
  gate_open: fix(409, "Answer the open gate as its kind requires; next says how."),
  gate_closed: never(409, "This gate was answered, cancelled or never existed; load the thread."),
  gate_expired: never(409, "The gate has expired; advance without input to continue."),
  gate_mismatch: fix(409, "The open gate is of another kind; next says which input it accepts."),
  gate_leased: later(409, "Another worker has leased this call; take another one, or wait until the lease ends."),
  digest_mismatch: reload(409, "Load the gate again and send the digest it shows now."),
  arguments_invalid: fix(422, "Edit the arguments so that they match the tool's input schema."),
  // the model and its decisions
  decision_invalid: repeat(
    502,
    "The model's reply is not a valid decision. A turn fails after two corrections of the model; then advance again.",
  ),
  decision_refused: repeat(
    502,
    "The model's decision was refused three times; advance again, or send a message with more information.",
  ),
  model_unavailable: later(
    503,
    "The model's provider does not respond; nothing was stored. Send the request again after Retry-After.",
  ),
  model_misconfigured: fix(500, "Check the model's provider, name and key in the configuration."),
  turn_deadline: repeat(
    504,
    "The turn's deadline passed before the model answered; nothing was stored. Advance again.",
  ),
  prompt_too_large: fix(
    422,
    "Rules, tools and state alone exceed the model's budget; use fewer tools or a larger window.",
  ),
  plan_too_long: fix(422, "Use fewer or shorter steps: the whole plan must fit in 4 KB."),
  budget_exhausted: fix(409, "Advance with a raised budget to continue where it stopped."),
  // tools
  tool_unknown: fix(422, "Use the exact name of a tool; GET /v1/tools lists them."),
  tool_disabled: fix(409, "The tool is disabled; GET /v1/threads/{id}/tools says why."),
  tool_changed: never(
    409,
    "The tool has changed since the gate was opened; reject the call, and the model will propose it again.",
  ),
  tool_core: never(409, "A core tool cannot be disabled; remove it from the host's tools instead."),
  tool_name_taken: fix(409, "Give the tool another name, for example prefixed with the name of its server."),
  manifest_invalid: fix(
    422,
    "Correct the field of the manifest that the message names; docs/reference/tools.md lists them.",
  ),
  agent_not_found: never(404, "Use an agent that GET /v1/agents lists."),
  operation_not_found: never(404, "Only a call that reported progress has a log, and only on a host that stores logs."),
  approval_not_found: never(404, "GET the thread; remembered_approvals lists the existing ones."),
  tool_denied: never(409, "A hook refused this call; its reason is in the message."),
  source_not_found: fix(404, "Use a source and a table that mysql_list_sources and mysql_schema show."),
  query_refused: fix(
    422,
    "Change the statement as the message says: one SELECT on granted tables, without masked columns.",
  ),
  query_failed: fix(
    502,
    "Correct or narrow the query if the message is about it; otherwise check that the database is reachable.",
  ),
  tool_refused: fix(422, "The tool refused the arguments; its text says why."),
  tool_failed: repeat(502, "The tool's handler failed; see its receipt."),
  tool_timeout: repeat(504, "The tool ran past its time limit; see its receipt."),
  outcome_unknown: later(
    502,
    "The call was interrupted and may have taken effect; it is resent under its key, or a person is asked.",
  ),
  not_streaming: never(422, "Only a tool whose manifest declares streaming can stream."),
  // files, search, processes and the network, as tools see them
  path_outside_workspace: fix(422, "Use a relative path with forward slashes that stays inside the workspace."),
  file_not_found: fix(404, "List the folder to see its files."),
  file_too_large: fix(413, "Read a range of it, or write less at once."),
  not_a_file: fix(422, "Name a regular file, not a folder or a device."),
  not_a_folder: fix(422, "Name a folder; a part of this path is something else."),
  file_failed: later(
    500,
    "The file system returned an error; check the reason, the workspace's permissions and its free space.",
  ),
  pattern_invalid: fix(422, "Use RE2 syntax without back-references and look-around; shorten the pattern."),
  process_unavailable: never(501, "This host runs no commands, or the shell could not be started."),
  blocked_address: never(422, "Only public http and https addresses on the usual ports may be fetched."),
  fetch_failed: later(502, "The other server did not respond properly; see the reason."),
  // calendars
  calendar_invalid: fix(422, "Correct the part of the calendar that the message names."),
  calendar_changed: reload(
    409,
    "The event was changed on the server; compare both versions in the details and decide again.",
  ),
  calendar_not_found: never(404, "GET /v1/calendars lists the existing calendars."),
  calendar_moved: reload(409, "The calendar changed in the meantime; load it and try again."),
  // memories, and other documents of toolkits
  memory_not_found: never(404, "List the memories of the agent with GET /v1/memories."),
  skill_not_found: fix(404, "List the skills with read_skill without a name."),
  skill_invalid: fix(422, "Correct SKILL.md as the message says."),
  task_not_found: never(404, "Claim a task with POST /v1/desktop/claim."),
  task_not_claimed: never(409, "Do not send the text; claim the next task with POST /v1/desktop/claim."),
  document_moved: reload(409, "The document was changed at the same time; load it and try again."),
  // the patch tool
  patch_empty: fix(422, "Put the text to replace into old_string."),
  patch_blank: fix(422, "Put at least one line that is not blank into old_string."),
  patch_identical: never(422, "Nothing to do; put the changed text into new_string."),
  patch_not_found: fix(422, "Read the file again and copy old_string from it; the message shows the closest lines."),
  patch_ambiguous: fix(422, "Add lines around old_string until it is unique, or set replace_all to true."),
  patch_already_applied: never(422, "Continue; the file already has the content that the patch would produce."),
  patch_approximate: fix(422, "Copy old_string exactly from the file, or leave out replace_all."),
  patch_escape_drift: fix(
    422,
    "Write quotes in old_string and new_string as in the file, without a backslash before them.",
  ),
  // role workflows
  workflow_invalid: fix(
    422,
    "Correct every mistake in details.errors; `pawl workflow check` lists them without a server.",
  ),
  workflow_too_large: fix(413, "A workflow file has at most 256 KB and few aliases."),
  workflow_not_found: never(404, "GET /v1/workflows lists the stored workflows."),
  route_unknown_role: fix(422, "Add the role to the workflow and start a new thread."),
  route_unknown_status: fix(422, "Add an edge for this status to the graph and start a new thread."),
  route_template: fix(422, "Correct the template that the message names; it must render to text that is not blank."),
  step_invalid_output: fix(
    422,
    "The role did not deliver its output in the required format; resume the thread with advice, or poke it.",
  ),
  not_resumable: reload(
    409,
    "Only a suspended or ended workflow can be resumed; load the thread and read its workflow.status.",
  ),
  not_pokable: reload(
    409,
    "Only the newest step of a suspended or idle workflow can be repeated; load the thread and read its workflow.status.",
  ),
  // the store and the machine it runs on
  store_unavailable: later(
    503,
    "The store does not respond, so it is not known whether the request took effect. Repeat it after Retry-After with the same Idempotency-Key.",
  ),
  record_too_large: never(
    413,
    "The record exceeds the limit of the store; shorten the goal, the metadata or the plan.",
  ),
  blob_not_found: never(404, "The blob expired or never existed in this thread."),
  cursor_invalid: fix(400, "Use the cursor exactly as the previous page returned it, with the same filter."),
  stopping: later(
    503,
    "This server is shutting down; send the request again, to another instance or after the restart.",
  ),
  package_missing: fix(500, "Install the package that the message names."),
  config_invalid: fix(500, "Correct the field or variable that the message names; `pawl doctor` checks all of them."),
  internal: repeat(
    500,
    "This is a bug in the server. Send the request again with the same Idempotency-Key; report the bug with the request id.",
  ),
} as const satisfies Record<string, ProblemSpec>;

export type ProblemCode = keyof typeof PROBLEMS;

export const ProblemCode = z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]);

export const Problem = z.object({
  code: ProblemCode,
  message: z.string(),
  hint: z.string(),
  retry: z.enum(["never", "after-reload", "same-request", "later", "after-fix"]),
  status: z.int(),
  /** Data for programs, such as the current version, the open gate or the seconds to wait. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Problem = z.infer<typeof Problem>;

export type Ok<T> = { readonly ok: true; readonly value: T };
export type Failed = { readonly ok: false; readonly problem: Problem };
export type Result<T> = Ok<T> | Failed;

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const isFailed = (value: unknown): value is Failed =>
  typeof value === "object" && value !== null && "ok" in value && value.ok === false && "problem" in value;

export function problem(code: ProblemCode, message: string, details?: Record<string, unknown>): Problem {
  const { status, retry, hint } = PROBLEMS[code];
  return { code, message, hint, retry, status, ...(details ? { details } : {}) };
}

export const fail = (code: ProblemCode, message: string, details?: Record<string, unknown>): Failed => ({
  ok: false,
  problem: problem(code, message, details),
});

/** In the default branch of a switch over a union, this makes the compiler report a missing case. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
