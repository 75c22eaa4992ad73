// The types of pawl.config.ts without its schema, which a program that embeds Pawl does not need.
import type { ConfigInput } from "../schema/config.ts";

/** Provides editors with the types of pawl.config.ts and returns the configuration unchanged. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
