// Tests that secrets in other forms are found in text that is kept for later threads, and that ordinary text is not
// refused.
import { expect, test } from "vitest";
import { holdsSecret } from "../../../src/tools/redaction/holds-secret.ts";

const KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
const ADDRESS = "postgres://admin:hunter2hunter2@db.internal/shop";
const fullWidth = (text: string): string =>
  [...text].map((char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0)).join("");
const percent = (text: string): string => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");

test.each([
  ["plain", KEY],
  ["base64", `note: ${btoa(KEY)} (keep)`],
  ["base64 of an address", btoa(ADDRESS)],
  ["base64url without padding", btoa(`>>>???${ADDRESS}`).replace(/[+/=]/g, (c) => ({ "+": "-", "/": "_" })[c] ?? "")],
  ["base64 twice", btoa(btoa(KEY))],
  ["hex", Buffer.from(KEY).toString("hex")],
  ["an encoded address", encodeURIComponent(ADDRESS)],
  ["percent signs", percent(KEY)],
  ["character references", KEY.replaceAll("-", "&#45;")],
  ["escapes of JSON", KEY.replaceAll("-", "\\u002d")],
  ["a zero-width space", `${KEY.slice(0, 4)}\u200b${KEY.slice(4)}`],
  ["a soft hyphen", `s\u00ad${KEY.slice(1)}`],
  ["full-width letters", fullWidth(KEY)],
])("finds a secret as %s", (_form, text) => {
  expect(holdsSecret(text)).toBe(true);
});

test.each([
  "Reports are written in French. The office is in Lyon.",
  "The commit is 3f786850e387550fdab836ed7e6dc881de23001b.",
  "上海的办公室在浦东。",
  "See https://example.com/a%20b?c=d&e=%7B%7D for the plan.",
  "thr_58b299b7f7e4f3946a7135024d answered with ZGF0YTogaGVsbG8gd29ybGQ=",
  "",
])("keeps %j", (text) => {
  expect(holdsSecret(text)).toBe(false);
});
