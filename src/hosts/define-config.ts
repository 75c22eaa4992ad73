// Provides the types of pawl.config.ts. It loads no schema, because a program that embeds Pawl does not need the
// configuration.
import type { ConfigInput } from "../schema/config.ts";

/** Gives editors the types of pawl.config.ts. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;
