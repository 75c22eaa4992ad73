import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED } from "../../../src/tools/redaction/redact.ts";
import { unfinishedPatternStart } from "../../../src/tools/redaction/secret-patterns.ts";

const SECRET = "hunter2/Zürich + näive=42";
/** A string like the secret that signs links. */
const LONG = "f632a310c6c6d8690d864da646ec07637c6be083f823e96765dd0d0b511e35c3";
const redactor = createRedactor([SECRET, "db-p4ssw0rd", LONG]);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const FORMS: readonly (readonly [string, string])[] = [
  ["plain", SECRET],
  ["in an address", encodeURIComponent(SECRET)],
  ["in an address, small letters", encodeURIComponent(SECRET).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
  ["as a form field", encodeURIComponent(SECRET).replaceAll("%20", "+")],
  ["base64", base64(SECRET)],
  ["base64 with one letter before", base64(`x${SECRET}`)],
  ["base64 inside a header", base64(`user:${SECRET}`)],
  ["base64 with text behind", base64(`${SECRET} and more`)],
  ["base64url", Buffer.from(`xx${SECRET}`).toString("base64url")],
  ["base64 of a file, in lines", base64(`${LONG}\n`).replace(/.{76}/g, "$&\n")],
  ["base64 of a file, in lines of JSON", JSON.stringify(base64(`${LONG}\n`).replace(/.{76}/g, "$&\n"))],
  ["hexadecimal", Buffer.from(SECRET).toString("hex")],
  ["hexadecimal, capitals", Buffer.from(SECRET).toString("hex").toUpperCase()],
  ["JSON", JSON.stringify({ key: SECRET })],
  ["JSON in JSON", JSON.stringify(JSON.stringify({ key: SECRET }))],
];
/** The secret part of each form that is not completely secret. */
const TELLING: Readonly<Record<string, string>> = {
  "base64 with text behind": base64(SECRET).slice(0, -4),
  JSON: SECRET,
  "JSON in JSON": SECRET,
};
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7\n".repeat(20)}-----END RSA PRIVATE KEY-----`;
const SHAPED: readonly (readonly [string, string])[] = [
  ["an API key", "sk-proj-abcDEF123456_7890-xyzXYZ"],
  ["a live key", `sk_live_${"a1B2".repeat(6)}`],
  ["a GitHub token", `ghp_${"a1B2".repeat(9)}`],
  ["a fine-grained GitHub token", `github_pat_${"a1B2_".repeat(9)}`],
  ["a GitLab token", "glpat-abcdefghij0123456789"],
  ["a Slack token", "xoxb-123456789012-abcdefGHIJKL"],
  ["an AWS key id", "AKIAABCDEFGHIJKLMNOP"],
  ["a Google key", `AIza${"a1B2-".repeat(7)}`],
  ["an npm token", `npm_${"a1B2".repeat(9)}`],
  ["one of our keys", "pawl_0123456789abcdefghijklmnop"],
  ["a JSON web token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"],
  ["a bearer", "Bearer abcdef0123456789ABCDEF=="],
  ["a private key", PEM],
  ["a private key inside JSON", JSON.stringify(PEM).slice(1, -1)],
];
const hex = (length: number): string => "0123456789abcdef".repeat(8).slice(0, length);
const letters = (length: number): string => "a1B2c3D4e5".repeat(500).slice(0, length);
/** Tokens of other issuers in their original form. */
const ISSUED: readonly (readonly [string, string])[] = [
  ["a Heroku key", `HRKU-${letters(36)}`],
  ["a Supabase secret", `sb_secret_${letters(31)}`],
  ["a Sentry user token", `sntryu_${hex(64)}`],
  ["a Grafana Cloud token", `glc_${letters(48)}`],
  ["a Buildkite token", `bkua_${hex(40)}`],
  ["a CircleCI token", `CCIPAT_${letters(22)}_${hex(40)}`],
  ["a Contentful token", `CFPAT-${letters(43)}`],
  ["a Typeform token", `tfp_${letters(44)}`],
  ["a refresh token of Google", `1//0${letters(100)}`],
  ["a signing secret of ours", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  ["the address of an inbound webhook", `hkt_acme.hok_${letters(26).toLowerCase()}.${hex(64)}`],
  ["a link that answers a gate", `cft_${letters(40)}.${letters(40)}`],
  ["a ticket", `tkt_${letters(52).toLowerCase()}`],
  ["a temporary AWS key id", "ASIAABCDEFGHIJKLMNOP"],
  ["a temporary Google token", `ya29.a0${letters(60)}`],
  ["a Vault token", `hvs.CAESI${letters(60)}`],
  ["a DigitalOcean token", `dop_v1_${hex(64)}`],
  ["a Databricks token", `dapi${hex(32)}`],
  ["a Groq key", `gsk_${letters(52)}`],
  ["a Hugging Face token", `hf_${letters(34)}`],
  ["a GitHub refresh token", `ghr_${letters(36)}`],
  ["a GitLab runner token", `glrt-${letters(20)}`],
  ["a PyPI token", `pypi-${letters(80)}`],
  ["a Docker token", `dckr_pat_${letters(27)}`],
  ["a Stripe test key", `sk_test_${letters(24)}`],
  ["a Stripe restricted key", `rk_live_${letters(24)}`],
  ["a Shopify token", `shpat_${hex(32)}`],
  ["a Slack app token", `xapp-1-A0123456789-${letters(40)}`],
  ["a SendGrid key", `SG.${letters(22)}.${letters(43)}`],
  ["a Linear key", `lin_api_${letters(40)}`],
  ["an AWS session token", `IQoJb3JpZ2luX2Vj${letters(300)}`.replace("_", "")],
  ["a Doppler token", `dp.pt.${letters(43)}`],
  ["a Fly token", `fm2_${letters(60)}`],
  ["a Netlify token", `nfp_${letters(36)}`],
  ["a PlanetScale password", `pscale_pw_${letters(43)}`],
  ["a Supabase token", `sbp_${hex(40)}`],
  ["a Tailscale key", `tskey-auth-${letters(12)}-${letters(30)}`],
  ["a 1Password token", `ops_eyJ${letters(60)}`],
  ["an age key", `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`],
  ["an Atlassian token", `ATATT3xFfGF0${letters(60)}`],
  ["a RubyGems key", `rubygems_${hex(48)}`],
  ["a Square token", `sq0atp-${letters(22)}`],
  ["a Mailgun key", `key-${hex(32)}`],
  ["a Twilio key", `SK${hex(32)}`],
  ["a Slack webhook", `hooks.slack.com/services/T00000000/B00000000/${letters(24)}`],
  ["a Discord webhook", `discord.com/api/webhooks/123456789012345678/${letters(68)}`],
];
/** Secrets that are recognized by their surrounding text. */
const AROUND: readonly (readonly [string, string, string])[] = [
  ["a key in a variable", `MISTRAL_API_KEY=${letters(32)}`, letters(32)],
  ["a key in a header", `X-Api-Key: ${letters(32)}`, letters(32)],
  ["a token in a variable", `CLOUDFLARE_API_TOKEN=${letters(40)}`, letters(40)],
  ["a client's secret in JSON", `{"client_secret":"${letters(32)}"}`, letters(32)],
  ["a password in an address", "postgres://app:S3cr3t!pass@db.example.com:5432/app", "S3cr3t!pass"],
  ["a password with an @ in it", "https://ann:p@ss:w0rd1@example.com/x", "p@ss:w0rd1"],
  ["a password without a user", "redis://:hunter2hunter2@cache:6379", "hunter2hunter2"],
  ["an AWS secret key in a file", `aws_secret_access_key = ${letters(38)}/+`, `${letters(38)}/+`],
  ["an AWS secret key in the environment", `AWS_SECRET_ACCESS_KEY=${letters(40)}`, letters(40)],
  ["an AWS secret key in JSON", `{"SecretAccessKey": "${letters(40)}"}`, letters(40)],
  ["an AWS session token", `"SessionToken": "${letters(300)}=="`, letters(300)],
  ["an Azure key", `AccountName=a;AccountKey=${letters(86)}==;EndpointSuffix=x`, letters(86)],
  ["an npm token by its field", `//registry.example.com/:_authToken=${letters(36)}`, letters(36)],
  ["a basic authorization", "Authorization: Basic dXNlcjpzM2NyM3RQYXNz", "dXNlcjpzM2NyM3RQYXNz"],
  ["a shared access signature", `https://x.example/c?sv=2022&sig=${letters(43)}%3D&x=1`, letters(43)],
  ["a password in a query", "jdbc:mysql://h/db?user=u&password=S3cr3tPass", "S3cr3tPass"],
  ["a token in a query", `https://x.example/?access_token=${letters(30)}#x`, letters(30)],
  ["a token in place of a user", `https://${letters(40)}@example.com/o/r.git`, letters(40)],
  ["an AWS session token in an address", `X-Amz-Security-Token=${letters(200)}%2F%3D&x=1`, letters(200)],
];
/** Returns a trace of a secret: eight consecutive characters of it that remain in the text. */
const traceOf = (secret: string, text: string): string | null => {
  for (let at = 0; at + 8 <= secret.length; at += 1) {
    const part = secret.slice(at, at + 8);
    if (text.includes(part) && !/^[-BEGINRSAPIVTKYND ]+$/.test(part)) return part;
  }
  return null;
};
const inPieces = (text: string, sizes: readonly number[]): string => {
  const filter = redactor.pieces();
  let out = "";
  let at = 0;
  for (let i = 0; at < text.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    out += filter.push(text.slice(at, at + size));
    at += size;
  }
  return out + filter.end();
};

describe("a known secret", () => {
  test.each(FORMS)("%s is taken out", (name, form) => {
    const text = redactor.text(`before ${form} after`);
    expect(text).toContain(REDACTED);
    expect(traceOf(TELLING[name] ?? form, text.replace("before ", "").replace(" after", ""))).toBeNull();
    expect(text).toMatch(/^before .* after$/s);
  });

  test.each(FORMS)("%s is taken out wherever the pieces end", (_name, form) => {
    const whole = `output before ${form} output after`;
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const filter = redactor.pieces();
      const out = filter.push(whole.slice(0, cut)) + filter.push(whole.slice(cut)) + filter.end();
      expect(out).toBe(redactor.text(whole));
    }
    expect(inPieces(whole, [1])).toBe(redactor.text(whole));
  });

  test("stays out of data, in values and in names", () => {
    const value = redactor.value({ [SECRET]: [SECRET, 1, null, { deep: `x${SECRET}` }] });
    expect(JSON.stringify(value)).not.toContain("hunter2");
    expect(value).toEqual({ [REDACTED]: [REDACTED, 1, null, { deep: `x${REDACTED}` }] });
  });

  test("words too short to be secrets are left alone", () => {
    expect(createRedactor(["cat", ""]).text("a cat sat")).toBe("a cat sat");
  });
});

describe("the shape of a key", () => {
  test.each(SHAPED)("%s is taken out", (_name, key) => {
    const text = redactor.text(`KEY=${key}\nnext`);
    expect(traceOf(key, text)).toBeNull();
    expect(text.endsWith("next")).toBe(true);
  });

  test.each(SHAPED)("%s is taken out in pieces of any size", (_name, key) => {
    const whole = `KEY=${key}\nnext`;
    for (const size of [1, 2, 3, 5, 7, 11, 13, 64]) expect(inPieces(whole, [size])).toBe(redactor.text(whole));
  });

  test.each(ISSUED)("%s is taken out, also in pieces of any size", (_name, key) => {
    const whole = `KEY=${key}\nnext`;
    expect(redactor.text(whole)).toBe(`KEY=${REDACTED}\nnext`);
    for (const size of [1, 2, 3, 5, 7, 11, 13, 64]) expect(inPieces(whole, [size])).toBe(redactor.text(whole));
    for (let at = 1; at <= key.length; at += 1) expect(unfinishedPatternStart(`KEY: ${key.slice(0, at)}`)).toBe(5);
  });

  test.each(AROUND)("%s is redacted, and the text around it is unchanged", (_name, text, secret) => {
    const whole = `before ${text} after`;
    expect(redactor.text(whole)).toContain(REDACTED);
    expect(traceOf(secret, redactor.text(whole))).toBeNull();
    expect(redactor.text(whole)).toMatch(/^before .* after$/);
    for (const size of [1, 2, 3, 5, 7, 11, 13, 64]) expect(inPieces(whole, [size])).toBe(redactor.text(whole));
  });

  test.each([
    "task-1 and disk-usage",
    "http://localhost:8787/v1/threads and git@github.com:me/x.git",
    "see https://example.com/a:b@c and mail me@example.com",
    "const sessionToken = createSessionTokenForThisVeryUser(request);",
    "dapi, hf_ and ASIA are how they begin",
    "const sk = 3; risk-assessment-of-all-things-here",
    "the bearer of bad news",
    "Bearer token",
    "eyJ is how they begin",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "------- a line of dashes -------",
    "import { npm_config } from './npm_config.ts'",
  ])("%s is none", (text) => {
    expect(redactor.text(text)).toBe(text);
    expect(inPieces(text, [3])).toBe(text);
  });

  test("a private key without an end is held back only so long, and not shown then either", () => {
    const body = "MIIEpAIBAAKCAQEA7Zfq\n".repeat(1_000);
    const out = inPieces(`-----BEGIN PRIVATE KEY-----\n${body}`, [512]);
    expect(out).not.toContain(`MIIEpAIBAAKCAQEA7Zfq\n`.repeat(500));
    expect(out.startsWith(REDACTED)).toBe(true);
  });
});

describe("text without secrets", () => {
  test("comes through in pieces exactly as it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (text, sizes) => {
          fc.pre(redactor.text(text) === text);
          expect(inPieces(text, sizes)).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("is passed on at once when it cannot be the beginning of one", () => {
    const filter = redactor.pieces();
    expect(filter.push("compiling 14 files\n")).toBe("compiling 14 files\n");
  });

  test.each([
    ["dashes", "-".repeat(65_536)],
    ["beginnings of keys", "-----BEGIN PRIVATE KEY-----".repeat(2_400)],
    ["beginnings of tokens", "eyJ.".repeat(16_384)],
    ["beginnings of tokens with dashes", "sk-".repeat(21_845)],
    ["bearers", "Bearer ".repeat(9_362)],
    ["bearers in one word", "Bearer-".repeat(9_362)],
    ["beginnings of tokens with dots", `${"ya29.".repeat(13_106)}+`],
    ["beginnings of addresses", "://a:".repeat(13_106)],
    ["names of fields", "session_token=".repeat(4_681)],
  ])("made of %s takes no longer than other text", (_name, text) => {
    const usual = timeOf("lorem ipsum ".repeat(5_461));
    expect(timeOf(text)).toBeLessThan(usual * 60 + 250);
  });
});

function timeOf(text: string): number {
  const began = performance.now();
  inPieces(text, [65_536]);
  return performance.now() - began;
}

test("every shape, when whole, is also one that may still grow, and every beginning of it may become one", () => {
  for (const [, key] of SHAPED.slice(0, 12)) {
    for (let at = 1; at <= key.length; at += 1) expect(unfinishedPatternStart(`KEY: ${key.slice(0, at)}`)).toBe(5);
  }
});
