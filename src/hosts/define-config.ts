// Provides the types of pawl.config.ts without loading its schema, because a program that embeds Pawl does not need the
// schema.
import type { ConfigInput } from "../schema/config.ts";

/** Returns the configuration unchanged. It only gives editors the types of pawl.config.ts. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
