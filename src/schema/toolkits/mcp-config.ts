// Defines the `mcp` section of pawl.config: servers of the Model Context Protocol, with tools for agents.
import * as z from "zod";
import { EnvironmentVariable } from "./toolkit-config.ts";

export const McpServerName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,23}$/, "must have at most 24 lower-case letters, digits and _, and begin with a letter");

const McpOAuth = z
  .strictObject({
    /** `authorization_code` signs a person in once; `client_credentials` signs in the program itself. */
    grant: z.enum(["authorization_code", "client_credentials"]).default("authorization_code"),
    /** The id of a client that is registered with the authorization server. Without one, `pawl mcp login` registers one. */
    client_id: z.string().min(1).max(2048).optional(),
    client_secret_env: EnvironmentVariable.optional(),
    /** The authorization server of that client. No other one receives its secret. */
    issuer: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    /** Scopes to request in addition to those that the server asks for, separated by spaces. */
    scope: z.string().min(1).max(2048).optional(),
    /** Authorization servers at private addresses, as host:port. */
    private_hosts: z.array(z.string().regex(/^[^\s/:]+:\d{1,5}$/, "must be host:port")).default([]),
  })
  .refine(({ grant, client_secret_env }) => grant === "authorization_code" || client_secret_env !== undefined, {
    error: "client_credentials needs client_secret_env",
  })
  .refine(({ client_id, client_secret_env, issuer }) => client_secret_env === undefined || (client_id && issuer), {
    error: "client_secret_env needs client_id and issuer",
  });

export const McpServerConfig = z
  .strictObject({
    /** The URL of a server that is reached over HTTP. */
    url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    /** Headers of every request, each with the environment variable that contains its whole value. */
    headers_env: z.record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), EnvironmentVariable).default({}),
    /** Signs in to the server at `url` with OAuth. */
    oauth: McpOAuth.optional(),
    /** True if the address may be private, such as one on the local network. */
    allow_private: z.boolean().default(false),
    /** Alternative to `url`: a program with its arguments that speaks the protocol on its standard input and output. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** Environment variables that the program receives in addition to the usual ones. */
    env: z.array(EnvironmentVariable).default([]),
    /** True if the program may use the network when it runs in a sandbox. */
    network: z.boolean().default(false),
    /** Names of the server's tools that agents may use. Default: all. */
    tools: z.array(z.string().min(1)).optional(),
    /** Tools that the operator knows to be read-only. They run without approval. `true` means all tools of this server. */
    read_only: z.union([z.boolean(), z.array(z.string().min(1))], "must be true or a list of tools").default(false),
    /** The digest of the definitions that the operator has reviewed. While the server sends the same ones, they taint no thread. */
    reviewed: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be the digest from the startup output")
      .optional(),
    timeout_ms: z.int().min(100).max(600_000).default(30_000),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    error: "must have either url or command",
  })
  .refine(({ url, oauth }) => url !== undefined || oauth === undefined, { error: "oauth needs url" });
export type McpServerConfig = z.infer<typeof McpServerConfig>;
