// What this server is: its release and the model it asks. For people who look at it through a page or a terminal.
import { z } from "zod";
import type { Route } from "../app.ts";
import { SCOPES } from "../edge/caller.ts";

export const AboutBody = z.object({
  release: z.string(),
  model: z.string().describe("The name of the model that serves the default agent."),
  demo: z.boolean().describe("True where no model is configured and the built-in one answers."),
  data: z.string().nullable().describe("Where threads are kept; told only where nobody but this machine can ask."),
  caller: z.object({ name: z.string(), scopes: z.array(z.enum(SCOPES)) }),
});
export type AboutBody = z.infer<typeof AboutBody>;
export type About = Pick<AboutBody, "model" | "demo" | "data">;

export const aboutRoutes = ({ model, demo, data }: About): readonly Route[] => [
  [
    "get",
    "/v1/about",
    "read",
    (c) => {
      const { release, local_only } = c.get("options");
      const { name, scopes } = c.get("caller");
      const caller = { name, scopes: [...scopes] };
      return c.json({ release, model, demo, data: local_only ? data : null, caller } satisfies AboutBody);
    },
  ],
];
