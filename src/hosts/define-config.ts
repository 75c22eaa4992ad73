// Provides the types of pawl.config.ts without loading its schema, because a program that embeds Pawl does not need the
// schema.
import type { ConfigInput } from "../schema/config.ts";

/** Gives editors the types of pawl.config.ts and returns the configuration unchanged. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
