// Converts an issue of zod to a message that follows the name of the field, such as "must be string, not number".
import type * as z from "zod";

export function issueMessage(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "is not valid";
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? "is not a name";
  const message = issue.message.replace(/^Invalid (input|option): /, "").replace(/^Too (small|big): /, "");
  if (/received undefined$/.test(message)) return "is missing";
  return message
    .replace(/^expected record, /, "expected object, ")
    .replace(/^expected (.+), received (.+)$/, "must be $1, not $2")
    .replace(/^expected one of (.+)$/, "must be one of $1")
    .replace(/^Invalid discriminator value\. Expected (.+)$/, "must be one of $1")
    .replace(
      /^expected \w+ to (be|have) ([<>]=?)(\S+)/,
      (_, verb, sign, limit) => `must ${verb} ${LIMITS[sign]} ${limit}`,
    )
    .replace(/^(must have at \w+ 1 \w+)s$/, "$1")
    .replace(/^expected \w+ to (be|have) (.+)$/, "must $1 $2");
}

const LIMITS: Readonly<Record<string, string>> = {
  ">=": "at least",
  "<=": "at most",
  ">": "more than",
  "<": "less than",
};
