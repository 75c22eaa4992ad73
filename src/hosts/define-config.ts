// Types for pawl.config.ts. Loads no schema, because a program that embeds Pawl needs none of the configuration.
import type { ConfigInput } from "../schema/config.ts";

/** Gives an editor the types of pawl.config.ts. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
