// Leaves the messages of zod in other languages out of a bundle.
import type { Plugin } from "esbuild";

/** zod includes messages in fifty languages, which are most of its size; ours are English. */
export const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};
