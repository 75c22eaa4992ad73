// Leaves zod's messages in other languages out of a bundle.
import type { Plugin } from "esbuild";

/**
 * Replaces the list of locales. zod includes messages in fifty languages, which make up most of its size, but Pawl uses
 * only English.
 */
export const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};
