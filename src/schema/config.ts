// The shape of pawl.config: what an operator writes down. Names that point at each other are checked by the host.
import { z } from "zod";
import { BashConfig } from "./bash-config.ts";

const Name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    "a name has letters, digits, - _ and ., at most 64, and begins with a letter or digit",
  );

/** The key itself belongs into the environment; `api_key` is there for files that are secrets themselves. */
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
    /** What the provider calls it. */
    name: z.string().min(1),
    /** Tokens of prompt and reply together. A guess that is too large is cut by some servers in silence, so there is none. */
    window: z.int().min(2_048),
    max_output_tokens: z.int().min(64).default(4_096),
    /** US dollars. */
    prices: PricesConfig.nullable().default(null),
    roles: z.enum(["strict", "loose"]).default("loose"),
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

const AgentConfig = z.strictObject({
  instructions: z.string().max(16_384).default(""),
  model: z.string().optional(),
  tools: z.union([z.literal("all"), z.array(z.string())], 'must be "all" or a list of tool names').default("all"),
  model_overrides: ModelOverrides.prefault({}),
});

const BudgetConfig = z.strictObject({
  turns: z.int().min(1).max(10_000).default(60),
  tokens: z.int().min(1).nullable().default(null),
  usd: z.number().positive().nullable().default(null),
  seconds: z.int().min(1).nullable().default(null),
});

const LimitsConfig = z.strictObject({
  turn_deadline_ms: z.int().min(1_000).max(900_000).default(60_000),
  /** Turns of one call with until=pause. */
  max_turns: z.int().min(1).max(1_000).default(20),
  /** Of one key, or of all callers where there are no keys. */
  requests_per_minute: z.int().min(1).default(600),
  /** For the headers and body of one request to arrive. */
  request_timeout_ms: z.int().min(100).max(600_000).default(15_000),
  /** Added to a tool's timeout before anybody may doubt a call that is being carried out. */
  settle_grace_ms: z.int().min(0).default(5_000),
});

/** Background runs, schedules and webhooks of this process. */
const JobsConfig = z.strictObject({
  enabled: z.boolean().default(true),
  concurrency: z.int().min(1).max(256).default(4),
  /** How long a worker may be silent before another one takes over; a turn's time is added. */
  lease_ms: z.int().min(1_000).max(3_600_000).default(30_000),
  slice_turns: z.int().min(1).max(1_000).default(10),
  poll_ms: z.int().min(10).max(60_000).default(100),
});
export type JobsConfig = z.infer<typeof JobsConfig>;

const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^/\s]+)$/, 'must be "*" or an origin such as https://app.example.com');

export const Config = z.strictObject({
  providers: z.record(Name, ProviderConfig).default({}),
  models: z.record(Name, ModelConfig).default({}),
  /** May be left out with one model. Without any model the host decides. */
  default_model: z.string().nullable().default(null),
  model_overrides: ModelOverrides.prefault({}),
  agents: z.record(Name, AgentConfig).default({}),
  /** May be left out with one agent, or with one that is called default. */
  default_agent: z.string().nullable().default(null),
  budget: BudgetConfig.prefault({}),
  /** Confirmations only; null: they wait for ever. */
  gates: z.strictObject({ expire_after_s: z.int().min(1).nullable().default(null) }).prefault({}),
  limits: LimitsConfig.prefault({}),
  /** Folder of the embedded store. */
  data: z.string().min(1).default(".pawl"),
  host: z.string().min(1).default("127.0.0.1"),
  port: z.int().min(0).max(65_535).default(8787),
  cors: z.strictObject({ origins: z.array(Origin).default([]) }).prefault({}),
  keys_file: z.string().min(1).nullable().default(null),
  log: z
    .strictObject({ level: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info") })
    .prefault({}),
  /** Folder the file tools may touch; null: they work on virtual files. */
  workspace: z.string().min(1).nullable().default(null),
  bash: BashConfig.prefault({}),
  /** Addresses that fetching tools and webhooks may reach although they are not public. */
  fetch: z.strictObject({ allow: z.array(z.string().min(1)).default([]) }).prefault({}),
  jobs: JobsConfig.prefault({}),
  /** Under which address others reach this server; null: the one it listens on. Links in webhooks begin with it. */
  public_url: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .nullable()
    .default(null),
});
export type Config = z.infer<typeof Config>;
export type ConfigInput = z.input<typeof Config>;

/** For pawl.config.ts: an editor then knows every field. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
