// Defines the schema of pawl.config. The host checks names that refer to each other.
import * as z from "zod";
import { Name } from "./ids.ts";
import { JobsConfig } from "./jobs/jobs-config.ts";
import { ProtocolsConfig } from "./protocols/protocols-config.ts";
import { BashConfig } from "./toolkits/bash-config.ts";
import { McpServerConfig, McpServerName } from "./toolkits/mcp-config.ts";
import { ChannelConfig, CodeConfig, DataSourceConfig, ImagesConfig } from "./toolkits/toolkit-config.ts";
import { EscalationRules } from "./workflow/escalation.ts";

/** For a value that a process parses only once. Otherwise zod first compiles a function for each object, which takes longer than parsing. */
export const PARSED_ONCE = { jitless: true } as const;

/** A model provider. The key belongs in the environment; `api_key` is for files that are themselves secret. */
const ProviderConfig = z
  .strictObject({
    base_url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
    api_key_env: z
      .string()
      .regex(/^[A-Z_][A-Z0-9_]*$/, "must be the name of an environment variable in capitals, not the key")
      .optional(),
    api_key: z.string().min(1).optional(),
  })
  .refine((provider) => provider.api_key === undefined || provider.api_key_env === undefined, {
    path: ["api_key"],
    error: "give api_key_env or api_key, not both",
  });

const PricesConfig = z.strictObject({
  input_per_million: z.number().nonnegative(),
  output_per_million: z.number().nonnegative(),
});

const ModelConfig = z
  .strictObject({
    provider: z.string(),
    name: z.string().min(1),
    /** Tokens of prompt and reply together. It has no default, because some servers silently truncate a prompt if the value is too large. */
    window: z.int().min(2_048),
    max_output_tokens: z.int().min(64).default(4_096),
    /** In US dollars. */
    prices: PricesConfig.nullable().default(null),
    roles: z.enum(["strict", "loose"]).default("loose"),
    /** How the model returns its decisions: as JSON text, or as a native call of the one tool `decide`. */
    decisions: z.enum(["json", "tools"]).default("json"),
    structured: z.enum(["auto", "schema", "json", "text"]).default("auto"),
    idle_timeout_ms: z.int().min(1_000).default(30_000),
  })
  .refine((model) => model.max_output_tokens < model.window, {
    path: ["max_output_tokens"],
    error: "must be smaller than window: prompt and reply share it",
  });
export type ModelConfig = z.infer<typeof ModelConfig>;

const ModelOverrides = z.strictObject({
  plan: z.string().optional(),
  execute: z.string().optional(),
  deliver: z.string().optional(),
});

export const AgentConfig = z.strictObject({
  instructions: z.string().max(16_384).default(""),
  model: z.string().optional(),
  /** The agent gets exactly these tools and those of `toolkits`. "all" means the tools of all toolkits. If omitted, `toolkits` decides. */
  tools: z.union([z.literal("all"), z.array(z.string())], 'must be "all" or a list of tool names').optional(),
  /** Toolkits in addition to those that every agent has. */
  toolkits: z.array(z.string()).default([]),
  model_overrides: ModelOverrides.prefault({}),
  escalation: EscalationRules,
});

export type AgentConfig = z.infer<typeof AgentConfig>;

const BudgetConfig = z.strictObject({
  turns: z.int().min(1).max(10_000).default(60),
  tokens: z.int().min(1).nullable().default(null),
  usd: z.number().positive().nullable().default(null),
  seconds: z.int().min(1).nullable().default(null),
});

const LimitsConfig = z.strictObject({
  turn_deadline_ms: z.int().min(1_000).max(900_000).default(60_000),
  /** The maximum number of turns of one request with until=pause. */
  max_turns: z.int().min(1).max(1_000).default(20),
  /** Requests are counted per key, or for all callers together if there are no keys. */
  requests_per_minute: z.int().min(1).default(600),
  /** Maximum time for the headers and body of one request to arrive. */
  request_timeout_ms: z.int().min(100).max(600_000).default(15_000),
  /** Time added to a tool's timeout before another process may treat a running call as unsettled. */
  settle_grace_ms: z.int().min(0).default(5_000),
});

const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^/\s]+)$/, 'must be "*" or an origin such as https://app.example.com');

const TaintAllowance = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,63}:[^\s:]{1,255}$/,
    "must be a tool and a label with a colon between them, such as bash:harmless",
  );

/** The constructor throws for a zone that the platform does not know. */
const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
};

