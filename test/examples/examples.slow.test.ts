// The examples run as they are, and the README shows the same code.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { projectRoot, readSource } from "../../scripts/read-source.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { minimalEnvironment } from "../support/minimal-environment.ts";

const folder = mkdtempSync(join(tmpdir(), "pawl-examples-"));
afterAll(async () => {
  await killApps();
  rmSync(folder, { recursive: true, force: true });
});

/** What a program printed; rejects when it ends otherwise than with 0. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, env: minimalEnvironment(env) });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(said) : reject(new Error(`ended with ${code}:\n${said}`))));
  });
}
const example = (name: string, env?: Record<string, string>): Promise<string> =>
  run(process.execPath, [join(projectRoot, "examples", name)], env);

describe("the examples", () => {
  test("01-hello moves a task on a running server", async () => {
    const app = await startApp(folder);
    const said = await example("01-hello.ts", { PAWL_URL: app.url });
    await app.stop();
    expect(said.split("\n").filter((line) => line.startsWith("approved: "))).toHaveLength(2);
    expect(said).toMatch(/Done: Moved \[13\] Essay outline .* \(receipt rcp_\w+\)/);
  });

  test.each([
    ["02-tool.ts", ["settled send_invoice true", "The invoice for Ada is sent. proven"]],
    ["03-gate.ts", ["question: Which room?", "Blue is booked at 10:00", "gate_closed"]],
    ["04-policy.ts", ["5 letters about keys; the door code is ****", "Salaries are not searched.", "may be private"]],
    ["05-own-store.ts", ["promises", "record 1 of turn 1", "Hello from your own store."]],
  ])("%s runs offline", async (name, lines) => {
    const said = await example(name);
    for (const line of lines) expect(said).toContain(line);
  });
});

const fences = (language: string): readonly string[] =>
  [...readSource("README.md").matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    (match) => match[1] ?? "",
  );

describe("the README", () => {
  test("shows 01-hello as it is, but for the name of the package", () => {
    const [, ...code] = readSource("examples/01-hello.ts").replace('"../src/index.ts"', '"pawl"').split("\n");
    expect(fences("ts")).toContain(code.join("\n"));
    expect(code.filter((line) => line.trim() !== "" && !line.startsWith("import")).length).toBeLessThanOrEqual(10);
  });

  test("tells a story of six calls that work as printed", async () => {
    const story = fences("sh").find((text) => text.includes("/gates")) ?? "";
    expect(story.match(/^# \d\. /gm)).toHaveLength(6);
    const app = await startApp(folder);
    const script = join(folder, "story.sh");
    writeFileSync(script, story.replace("http://127.0.0.1:8787", app.url));
    const answers = (await run("sh", [script])).trim().split("\n");
    await app.stop();
    const [created, planned, proposed, inbox, delivered, prompt] = answers.map((text) => JSON.parse(text));
    expect(answers).toHaveLength(6);
    expect(created).toMatchObject({ next: "advance", turn: null });
    expect(planned).toMatchObject({ next: "confirm", thread: { gate: { kind: "plan" } }, turn: { model: "demo" } });
    expect(proposed).toMatchObject({ next: "confirm", thread: { gate: { kind: "confirmation" } } });
    expect(inbox.gates[0]).toMatchObject({ thread: created.thread.id, gate: { id: proposed.thread.gate.id } });
    expect(delivered).toMatchObject({ next: "none", thread: { outcome: "completed", evidence: "proven" } });
    expect(prompt).toMatchObject({ turn: 7, model: "demo" });
    expect(prompt.messages).toHaveLength(4);
  });
});
