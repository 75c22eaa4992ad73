// The package as strangers get it: packed, installed into an empty project, run and type-checked there.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/read-source.ts";

const project = mkdtempSync(join(tmpdir(), "pawl-package-"));
const packed: { files: readonly string[] } = { files: [] };

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", timeout: 110_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} → ${status ?? error}\n${stdout}\n${stderr}`);
  return stdout;
}

const node = (code: string, cwd: string): string =>
  run(process.execPath, ["--input-type=module", "--eval", code], cwd).trim();

const oneLiner = (from: string): string =>
  `import { parseDecision } from ${JSON.stringify(from)};
   console.log(JSON.stringify(parseDecision('Sure! {"action":"done","goal_check":"3 moved"}')));`;

const parsed = { ok: true, value: { action: "done", goal_check: "3 moved" } };

describe("from the sources", () => {
  test("a one-liner reads a decision with src/index.ts as it is", () => {
    expect(JSON.parse(node(oneLiner(join(projectRoot, "src/index.ts")), projectRoot))).toEqual(parsed);
  });
});

describe("from the packed package", () => {
  beforeAll(() => {
    const [tarball] = JSON.parse(
      run("npm", ["pack", "--json", "--silent", "--pack-destination", project], projectRoot),
    );
    packed.files = tarball.files.map((file: { path: string }) => file.path);
    writeFileSync(join(project, "package.json"), '{ "name": "a-user", "private": true, "type": "module" }\n');
    // Optional dependencies bring a whole Node along: of use to those who develop, not to this test.
    const quick = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"];
    run("npm", ["install", ...quick, join(project, tarball.filename)], project);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test("it holds what it promises and nothing of the workshop", () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        "dist/index.js",
        "dist/src/index.d.ts",
        "dist/console/index.html",
        "LICENSE",
        "README.md",
      ]),
    );
    expect(packed.files.filter((path) => /^(src|test|scripts|bench|machines|\.ci)\//.test(path))).toEqual([]);
  });

  test("every page that a message sends its reader to is in it", () => {
    const sources = globSync("src/**/*.{ts,tsx}", { cwd: projectRoot });
    const named = sources.flatMap(
      (path) => readFileSync(join(projectRoot, path), "utf8").match(/\bdocs\/(?:[a-z-]+\/)?[a-z_-]+\.md\b/g) ?? [],
    );
    expect(named).toContain("docs/how-to/configure-a-model.md");
    expect(packed.files).toEqual(expect.arrayContaining(named));
  });

  test("everything package.json points to is in it", () => {
    const { exports, bin = {} } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
    const named = [exports, bin].flatMap((part) => JSON.stringify(part).match(/\.\/[^"]+\.(?:js|d\.ts)/g) ?? []);
    expect(packed.files).toEqual(expect.arrayContaining(named.map((path) => path.slice(2))));
  });

  test("a one-liner reads a decision", () => {
    expect(JSON.parse(node(oneLiner("pawl"), project))).toEqual(parsed);
  });

  test("the terminal runs, and brings a server of its own", () => {
    const pawl = (...args: string[]): string =>
      run(process.execPath, [join(project, "node_modules/.bin/pawl"), ...args], project);
    expect(pawl("--version").trim()).toBe(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).version);
    expect(JSON.parse(pawl("doctor", "--json"))).toMatchObject({ ok: true });
    expect(JSON.parse(pawl("threads", "--json"))).toEqual({ threads: [], cursor: null });
  });

  test("the contracts for authors of adapters are plain data", () => {
    const code = 'import { threadStoreContract } from "pawl/testing"; console.log(threadStoreContract.length);';
    expect(Number(node(code, project))).toBeGreaterThanOrEqual(60);
  });

  test("the store on DynamoDB and the function for Lambda load from entries of their own", () => {
    const code = `import { createDynamoClient, createDynamoStore } from "pawl/dynamodb";
      import { createLambda, handler } from "pawl/lambda";
      import { createDemoModel, createRuntime } from "pawl";
      const { threads, settings, claims } = createDynamoStore({ client: createDynamoClient(), table: "pawl" });
      const rt = createRuntime({ model: createDemoModel(), store: threads, settings, claims });
      console.log([rt.store === threads, typeof createLambda().handler, handler.length]);`;
    expect(node(code, project)).toBe("[ true, 'function', 2 ]");
  });

  test("a function with a tool of one's own is bundled as the page about deploying says", () => {
    const page = readFileSync(join(projectRoot, "docs/how-to/deploy-aws.md"), "utf8");
    const [, own = ""] = page.split("## With tools of your own");
    const [, entry = ""] = /```ts\n(.*?)```/s.exec(own) ?? [];
    const [, command = ""] = /```sh\n(.*?)```/s.exec(own) ?? [];
    const tool = `import { defineTool } from "pawl";
      import { z } from "zod";
      export const myTool = defineTool(
        { name: "mine", description: "Mine.", input: z.object({}), output: z.string() }, () => "done");`;
    writeFileSync(join(project, "lambda.ts"), entry);
    writeFileSync(join(project, "my-tool.ts"), tool);
    run("bash", ["-c", command.replace("npx esbuild", join(projectRoot, "node_modules/.bin/esbuild"))], project);
    const code = 'import { handler } from "./build/lambda.mjs"; console.log(typeof handler);';
    expect(node(code, project)).toBe("function");
  });

  test("who does not ask for them loads nothing of AWS", () => {
    const aws = join(project, "node_modules/@aws-sdk");
    renameSync(aws, `${aws}-away`);
    try {
      expect(JSON.parse(node(oneLiner("pawl"), project))).toEqual(parsed);
      expect(() => node('import "pawl/dynamodb";', project)).toThrow("@aws-sdk/client-dynamodb");
    } finally {
      renameSync(`${aws}-away`, aws);
    }
  });

  test("its types are found, and are not any", () => {
    const code = `import { parseDecision, type ExecuteDecision } from "pawl";
      const read = parseDecision("{}");
      export const decision: ExecuteDecision | null = read.ok ? read.value : null;
      // @ts-expect-error a decision is no number
      export const wrong: number = decision;
      import { createDynamoStore, type DynamoOptions } from "pawl/dynamodb";
      import type { LambdaOptions } from "pawl/lambda";
      export const keep = (options: DynamoOptions): Promise<void> => createDynamoStore(options).threads.close();
      // @ts-expect-error tools are a list
      export const none: LambdaOptions = { tools: 1 };`;
    writeFileSync(join(project, "use.ts"), code);
    const strict = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--skipLibCheck",
      "--types",
      "",
    ];
    run(process.execPath, [join(projectRoot, "node_modules/typescript/bin/tsc"), ...strict, "use.ts"], project);
  });
});
