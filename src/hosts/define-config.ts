// The types of pawl.config.ts without its schema, which a program that embeds Pawl does not need.
import type { ConfigInput } from "../schema/config.ts";

/** Gives editors the types of pawl.config.ts and returns the configuration unchanged. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
