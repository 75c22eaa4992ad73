// Lists scenarios of MCP's conformance suite that are expected to fail, by reason. The run fails if a listed scenario
// passes or any other scenario fails.

export type Revision = "2026-07-28" | "2025-11-25";
export type Reason = { readonly why: string; readonly scenarios: readonly string[] };

/** The product itself lacks the tools that the suite calls. The same scenarios pass with the tools of the fixture. */
const NO_FIXTURES: Reason = {
  why: "The scenario calls a tool, prompt or resource of the suite, which only the fixture has.",
  scenarios: [
    "completion-complete",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
};

const SESSIONS: Reason = {
  why: "A server without sessions has no stream beside its answers, so it cannot send requests; 2026-07-28 removed both.",
  scenarios: [
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "server-sse-multiple-streams",
  ],
};

const NO_CHANGES: Reason = {
  why: "Pawl does not notify its MCP clients of changes.",
  scenarios: ["server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription"],
};

export const PRODUCT: Readonly<Record<Revision, readonly Reason[]>> = {
  "2026-07-28": [
    NO_FIXTURES,
    {
      why: "Needs diagnostic tools, prompts or resources of the suite in order to be checked.",
      scenarios: [
        "server-stateless:sep-2575-server-rejects-undeclared-capability",
        "server-stateless:sep-2575-missing-capability-http-400",
        "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
        "server-stateless:sep-2575-server-no-log-without-loglevel",
        "caching:sep-2549-prompts-list-caching-hints",
        "input-required-result-basic-elicitation",
        "input-required-result-basic-sampling",
        "input-required-result-basic-list-roots",
        "input-required-result-request-state",
        "input-required-result-multiple-input-requests",
        "input-required-result-multi-round",
        "input-required-result-non-tool-request",
        "input-required-result-result-type",
        "input-required-result-tampered-state",
        "input-required-result-capability-check",
        "input-required-result-missing-input-response",
        "input-required-result-ignore-extra-params",
      ],
    },
    NO_CHANGES,
  ],
  "2025-11-25": [
    NO_FIXTURES,
    SESSIONS,
    {
      why: "Pawl neither logs to its MCP clients nor notifies them of changes.",
      scenarios: ["logging-set-level", "tools-call-with-logging", "resources-subscribe", "resources-unsubscribe"],
    },
  ],
};

export const FIXTURE: Readonly<Record<Revision, readonly Reason[]>> = {
  "2026-07-28": [
    NO_CHANGES,
    {
      why: "The prompts of the fixture do not change.",
      scenarios: ["server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription"],
    },
  ],
  "2025-11-25": [SESSIONS],
};

export const CLIENT: Readonly<Record<Revision, readonly Reason[]>> = {
  "2026-07-28": [],
  "2025-11-25": [
    {
      why: "The guarded fetcher reads an answer as a whole, so a stream is not resumed and nothing is asked within it.",
      scenarios: ["sse-retry", "elicitation-sep1034-client-defaults"],
    },
  ],
};
