// Lists the tests behind each statement of the threat model in SECURITY.md: the statement, then files and titles of
// tests.
type Claim = readonly [statement: string, ...tests: (readonly [file: string, title: string])[]];

export const SECURITY_CLAIMS: readonly Claim[] = [
  [
    "The operator is trusted: the modules that `extend` names run inside the server, with all its rights.",
    ["test/hosts/own-toolkit.slow.test.ts", "loads the module that extend names, relative to the configuration file"],
  ],
  [
    "The model is not trusted: whether a call needs approval follows from the tool and the call, whatever the model says.",
    ["test/adapters/model-demo.test.ts", "unconfirmed-write: a write sent without confirmation is gated nevertheless"],
    ["test/turn/injection.test.ts", "a claim of approval in text approves nothing"],
  ],
  [
    "The text that tools return is not trusted: a decision in it is data, and a receipt in it proves nothing.",
    [
      "test/turn/injection.test.ts",
      "a decision in a file is data: if the model follows it, it is judged like any other and waits for approval",
    ],
    ["test/turn/injection.test.ts", "text that looks like the result of a call is not a receipt"],
  ],
  [
    "The model's report is not trusted either: a step is done only if the runtime has a receipt of the right kind for it.",
    ["test/turn/judge/judge.test.ts", "done without a receipt is refused in a plan, however convincing its text"],
    ["test/turn/judge/judge.test.ts", "done with a receipt of the wrong kind is refused"],
  ],
  [
    "A caller is trusted as far as the scopes of its key go.",
    ["test/http/edge/hostile-tenants.test.ts", "%s %s refuses requests without its scope %s"],
  ],
  [
    "A key without the scope `confirm` cannot approve anything, and cannot let a thread, a schedule, an import or a webhook do so.",
    [
      "test/http/routes/hostile-confirm.test.ts",
      "a caller cannot give a thread a right of approval that the caller lacks",
    ],
    ["test/http/routes/jobs.test.ts", "a key that may not confirm cannot schedule what approves itself"],
    ["test/http/routes/webhooks.test.ts", "with links need the right to confirm, at create and at change"],
    [
      "test/http/edge/approval-right.test.ts",
      "every state in an imported file is asked about, for a fork can go back to any of them",
    ],
  ],
  [
    "Tenants are separate: a request for anything of another tenant, over any protocol, is answered as if it did not exist.",
    ["test/http/edge/foreign-ids.test.ts", "%s %s is answered like one that does not exist"],
    ["test/http/edge/hostile-tenants.test.ts", "a blob is found by its hash nowhere but in its own thread"],
  ],
  [
    "Web pages are not trusted: a server without keys listens on loopback only and refuses requests of other origins and host names.",
    ["test/http/edge/doors.test.ts", "never drive a server without keys: %s"],
    ["test/hosts/node/node.slow.test.ts", "is refused if anybody could call without a key"],
  ],
  [
    "A command can read and write the workspace, and finds an empty home folder and read-only system folders.",
    ["test/hosts/node/sandbox.slow.test.ts", "reads and writes the workspace"],
    ["test/hosts/node/sandbox.slow.test.ts", "has an empty home and read-only system folders"],
  ],
  [
    "It cannot read the data folder, the signing secret or the configuration, even where they lie in the workspace.",
    [
      "test/hosts/node/sandbox.slow.test.ts",
      "finds neither data, nor the secret, nor the configuration in the workspace",
    ],
  ],
  [
    "It can neither move them nor write a configuration that does not exist yet.",
    ["test/hosts/node/sandbox.slow.test.ts", "cannot move a hidden file or folder to where nothing hides it"],
    [
      "test/hosts/node/sandbox.slow.test.ts",
      "cannot write the configuration of the next start, which does not exist yet",
    ],
  ],
  [
    "`bash` is disabled if the server finds its own files through a link in the workspace, because a command could replace the link.",
    ["test/hosts/node/workspace.test.ts", "do not run where they could replace a link to the %s, sandbox or not"],
  ],
  [
    "`bash` is also disabled if the program of the server lies in the workspace, because a command could change it.",
    [
      "test/hosts/node/bash-start.test.ts",
      "bash does not start in a sandbox around the program of the server, which a command could change",
    ],
  ],
  [
    "It cannot read files in system folders that are closed to ordinary users, even if the server runs as root.",
    [
      "test/hosts/node/sandbox.slow.test.ts",
      "cannot read what system folders keep from other users, whoever runs the server",
    ],
  ],
  [
    "It sees only its own processes, and not the environment of any other process.",
    ["test/hosts/node/sandbox.slow.test.ts", "sees processes of its own only, and no environment of another"],
  ],
  [
    "It has no Linux capabilities, even if the server runs as root.",
    ["test/hosts/node/sandbox.slow.test.ts", "has no capabilities, whoever runs the server"],
  ],
  [
    "It cannot reach the network, and so cannot answer gates.",
    ["test/hosts/node/sandbox.slow.test.ts", "reaches no network, and so cannot answer gates"],
  ],
  [
    "A command that a person allows to use the network can reach everything that the server can reach, but this server refuses its requests.",
    [
      "test/hosts/node/sandbox.slow.test.ts",
      "gets the network when a person approves it, and still cannot answer gates",
    ],
    ["test/hosts/node/sandbox.slow.test.ts", "cannot answer gates over a socket either when it has the network"],
  ],
  [
    "None of its processes outlives the command.",
    ["test/hosts/node/sandbox.slow.test.ts", "leaves no process behind, however it detaches"],
  ],
  [
    "A program of an MCP server runs in the same sandbox, in a session without the server's terminal.",
    [
      "test/hosts/node/sandbox.slow.test.ts",
      "is in a session of its own, so that it cannot read or type into the terminal of the server",
    ],
  ],
  [
    "A command can do what the server's user can do, and the startup output says so.",
    ["test/hosts/node/sandbox.slow.test.ts", "it starts without such keys, and says that commands are not confined"],
  ],
  [
    'If the environment contains keys in plain text, the server starts only with `bash.sandbox: "off"`, because commands could read them.',
    ["test/hosts/node/sandbox.slow.test.ts", "the server does not start with %s in its environment"],
    ["test/hosts/node/command-refused.slow.test.ts", "in plain text start with the sandbox off"],
  ],
  [
    "`bash` is disabled while the workspace contains the data folder.",
    [
      "test/hosts/node/bash-start.test.ts",
      "bash does not start where a command finds the data folder in its workspace, and the message says how to move it",
    ],
    [
      "test/hosts/node/workspace.test.ts",
      "do not run where they could read the data folder, also through a link, and the reason is shown",
    ],
  ],
  [
    "A command receives the usual environment variables, and none with keys.",
    ["test/adapters/command-environment.test.ts", "a command gets the usual variables and nothing else"],
    ["test/hosts/shared/config-mistakes.test.ts", "variables with keys are refused"],
  ],
  [
    "On Linux the server refuses the requests of its own commands, even if they know the token or a key.",
    ["test/hosts/node/command-refused.slow.test.ts", "that knows the token of a server without keys approves nothing"],
    [
      "test/hosts/node/command-refused.slow.test.ts",
      "that reads a plain key out of the server's environment approves nothing",
    ],
    ["test/hosts/node/command-refused.slow.test.ts", "that sends its request and ends is refused as well"],
  ],
  [
    "Processes that leave their group, session, parent or environment end with the command.",
    ["test/adapters/operations-process.slow.test.ts", "a command that %s leaves nothing behind"],
  ],
  [
    "On Linux with Perl, so does a process that leaves all of these and closes its descriptors at the same time.",
    [
      "test/adapters/operations-process.slow.test.ts",
      "a process that gives up everything it inherited at once is ended",
    ],
    [
      "test/adapters/operations-process.slow.test.ts",
      "a command that writes an end of its own, or stops its keeper, is ended",
    ],
  ],
  [
    "If it also kills the process that supervises it, or there is no Perl, it is not recognized; the result of the command counts it.",
    [
      "test/adapters/operations-process.slow.test.ts",
      "a process that gives up everything after its keeper was killed is at least counted",
    ],
    ["test/toolkits/shell/bash.test.ts", "says of %j what is known about processes that are left"],
  ],
  [
    "Programs of MCP servers are recognized and ended in the same way, but what escapes is not counted.",
    [
      "test/toolkits/mcp/mcp-servers.slow.test.ts",
      "what a program has started in the background ends with its connection",
    ],
  ],
  [
    "The signal that opens the debugger of Node has no effect on the server.",
    [
      "test/hosts/node/node.slow.test.ts",
      "does not wait for a connection that is kept open for later, and no signal opens Node's debugger",
    ],
  ],
  [
    "A request that another program sends for a command, such as cron or tmux, is not recognized either.",
    ["test/hosts/node/command-refused.slow.test.ts", "is the only one who is refused"],
  ],
  [
    "The judge reads only the command line: it does not know what the started programs and scripts do.",
    ["test/toolkits/shell/risk/limits.test.ts", "does not read the script that a command starts"],
  ],
  [
    "The usual task runners of a project are allowed in the workspace, whatever the project's files tell them to do.",
    ["test/toolkits/shell/risk/limits.test.ts", "allows the usual runners of a project"],
  ],
  [
    "A program or an option that the judge does not know requires approval.",
    ["test/toolkits/shell/risk/limits.test.ts", "asks about a program that it does not know"],
    ["test/toolkits/shell/risk/forms.test.ts", "ask a person: %s"],
  ],
  [
    "A line that the judge cannot parse completely is not allowed.",
    ["test/toolkits/shell/risk/robustness.test.ts", "100 KB of %j is not parsed and not allowed"],
  ],
  [
    "No approval lets a blocked command run.",
    ["test/toolkits/shell/risk/classify.test.ts", "blocks outright: %s"],
    [
      "test/turn/gates/approval-rechecks.test.ts",
      "a command on the block list does not run if a person writes it into the gate",
    ],
  ],
  [
    "The judge also asks about some harmless commands: fewer than 3 % of everyday commands that were written without knowledge of its rules.",
    [
      "test/toolkits/shell/risk/forms.test.ts",
      "of all everyday forms of the last five rounds, also those that ask by policy, less than 3 % ask",
    ],
  ],
  [
    "Text from outside, such as web pages, files and the output of commands, taints the thread that reads it.",
    [
      "test/turn/injection.test.ts",
      "a page that asks for a secret in a URL gets nothing: reading is allowed, sending needs approval",
    ],
    [
      "test/toolkits/timetable/calendar-file.test.ts",
      "is untrusted: results and refusals of calendar tools taint the thread",
    ],
  ],
  [
    "Events of inbound webhooks and messages that are marked as untrusted taint the thread that receives them.",
    ["test/http/routes/inbound-webhooks.test.ts", "starts a thread that a worker drives, and its text is untrusted"],
    ["test/jobs/inbox/untrusted-messages.test.ts", "taints the thread it is sent to"],
  ],
  [
    "Taint is permanent: it stays in later runs of the thread.",
    ["test/turn/judge/taint-stays.test.ts", "a thread that read untrusted text stays tainted in its next run"],
  ],
  [
    "What MCP servers say about their tools taints the threads whose prompts show it, unless the configuration names these definitions as reviewed.",
    [
      "test/toolkits/mcp/reviewed.test.ts",
      "a call that a description asks for waits for a person, also with auto_approve, if nobody has reviewed the description",
    ],
    [
      "test/toolkits/mcp/reviewed.test.ts",
      "reviewed definitions taint nothing, until the server changes one or adds one",
    ],
    ["test/prompt/system.test.ts", "shows a name or a type with line breaks, which a server could choose, in one line"],
  ],
  [
    "In a tainted thread a person must approve every call that could send data out.",
    [
      "test/turn/judge/judge-flow.test.ts",
      "when the thread is tainted and the tool can send data outside; the tainting receipt is named",
    ],
    ["test/turn/judge/taint-stays.test.ts", "a thread that read untrusted text stays tainted in its next run"],
  ],
  [
    "On a server with calendar accounts, these include all changes to calendars.",
    [
      "test/toolkits/calendar/tools.test.ts",
      "on a host with accounts, a change can carry data out to the server of a calendar",
    ],
  ],
  [
    "`auto_approve` does not apply to such calls.",
    ["test/turn/judge/judge-flow.test.ts", "never lifts hooks, risk and taint"],
  ],
  [
    "Only calls that `taint.allow` names are exempt.",
    [
      "test/toolkits/shell/simple-command.test.ts",
      "harmless commands need a person in a tainted thread unless the configuration allows them",
    ],
    ["test/toolkits/shell/simple-command.test.ts", "pages of a host that the configuration names need none"],
  ],
  [
    "What a tainted thread schedules is tainted when it runs, and the gate says so.",
    [
      "test/jobs/taint-follows.test.ts",
      "a thread that a tainted thread scheduled is tainted, both gates say so, and no policy lifts the first",
    ],
    ["test/jobs/taint-follows.test.ts", "a message of an untrusted schedule taints the thread that hears it"],
  ],
  [
    "What it delegates, sends to its sub-agents or saves for other threads is untrusted there.",
    [
      "test/jobs/crew/delegation.test.ts",
      "untrusted text in a child taints its parent, and a tainted parent its children",
    ],
    [
      "test/jobs/crew/delegation.test.ts",
      "a message of a parent that was tainted after it delegated taints the children it reaches",
    ],
    [
      "test/toolkits/memory/memory.test.ts",
      "what was saved in a tainted thread is untrusted, until a trusted thread saves it again",
    ],
    ["test/toolkits/skills/skills.test.ts", "written in a tainted thread are untrusted when they are read or listed"],
    ["test/toolkits/calendar/tools.test.ts", "text that a tainted thread writes is untrusted for every thread"],
  ],
  [
    "Taint is no filter: the model still reads the text, and may follow it with calls that need no approval.",
    [
      "test/turn/injection.test.ts",
      "a page that asks for a secret in a URL gets nothing: reading is allowed, sending needs approval",
    ],
  ],
  [
    "An approval is bound by a digest to its thread, version, tool and exact arguments.",
    [
      "test/http/routes/hostile-confirm.test.ts",
      "the digest of the same call in another thread, tenant, version or tool does not fit",
    ],
    [
      "test/turn/gates/approved-arguments.test.ts",
      "edited arguments that a hook would change are refused, with the changed arguments",
    ],
  ],
  [
    "It can be used once, before it expires, and not after the run was cancelled.",
    ["test/http/routes/hostile-confirm.test.ts", "fifty times concurrently counts once"],
    [
      "test/http/routes/hostile-confirm.test.ts",
      "after its time runs nothing, and stays so when the clock is set back",
    ],
    ["test/http/routes/hostile-confirm.test.ts", "after the run was cancelled runs nothing"],
  ],
  [
    "Every protocol refuses answers without the scope, to another gate, from another tenant or too late, and two answers in one request.",
    ["test/protocols/attacked-approvals.test.ts", "%s refuses to end a gate without the scope confirm, either way"],
    ["test/protocols/attacked-approvals.test.ts", "%s refuses the gate of another thread"],
    ["test/protocols/attacked-approvals.test.ts", "%s knows no thread of another tenant"],
    ["test/protocols/attacked-approvals.test.ts", "%s refuses an approval that comes too late"],
    ["test/protocols/attacked-approvals.test.ts", "%s refuses two answers in one request"],
  ],
  [
    "Hooks and the block list are checked again when a call is approved.",
    ["test/turn/gates/approval-rechecks.test.ts", "are asked when the call is proposed and again when it is approved"],
    ["test/turn/gates/approval-rechecks.test.ts", "can refuse a call that a person approves"],
  ],
  [
    "A gate shows hidden characters escaped.",
    ["test/turn/injection.test.ts", "invisible characters are escaped for the person who decides"],
  ],
  [
    "Where MCP and A2A may approve, they show the call, its reasons or the steps of the plan besides what the model says about it.",
    [
      "test/protocols/mcp.test.ts",
      "a form shows first what would run and why it is asked, then what the model says of it",
    ],
    ["test/protocols/mcp.test.ts", "a form for a plan shows its steps, whatever the model says of it"],
  ],
  [
    "Opening a confirmation link approves nothing; pressing its button works once.",
    [
      "test/http/routes/confirm-link.test.ts",
      "shows what will happen, escaped and with hidden characters written out, and changes nothing",
    ],
    ["test/http/routes/confirm-link.test.ts", "approves once, as the link of its webhook"],
  ],
  [
    "A link becomes invalid with the webhook or the key that created it, with its gate, and when the server's secret changes.",
    ["test/http/routes/confirm-link.test.ts", "is invalid once its webhook may not send links"],
    ["test/http/routes/gate-link.test.ts", "a link ends with the key that made it, and with its right to approve"],
    ["test/http/routes/gate-link.test.ts", "a link ends with its gate, and none is made for an expired one"],
    [
      "test/hosts/cloudflare/attacked-work.slow.test.ts",
      "works once, whoever presses it at the same time, and nowhere after the secret was rotated",
    ],
    [
      "test/hosts/aws-lambda/attacked-links.slow.test.ts",
      "approves nothing after its day, its key or its secret, or for another tenant",
    ],
  ],
  [
    "A remembered approval covers the same call again, or commands that begin with the same words in the same folder.",
    ["test/turn/gates/remember.test.ts", "covers the same call again, and the receipt names it and the person"],
    [
      "test/turn/gates/remember.test.ts",
      "covers commands that begin with the same words in the same folder, and no others",
    ],
  ],
  [
    "It does not cover another tool or version, a reason that the person did not see, or a call that must be approved each time.",
    ["test/turn/judge/remembered.test.ts", "does not cover %s"],
    ["test/turn/gates/remember.test.ts", "is void when the tool changed"],
  ],
  [
    "Destructive calls cannot be remembered.",
    ["test/turn/gates/remember.test.ts", "is not offered for a destructive call, and refused if it is asked for"],
  ],
  [
    "An approval for a run ends with the run, and any remembered approval ends when it is revoked.",
    ["test/turn/gates/remember.test.ts", "for a run ends with it, for the thread it does not"],
    ["test/turn/gates/remember.test.ts", "ends when it is revoked, in any state"],
  ],
  [
    "Once a thread has read untrusted text, approvals for commands that begin with the same words are void, and no remembered approval covers sending data out.",
    ["test/turn/gates/remember.test.ts", "of commands that begin alike is void once untrusted text came in"],
    [
      "test/turn/gates/remember.test.ts",
      "given before untrusted text came in does not lift the question that it raises",
    ],
  ],
  [
    "Remembered approvals are neither copied to a fork nor imported.",
    ["test/turn/gates/remember.test.ts", "is not copied to a fork"],
    [
      "test/threads/export.test.ts",
      "a remembered approval is not imported, neither in the newest state nor in an older one",
    ],
  ],
  [
    "The server needs only the hashes of API keys, and a variable with hashes contains nothing that opens the server.",
    ["test/hosts/shared/keys-text.test.ts", "a variable with only hashes contains nothing that grants access"],
    [
      "test/hosts/node/command-refused.slow.test.ts",
      "as hashes let the server start and the key in, and hold nothing to read",
    ],
  ],
  [
    "A key that is removed from the keys file is refused while the server runs.",
    ["test/hosts/node/node.slow.test.ts", "of a keys file can be taken away while the server runs"],
    [
      "test/hosts/shared/access.test.ts",
      "a key that is removed from the file while the server reads it for the first time is refused",
    ],
  ],
  [
    "A key that is removed from the secret of a running Lambda function is refused after a minute, even if it was the last one.",
    [
      "test/hosts/aws-lambda/instance.slow.test.ts",
      "a key removed from the secret is refused a minute later, and an added one is accepted",
    ],
    ["test/hosts/aws-lambda/instance.slow.test.ts", "a removed key is not accepted any more when %s"],
  ],
  [
    "A key that is removed from the secret of a running Cloudflare worker is refused by the next request with the new secret, and its streams and sockets end.",
    [
      "test/hosts/cloudflare/revoked-keys.slow.test.ts",
      "a removed key is refused by the next request, and an added one is accepted",
    ],
    [
      "test/hosts/cloudflare/revoked-keys.slow.test.ts",
      "the event stream of a removed key ends, and that of another key goes on",
    ],
    ["test/hosts/cloudflare/hibernating-sockets.test.ts", "live events close the socket of a removed key"],
  ],
  [
    "A ticket, a socket or a link belongs to one key: another key with the same name, or a later one, is not accepted in its place.",
    ["test/hosts/shared/access.test.ts", "a key that replaced another of the same name is not accepted in its place"],
    [
      "test/hosts/cloudflare/hostile.slow.test.ts",
      "a socket has the scopes of the key that opened it, not those of another key with its name",
    ],
    ["test/http/routes/gate-link.test.ts", "a link ends with the key that made it, and with its right to approve"],
  ],
  [
    "No message about a key that cannot be read repeats it, and a worker or function that cannot start tells callers no reason.",
    [
      "test/hosts/shared/keys-text.test.ts",
      "fields in the wrong order (%s) are refused, and the message does not repeat the key",
    ],
    ["test/hosts/cloudflare/hostile.slow.test.ts", "a worker that cannot start says at %s only that"],
  ],
  [
    "A server without keys whose tools can start processes requires its startup token for approvals, administration and keys.",
    ["test/http/edge/local-token.test.ts", "nothing that approves or administers is allowed"],
    [
      "test/hosts/node/local-token.slow.test.ts",
      "without the token no local caller can approve, and no page reveals it",
    ],
  ],
  [
    "No page contains the token; the terminal reads it from a file that only the server's user can read and that is removed at the end.",
    [
      "test/hosts/node/local-token.slow.test.ts",
      "without the token no local caller can approve, and no page reveals it",
    ],
    [
      "test/hosts/node/local-token.slow.test.ts",
      "the printed link works once, the terminal creates another, and the file is deleted at the end",
    ],
  ],
  [
    "The printed link works once and becomes a cookie that scripts cannot read and other sites do not send.",
    [
      "test/http/edge/local-token.test.ts",
      "is exchanged once for a cookie that scripts cannot read and other sites do not send",
    ],
    [
      "test/console/local-token.slow.test.ts",
      "lets the page approve, and leaves no token in the URL or readable by scripts",
    ],
  ],
  [
    "Modules of `extend` count as such tools, unless they state that they start no processes.",
    [
      "test/hosts/node/local-token.slow.test.ts",
      "an extension may start processes, so administration needs the token unless it states that it starts none",
    ],
  ],
  [
    "Without tools that can start processes nothing needs a token.",
    ["test/hosts/node/local-token.slow.test.ts", "without tools that start processes nothing needs a token"],
  ],
  [
    "The server's secrets, and strings that look like keys, are removed from tool results, even if a result arrives in pieces.",
    [
      "test/faults/secret-canary.slow.test.ts",
      "no secret appears in a record, log line, event, prompt, export, response or error",
    ],
    ["test/tools/redaction/redact.test.ts", "%s is taken out in pieces of any size"],
    [
      "test/turn/gates/external-gate.test.ts",
      "that contains a secret as its %s is stored, shown and sent to the model without it",
    ],
  ],
  [
    "A copy of the signing secret's file is removed from answers, events, exports and prompts.",
    [
      "test/hosts/node/secret-file.slow.test.ts",
      "a copy of the secret file is redacted in answers, events, the export and the prompt",
    ],
  ],
  [
    "The secret of a webhook is shown once, when it is created.",
    [
      "test/http/routes/webhooks.test.ts",
      "a secret is returned when it is created and nowhere else: not in responses, logs, problems or payloads",
    ],
  ],
  [
    "File tools cannot leave the workspace, even if a folder is replaced by a link meanwhile.",
    [
      "test/adapters/operations-local.slow.test.ts",
      "no write escapes while a folder is swapped with a link to the outside 10,000 times",
    ],
  ],
  [
    "File tools can neither read nor write the data folder, the configuration file, the keys file and modules that the host closes.",
    ["test/hosts/node/workspace.test.ts", "the data folder"],
    ["test/hosts/node/workspace.test.ts", "the configuration file, the file of keys, and links to them"],
    ["test/hosts/node/workspace.test.ts", "every other path that the host closes, such as a module with tools"],
  ],
  [
    "Fetching tools and webhooks reach only public addresses, also after a redirect.",
    ["test/adapters/fetch-guarded.slow.test.ts", "a loopback server on an open port is refused unless it is allowed"],
    ["test/adapters/fetch-guarded.slow.test.ts", "to a forbidden URL are refused"],
    [
      "test/jobs/webhooks/webhook-sending.slow.test.ts",
      "is checked again at every attempt: a name that was public and became private is not reached",
    ],
  ],
  [
    "On Cloudflare the platform resolves names, so this is checked for the text of each address, not for what a name resolves to.",
    [
      "test/adapters/platform-fetcher.slow.test.ts",
      "a name is checked as text and not resolved, so it may point to a private address",
    ],
  ],
  [
    "A call that is not pure is recorded before it runs, and is never repeated silently after a crash.",
    [
      "test/stories/crash-after-tool.slow.test.ts",
      "a call whose process died right after the tool is settled once, with its own key",
    ],
    ["test/turn/effects/reconcile.test.ts", "an unkeyed call is not repeated: a person is asked"],
  ],
  [
    "A decision that is cut off or followed by a second one is refused, not repaired.",
    ["test/schema/parse-decision.property.test.ts", "every truncation of a valid decision is refused"],
    ["test/schema/parse-decision.property.test.ts", "a second decision after the first is refused"],
  ],
];
