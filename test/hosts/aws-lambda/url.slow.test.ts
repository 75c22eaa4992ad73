// Tests the function at an address: moves a thread there with the terminal, and runs the commands on the page about
// deployment as printed.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleLambda } from "../../../scripts/bundle-lambda.ts";
import { projectRoot } from "../../../scripts/read-source.ts";
import { createClient } from "../../../src/client/client.ts";
import type { Gate } from "../../../src/schema/gate.ts";
import { killTerminals, runCli } from "../../cli/terminal.ts";
import { killApps, startApp } from "../../support/app-process.ts";
import { hasDynamoServer, useDynamoServer } from "../../support/dynamodb.ts";
import { type FunctionUrl, openFunctionUrl } from "../../support/function-url.ts";
import { type LambdaInstance, startInstance } from "../../support/lambda-process.ts";
import { unwrap } from "../../support/runtime.ts";
import { startSecretsExtension } from "../../support/secrets-extension.ts";
import { approval } from "../../support/story.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-lambda-url-"));
afterAll(async () => {
  killTerminals();
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

async function bash(script: string, env: Record<string, string> = {}): Promise<string> {
  const options = { env: { PATH: process.env.PATH ?? "", ...env }, timeout: 60_000 };
  return (await promisify(execFile)("bash", ["-c", script], options)).stdout;
}

/** Returns the commands of a section of the page. */
function commands(section: string): readonly string[] {
  const page = readFileSync(join(projectRoot, "docs/how-to/deploy-aws.md"), "utf8");
  const text = page.split(/^## /m).find((one) => one.startsWith(section)) ?? "";
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? "");
}

describe.runIf(hasDynamoServer())("the function at an address", () => {
  const server = useDynamoServer();
  let instance: LambdaInstance;
  let at: FunctionUrl;
  let key = "";

  beforeAll(async () => {
    await bundleLambda(join(folder, "bundle"));
    // The page's own commands create the key and the secret; only the service that they call is replaced.
    const [make = ""] = commands("3. Give it keys");
    const script = `aws() { printf '%s\\n' "\${@: -1}"; }\nSECRET=arn\n${make}\necho "$KEY"`;
    const [secret = "", made = ""] = (await bash(script)).trim().split("\n");
    key = made;
    const extension = await startSecretsExtension("token", "arn", () => JSON.parse(secret));
    const env = { ...server().env, TABLE_NAME: await server().table(), ...extension.env };
    instance = startInstance({ bundle: join(folder, "bundle/lambda.mjs"), env });
    at = await openFunctionUrl(instance);
  });
  afterAll(async () => {
    await at.close();
    await instance.end();
  });

  test("the page's calls lead from nothing to a delivery", async () => {
    const [create = "", advance = "", confirm = ""] = commands("4. Send a request");
    const curl = async (command: string, known: Record<string, string> = {}): Promise<string> => {
      const filled = Object.entries(known).reduce((all, [gap, value]) => all.replaceAll(gap, value), command);
      return bash(filled, { URL: at.url, KEY: key });
    };
    type TurnResponse = { thread: { id: string; gate: Gate | null; state: string; outcome: string | null } };
    const { thread } = JSON.parse(await curl(create)) as TurnResponse;
    const events = await curl(advance, { "thr_…": thread.id });
    const [, last = ""] = /^event: response\ndata: (.+)$/m.exec(events) ?? [];
    const { gate } = (JSON.parse(last) as TurnResponse).thread;
    if (gate?.kind !== "confirmation") throw new Error(`no confirmation is asked for: ${last}`);
    const done = await curl(confirm, {
      "thr_…": thread.id,
      "gat_…": gate.id,
      '"digest":"…"': `"digest":"${gate.digest}"`,
    });
    expect((JSON.parse(done) as TurnResponse).thread).toMatchObject({ state: "rest", outcome: "completed" });
  });

  test("a thread begun on a file is exported, verified, imported at the address and finished there", async () => {
    const app = await startApp(folder);
    const goal = "Move the essay outline to Thursday of week 2";
    const { thread } = unwrap(await app.client.create({ goal, mode: "direct" }));
    for (let turn = 0; turn < 3; turn += 1) unwrap(await app.client.advance(thread.id));
    const here = { cwd: folder, env: { PAWL_URL: app.url } };
    const there = { cwd: folder, env: { PAWL_URL: at.url, PAWL_KEY: key } };
    expect((await runCli(["export", thread.id, "-o", "thread.jsonl"], here)).code).toBe(0);
    await app.stop();
    expect((await runCli(["verify", "thread.jsonl"], { cwd: folder })).out).toContain("valid");
    const text = readFileSync(join(folder, "thread.jsonl"), "utf8");
    writeFileSync(join(folder, "changed.jsonl"), text.replace("essay outline", "essay outlin3"));
    expect((await runCli(["import", "changed.jsonl"], there)).err).toContain("export_invalid");
    const arrived = await runCli(["import", "thread.jsonl", "--json"], there);
    expect(arrived, arrived.err).toMatchObject({ code: 0 });

    const client = createClient(at.url, key);
    const waiting = unwrap(await client.get(thread.id)).thread;
    expect(waiting).toMatchObject({ version: 3, gate: { kind: "confirmation", call: { name: "move" } } });
    unwrap(await client.advance(thread.id, approval(waiting.gate)));
    expect(unwrap(await client.advance(thread.id)).thread).toMatchObject({ outcome: "completed", evidence: "proven" });
    const back = await runCli(["export", thread.id, "-o", "back.jsonl", "--json"], there);
    expect(JSON.parse(back.out)).toMatchObject({ thread: thread.id, records: 7 });
  });
});
