// Tests the wording of the most usual mistakes in requests and configurations.
import { expect, test } from "vitest";
import * as z from "zod";
import { issueMessage } from "../../../src/schema/json/issue-message.ts";

test.each([
  [z.string().min(1), "", "must have at least 1 character"],
  [z.string().max(3), "four", "must have at most 3 characters"],
  [z.array(z.string()).min(1), [], "must have at least 1 item"],
  [z.number().gt(0), 0, "must be more than 0"],
  [z.number().lt(5), 5, "must be less than 5"],
  [z.number(), "x", "must be number, not string"],
  [z.enum(["a", "b"]), "c", 'must be one of "a"|"b"'],
] as const)("%#: %s %s", (schema, value, message) => {
  expect(issueMessage(schema.safeParse(value).error?.issues[0])).toBe(message);
});
