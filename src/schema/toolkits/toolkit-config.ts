// Defines the sections of pawl.config that configure toolkits.
import * as z from "zod";

// Matches a name, which may contain spaces.
const NAME = String.raw`[^.\s](?:[^.]*[^.\s])?`;
const TableName = z.string().regex(new RegExp(`^${NAME}(\\.${NAME})?$`), 'must be "table" or "database.table"');
const ColumnName = z
  .string()
  .regex(new RegExp(`^${NAME}(\\.${NAME}){0,2}$`), 'must be "column", "table.column" or "database.table.column"');

export const EnvironmentVariable = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/, "must be the name of an environment variable in capitals");

export const DataSourceConfig = z.strictObject({
  /** The environment variable with the database URL. The URL contains a password, so it belongs in the environment. */
  url_env: EnvironmentVariable,
  /** The description that the agent reads. */
  description: z.string().max(500).default(""),
  agents: z.union([z.literal("all"), z.array(z.string())], 'must be "all" or a list of agent names').default("all"),
  /** If null, all tables outside the system schemas may be read. */
  tables: z.array(TableName).nullable().default(null),
  masked: z.array(ColumnName).default([]),
  limits: z
    .strictObject({
      max_rows: z.int().min(1).max(10_000).default(500),
      timeout_ms: z.int().min(100).max(60_000).default(10_000),
    })
    .prefault({}),
});
export type DataSourceConfig = z.infer<typeof DataSourceConfig>;

/** Fields of a channel over which agents with the toolkit `channels` send messages to people. */
const channelFields = {
  reply: z.strictObject({ enabled: z.boolean().default(false) }).prefault({}),
  watermark: z.enum(["none", "suffix", "zero-width"]).default("none"),
  suffix: z.string().max(100).default(" [AI]"),
};
/** The app of a desktop channel, or the name of a registered webhook. */
const target = z.string().regex(/^[a-z0-9_-]{1,64}$/, "must be lower-case letters, digits, - and _");
const EmailAddress = z.string().regex(/^[^\s@<>,;:"]+@[A-Za-z0-9.-]+$/, "must be an e-mail address");
const wait_s = z.int().min(1).max(120).default(60);

export const ChannelConfig = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("desktop"), target, wait_s, ...channelFields }),
  z.strictObject({ kind: z.literal("webhook"), target, wait_s, ...channelFields }),
  z.strictObject({
    kind: z.literal("email"),
    /** The environment variable with the URL of the mail server. The URL contains a password, so it belongs in the environment. */
    url_env: EnvironmentVariable,
    from: EmailAddress,
    recipients: z
      .array(z.union([EmailAddress, z.string().regex(/^@[A-Za-z0-9.-]+$/)], 'must be an address or "@domain"'))
      .min(1),
    subject: z.string().min(1).max(200).default("Message from an agent"),
    ...channelFields,
  }),
]);
export type ChannelConfig = z.infer<typeof ChannelConfig>;

export const ImagesConfig = z.strictObject({
  base_url: z.url({ protocol: /^https?$/ }),
  api_key_env: EnvironmentVariable.nullable().default(null),
  model: z.string().min(1),
});

export const CodeConfig = z.strictObject({
  lint: z
    .strictObject({
      command: z.string().min(1),
      format: z.enum(["sarif", "eslint"]),
      loads_workspace_code: z.boolean().default(true),
    })
    .nullable()
    .default(null),
  lsp: z
    .strictObject({
      command: z.string().min(1),
      languages: z.record(
        z.string().regex(/^[A-Za-z0-9_+-]{1,16}$/, "must be a file ending without a dot"),
        z.string().min(1),
      ),
      initialization_options: z.record(z.string(), z.json()).default({}),
      loads_workspace_code: z.boolean().default(true),
    })
    .nullable()
    .default(null),
});
