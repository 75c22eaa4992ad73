// Leaves zod's messages in other languages out of a bundle.
import type { Plugin } from "esbuild";

/** The fifty languages of zod's messages make up most of its size. */
export const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};
