// Defines the `mcp` section of pawl.config: servers of the Model Context Protocol, with tools for agents.
import * as z from "zod";
import { EnvironmentVariable } from "./toolkit-config.ts";

export const McpServerName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,23}$/, "must have at most 24 lower-case letters, digits and _, and begin with a letter");

export const McpServerConfig = z
  .strictObject({
    /** The URL of a server that is reached over HTTP. */
    url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    /** Headers of every request, each with the environment variable that contains its whole value. */
    headers_env: z.record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), EnvironmentVariable).default({}),
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
  });
export type McpServerConfig = z.infer<typeof McpServerConfig>;
