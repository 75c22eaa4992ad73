// Tests the configuration of MCP servers on hosts that run no programs.
import * as sdk from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createMcpServers } from "../../src/hosts/shared/mcp-servers.ts";
import { Config } from "../../src/schema/config.ts";
import { fail } from "../../src/schema/problem.ts";

const platform = {
  sdk: async () => sdk,
  fetcher: () => ({ fetch: async () => fail("fetch_failed", "There is no network.") }),
};
const open = (mcp: object) => createMcpServers(Config.parse({ mcp }), {}, platform);

test("a program is refused where none run, with the reason", () => {
  const message = "mcp.notes.command: this host runs no programs; use a url.";
  expect(open({ notes: { command: ["node", "notes.js"] } })).toMatchObject({
    problem: { code: "config_invalid", message },
  });
});

test("a header without its variable is refused", () => {
  const notes = { url: "https://notes.example/mcp", headers_env: { Authorization: "NOTES_KEY" } };
  expect(open({ notes })).toMatchObject({ problem: { code: "config_invalid" } });
});

test("a server that does not answer is reported, and asked again after a minute", async () => {
  const opened = open({ notes: { url: "https://notes.example/mcp" } });
  if (!opened.ok) throw new Error(opened.problem.message);
  const { refresh, refreshIfOld, toolkits, close } = opened.value;
  expect(await refresh()).toEqual([expect.stringContaining("There is no network.")]);
  expect(toolkits[0]?.name).toBe("mcp_notes");
  let asked = 0;
  const counting = createMcpServers(
    Config.parse({ mcp: { notes: { url: "https://notes.example/mcp" } } }),
    {},
    {
      ...platform,
      sdk: async () => {
        asked += 1;
        throw new Error("The package is missing.");
      },
    },
  );
  if (!counting.ok) throw new Error(counting.problem.message);
  await counting.value.refreshIfOld(0);
  const once = asked;
  await counting.value.refreshIfOld(59_000);
  expect([once > 0, asked]).toEqual([true, once]);
  await counting.value.refreshIfOld(60_000);
  expect(asked).toBeGreaterThan(once);
  const before = asked;
  // The clock was years ahead and is correct again.
  await counting.value.refreshIfOld(-1e11);
  expect(asked).toBeGreaterThan(before);
  await refreshIfOld(0);
  await close();
});
