import { expect, test } from "vitest";
import { protocolsPage } from "../../scripts/protocols-table.ts";
import { readSource } from "../../scripts/read-source.ts";

test("docs/reference/protocols.md matches the tests; node scripts/protocols-table.ts rewrites it", () => {
  expect(readSource("docs/reference/protocols.md")).toBe(protocolsPage());
});
