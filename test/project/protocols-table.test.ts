import { expect, test } from "vitest";
import { protocolsPage } from "../../scripts/protocols-table.ts";
import { readSource } from "../../scripts/read-source.ts";

test("docs/reference/protocols.md matches the tests; node scripts/protocols-table.ts rewrites it", () => {
  expect(readSource("docs/reference/protocols.md")).toBe(protocolsPage());
});

test("the clients of the table have the versions that are installed", () => {
  const { devDependencies } = JSON.parse(readSource("package.json")) as { devDependencies: Record<string, string> };
  const installed = Object.entries(devDependencies).map(([name, version]) =>
    version.startsWith("npm:") ? version.slice("npm:".length).replace(/@(?=[^@]*$)/, " ") : `${name} ${version}`,
  );
  const rows = protocolsPage().match(/^\| \[.*$/gm) ?? [];
  const named = rows.flatMap((row) => row.split("|")[2]?.trim().split(", ") ?? []);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((client) => !installed.includes(client))).toEqual([]);
});
