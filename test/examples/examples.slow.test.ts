// Runs the examples, and checks that the README shows the same code.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { outputPattern } from "../support/doc-commands.ts";
import { minimalEnvironment } from "../support/minimal-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-examples-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the output of a program, or rejects if it does not exit with 0. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: minimalEnvironment(env) });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`ended with ${code}:\n${output}`))));
  });
}
const example = (name: string, env?: Record<string, string>): Promise<string> =>
  run(process.execPath, [join(projectRoot, "examples", name)], env);

describe("the examples", () => {
  test("01-hello moves a task on a running server", async () => {
    const app = await startApp(folder);
    const output = await example("01-hello.ts", { PAWL_URL: app.url });
    await app.stop();
    expect(output.split("\n").filter((line) => line.startsWith("approved: "))).toHaveLength(2);
    expect(output).toMatch(/Done: Moved Essay outline .*/);
  });

  test.each([
    ["02-tool.ts", ["settled send_invoice true", "The invoice for Ada is sent. proven"]],
    ["03-gate.ts", ["question: Which room?", "Blue is booked at 10:00", "gate_closed"]],
    [
      "04-policy.ts",
      ["5 messages about keys; the door code is ****", "Searching for salaries is not allowed.", "may be private"],
    ],
    ["09-telemetry.ts", ["invoke_agent default", "chat scripted", "gen_ai.conversation.id"]],
    ["05-own-store.ts", ["cases of the contract", "record 1 of turn 1", "Hello from your own store."]],
  ])("%s runs offline", async (name, lines) => {
    const output = await example(name);
    for (const line of lines) expect(output).toContain(line);
  });
});

const fences = (language: string): readonly string[] =>
  [...readSource("README.md").matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    (match) => match[1] ?? "",
  );

test("the telemetry page shows 09-telemetry unchanged, except for the package name", () => {
  const [, ...code] = readSource("examples/09-telemetry.ts").replace('"../src/index.ts"', '"pawl"').split("\n");
  expect(readSource("docs/how-to/telemetry.md")).toContain(code.join("\n").trim());
});

describe("the README", () => {
  test("shows 01-hello as it is, but for the name of the package", () => {
    const [, ...code] = readSource("examples/01-hello.ts").replace('"../src/client.ts"', '"pawl/client"').split("\n");
    expect(fences("ts")).toContain(code.join("\n"));
    expect(code.filter((line) => line.trim() !== "" && !line.startsWith("import")).length).toBeLessThanOrEqual(10);
  });
});

type OpenGate = { readonly id: string; readonly digest: string };

describe("docs/start.md", () => {
  const page = readSource("docs/start.md");

  test("lets a thread wait for approval, restart the server, and approve, by the commands it prints", async () => {
    const commands = page.split("\n").filter((line) => line.startsWith("npx pawl "));
    const first = await startApp(folder);
    const pawl = (command: string | undefined, url: string, input = ""): Promise<string> => {
      const line = `${process.execPath} ${join(projectRoot, "bin/pawl.js")} ${(command ?? "").slice("npx pawl ".length)}`;
      return run("sh", ["-c", `printf '${input}' | ${line}`], { PAWL_URL: url });
    };
    const [chat, threads, goOn, show] = commands;
    expect(await pawl(chat, first.url, "a\\n")).toContain("A tool call is waiting for your approval: move");
    await first.stop();
    const second = await startApp(folder);
    const waiting = await pawl(threads, second.url);
    expect(waiting).toMatch(outputPattern(page.split("```text\n")[1]?.split("```")[0] ?? ""));
    const id = /thr_\w+/.exec(waiting)?.[0] ?? "";
    expect(await pawl(goOn?.replace("thr_…", id), second.url, "a\\n")).toContain(
      "Delivered: completed, proven by receipts.",
    );
    expect(await pawl(show?.replace("thr_…", id), second.url)).toContain("Moved [13] Essay outline");
    await second.stop();
  });

  test("names six requests that answer as it says", async () => {
    const requests = [...page.matchAll(/^\| (?:`(POST|GET) (\/v1\/[^`]+)`|the same confirmation)/gm)];
    expect(requests).toHaveLength(6);
    const app = await startApp(folder);
    let thread = "";
    let gate: OpenGate | null = null;
    const answers: Record<string, unknown>[] = [];
    for (const [, method = "POST", path = "/v1/threads/{id}/turns?until=pause"] of requests) {
      const confirm = gate && { type: "confirm", gate_id: gate.id, digest: gate.digest, decision: "approve" };
      const goal = "Move the essay outline to Thursday of week 2";
      const body = path === "/v1/threads" ? { goal } : confirm ? { input: confirm } : {};
      const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const response = await fetch(`${app.url}${path.replace("{id}", thread)}`, method === "GET" ? {} : init);
      const answer = (await response.json()) as { thread?: { id: string; gate: OpenGate | null } };
      answers.push(answer);
      if (answer.thread) ({ id: thread, gate } = answer.thread);
    }
    await app.stop();
    const [created, planned, proposed, inbox, delivered, prompt] = answers;
    expect(created).toMatchObject({ next: "advance", turn: null });
    expect(planned).toMatchObject({ next: "confirm", thread: { gate: { kind: "plan" } }, turn: { model: "demo" } });
    expect(proposed).toMatchObject({ next: "confirm", thread: { gate: { kind: "confirmation" } } });
    expect(inbox).toMatchObject({ gates: expect.arrayContaining([expect.objectContaining({ thread })]) });
    expect(delivered).toMatchObject({ next: "none", thread: { outcome: "completed", evidence: "proven" } });
    expect(prompt).toMatchObject({ turn: 4, model: "demo" });
    expect(prompt?.messages).toHaveLength(4);
  });
});
