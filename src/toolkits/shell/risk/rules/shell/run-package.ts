// Judges npx and similar programs. The program of a package is judged by its name; starting a project from an unknown
// template needs approval.
import { literal, NONE, type Rule } from "../../model.ts";
import { afterOptions, readOptions, valuesOf } from "../../parse/options.ts";
import { isSystemProgram } from "../harmless-programs.ts";

/** The rule for npx, dlx and uvx, which run a package by name. Versions after @ do not matter here. */
export const runsPackage: Rule = (command, context) => {
  const valued = "p package c call from with python spec w workspace";
  const inner = afterOptions(command.args, valued);
  const options = readOptions(command.args.slice(0, command.args.length - inner.length), valued);
  for (const text of valuesOf(options, "c call")) context.runScript(text, "bash", command);
  const [first, ...rest] = inner;
  if (!first) return NONE;
  if (!first.known) return ["not_literal"];
  if (/^(?:https?:|git\+|git:|github:|file:|[\w-]+\/[\w.-]+$)/.test(first.value)) return ["remote_code"];
  const name = packageName(first.value);
  if (/^(?:create-|@[\w-]+\/create)/.test(first.value)) return isStarter(first.value) ? NONE : ["remote_code"];
  // A package that is named like a system program is not that program.
  if (isSystemProgram(name)) return ["remote_code"];
  context.runWords([literal(name), ...rest], command);
  return NONE;
};

// Templates of widely used projects. Any other name may be a package of unknown origin.
const STARTERS =
  /^(?:vite|vite-extra|next-app|react-app|react-router|remix|svelte|vue|nuxt|nuxt-app|astro|solid|solid-app|qwik|t3-app|expo|expo-app|react-native-app|hono|cloudflare|electron-app|docusaurus|turbo|nx-workspace|strapi-app|strapi|payload-app|tauri-app|rspack|rsbuild|preact|lit|typescript-app|jest-runner|playwright|eslint|eslint-config|esm|fastify|nestjs|discord-bot|keystone-app|gatsby|redwood-app|medusa-app|storybook|stylelint|vitepress|video|wdio|cypress)$/;

/** True for the template of a widely used project, as in `create-vite@latest`, or `vite@latest` after `npm create`. */
export function isStarter(text: string): boolean {
  const bare = text.replace(/(?!^)@[^/@]*$/, "");
  const scoped = /^@(\w[\w-]*)\/(?:create(?:-[\w-]+)?|[\w-]+)$/.exec(bare);
  return STARTERS.test(scoped?.[1] ?? bare.replace(/^create-/, ""));
}

/** Returns `biome` for `@biomejs/biome@2`, because npx runs the program with the name of the package. */
export function packageName(text: string): string {
  const bare = text.replace(/(?!^)@[^/@]*$/, "");
  const scoped = /^@([\w-]+)\/([\w.-]+)$/.exec(bare);
  if (!scoped) return bare;
  return scoped[2] === "cli" ? (scoped[1] ?? bare) : (scoped[2] ?? bare);
}
