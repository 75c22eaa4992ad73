// Web: read a page, through the guarded fetcher of the host.
import { defineToolkit } from "../../tools/toolkit.ts";
import { fetchUrl } from "./fetch-url.ts";

export const web = defineToolkit({
  name: "web",
  parts: ["fetch"],
  offered: "on request",
  tools: (parts) => [fetchUrl(parts.fetch)],
});
