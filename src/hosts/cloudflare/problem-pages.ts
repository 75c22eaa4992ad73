// Reads the problem pages from the worker's static assets. If they were not built, the app shows a short page instead.
import type { AppOptions } from "../../http/env.ts";
import type { CloudflareEnv } from "./env.ts";

export const problemPages =
  ({ ASSETS }: CloudflareEnv): AppOptions["problem_page"] =>
  async (code) => {
    const file = await ASSETS?.fetch(new Request(`https://files/problems/${code}.md`));
    return file?.ok ? file.text() : null;
  };