export const DavAccountConfig = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .refine(
      (url) => !/^https?:\/\/[^/]*@/i.test(url),
      "must not contain a user or a password; name them in user and password_env",
    ),
  user: z.string().min(1),
  password_env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "must name a variable of the environment"),
  /** True if the server may have a private address, such as one on the local network. */
  allow_private: z.boolean().default(false),
});

export const Config = z.strictObject({
  protocols: ProtocolsConfig.default({}),
  /** With `content`, OpenTelemetry spans include prompts, replies, arguments and results, with secrets redacted. */
  telemetry: z.strictObject({ content: z.boolean().default(false) }).prefault({}),
  providers: z.record(Name, ProviderConfig).default({}),
  models: z.record(Name, ModelConfig).default({}),
  /** May be omitted if there is only one model. If there is none, the host decides. */
  default_model: z.string().nullable().default(null),
  model_overrides: ModelOverrides.prefault({}),
  agents: z.record(Name, AgentConfig).default({}),
  /** May be omitted if there is only one agent, or one named `default`. */
  default_agent: z.string().nullable().default(null),
  /** The agent of each role, by workflow and role name, such as `{"solve-issue": {"reviewer": "strict"}}`. */
  agent_overrides: z.record(z.string().min(1), z.record(z.string().min(1), z.string())).default({}),
  budget: BudgetConfig.prefault({}),
  /** `expire_after_s` is the number of seconds after which a confirmation expires. If null, it never does. Other gates are not affected. */
  gates: z.strictObject({ expire_after_s: z.int().min(1).nullable().default(null) }).prefault({}),
  /** Calls that may carry data out of a thread with untrusted text: `bash:harmless`, or a tool and a host, such as `fetch_url:docs.example.com`. */
  taint: z.strictObject({ allow: z.array(TaintAllowance).default([]) }).prefault({}),
  limits: LimitsConfig.prefault({}),
  /** The time zone of dates in prompts, such as Europe/Berlin. If null, the zone of the host. */
  time_zone: z.string().refine(isZone, "must be a time zone such as Europe/Berlin").nullable().default(null),
  /** The locale of the users, such as de-DE, for prompts. If null, prompts contain none. */
  locale: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a locale such as de-DE")
    .nullable()
    .default(null),
  /** The folder of the embedded store. */
  data: z.string().min(1).default(".pawl"),
  host: z.string().min(1).default("127.0.0.1"),
  port: z.int().min(0).max(65_535).default(8787),
  cors: z.strictObject({ origins: z.array(Origin).default([]) }).prefault({}),
  keys_file: z.string().min(1).nullable().default(null),
  log: z
    .strictObject({ level: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info") })
    .prefault({}),
  /** The folder that file tools may access. If null, they use virtual files. */
  workspace: z.string().min(1).nullable().default(null),
  bash: BashConfig.prefault({}),
  /** Non-public addresses, as `host:port`, that fetching tools and webhooks may reach. */
  fetch: z.strictObject({ allow: z.array(z.string().min(1)).default([]) }).prefault({}),
  data_sources: z.record(Name, DataSourceConfig).default({}),
  channels: z.record(Name, ChannelConfig).default({}),
  images: ImagesConfig.nullable().default(null),
  /** A SearXNG-compatible endpoint for the tool `search`. */
  search: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .default(null),
    })
    .prefault({}),
  /** Settings of the code tools. With `loads_workspace_code: false` the linter loads no plugins of the workspace, so it needs no approval. */
  code: CodeConfig.prefault({}),
  /** A folder outside the workspace with one folder per skill, each with a SKILL.md. */
  skills: z.strictObject({ folder: z.string().min(1).nullable().default(null) }).prefault({}),
  /** Accounts on CalDAV servers, by the names that requests use. Passwords come from the environment. */
  calendar: z
    .strictObject({ accounts: z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/), DavAccountConfig).default({}) })
    .prefault({}),
  /** MCP servers. The tools of each server form the toolkit `mcp_<name>`. */
  mcp: z.record(McpServerName, McpServerConfig).default({}),
  jobs: JobsConfig.prefault({}),
  /** Modules with custom toolkits, tools, hooks and agents. Paths are relative to the configuration file. */
  extend: z.array(z.string().min(1)).default([]),
  /** The public URL of this server, used in webhook links. If null, the address that it listens on. */
  public_url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .nullable()
    .default(null),
});
export type Config = z.infer<typeof Config>;
export type ConfigInput = z.input<typeof Config>;
