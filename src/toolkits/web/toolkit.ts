// Defines the web toolkit, which reads pages and searches through the guarded fetcher of the host.
import { defineToolkit } from "../../tools/toolkit.ts";
import { fetchUrl } from "./fetch-url.ts";
import { search } from "./search.ts";

export const web = defineToolkit({
  name: "web",
  parts: ["fetch"],
  offered: "on request",
  tools: ({ fetch, search: endpoint }) => [fetchUrl(fetch), ...(endpoint ? [search(fetch, endpoint)] : [])],
});
