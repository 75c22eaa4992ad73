// Measures how long the server, the terminal, the package and a cold Lambda instance take to start and what they load,
// and the memory of a waiting turn. Each start is a new process; they alternate and are repeated. Needs `npm run build`
// for the files of the package.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleLambda } from "../scripts/bundle-lambda.ts";
import { entryOf } from "../scripts/start.ts";
import { httpEvent } from "../test/support/lambda-process.ts";
import { median } from "./support/bench-runtime.ts";
import { writeReport } from "./support/report.ts";

const root = join(import.meta.dirname, "..");
const support = join(import.meta.dirname, "support");
const ROUNDS = 15;

/** A start in milliseconds of wall time and of processor time. */
type Start = { readonly ms: number; readonly cpu_ms: number };

type Measure = { readonly name: string; readonly start: () => Promise<Start>; readonly before?: () => Promise<Start> };

/**
 * Runs the benchmark. `--release=<folder>` is an installed and built checkout of an earlier release that is measured
 * alternately.
 */
export async function run(args: readonly string[] = []): Promise<void> {
  if (!entryOf(root).includes("dist")) console.error("dist is older than the sources: run `npm run build` first.");
  const release = args.find((one) => one.startsWith("--release="))?.slice("--release=".length);
  const folder = mkdtempSync(join(tmpdir(), "pawl-bench-start-"));
  try {
    const files = await bundleLambda(join(folder, "lambda"));
    const measures = measuresOf(folder, release && (await bundleOfRelease(release, folder)));
    const samples = new Map(measures.map(({ name }): [string, Samples] => [name, { now: [], before: [] }]));
    const rounds = args.includes("--quick") ? 2 : ROUNDS;
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, start, before } of round % 2 === 0 ? measures : measures.toReversed()) {
        samples.get(name)?.now.push(await start());
        if (before) samples.get(name)?.before.push(await before());
      }
    }
    const bytes = (chosen: typeof files): string =>
      chosen.reduce((sum, file) => sum + file.bytes, 0).toLocaleString("en");
    const sizes = [
      ["Lambda bundle, bytes loaded by a cold start", bytes(files.filter(({ at_start }) => at_start)), "", "", ""],
      ["Lambda bundle, bytes in all", bytes(files), "", "", ""],
    ];
    console.log(report([...[...samples].map(rowOf), ...sizes], samples, args.includes("--keep")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const EVENT_ONLY = { PAWL_BENCH_EVENT_ONLY: "1" };

type Release = { readonly root: string; readonly bundle: string };

async function bundleOfRelease(release: string, folder: string): Promise<Release> {
  const script: typeof import("../scripts/bundle-lambda.ts") = await import(join(release, "scripts/bundle-lambda.ts"));
  await script.bundleLambda(join(folder, "release"));
  return { root: release, bundle: join(folder, "release/lambda.mjs") };
}

const importOf =
  (path: string, env = {}) =>
  () =>
    runChild([join(support, "import-file.js"), path], env);
const programOf = (path: string) => () => runChild(["--import", join(support, "cpu-at-exit.js"), path, "--help"]);
const firstEventOf =
  (bundle: string, env = {}) =>
  () =>
    runChild([join(support, "first-event.js"), bundle, EVENT], { ...LAMBDA_ENV, ...env });

function measuresOf(folder: string, release: Release | undefined | ""): readonly Measure[] {
  const bundle = join(folder, "lambda/lambda.mjs");
  const before = <T>(make: (from: Release) => T): { before?: T } => (release ? { before: make(release) } : {});
  return [
    { name: "an empty program", start: () => runChild(["--import", join(support, "cpu-at-exit.js"), "-e", "0"]) },
    {
      name: "`npm start` to the first response, from `dist`",
      start: () => startServer(entryOf(root), folder),
      ...before((from) => () => startServer(join(from.root, "dist/serve.js"), folder)),
    },
    {
      name: "the same from the sources",
      start: () => startServer(join(root, "src/hosts/node/node.ts"), folder),
      ...before((from) => () => startServer(join(from.root, "src/hosts/node.ts"), folder)),
    },
    {
      name: "`pawl --help`",
      start: programOf(join(root, "bin/pawl.js")),
      ...before((from) => programOf(join(from.root, "bin/pawl.js"))),
    },
    {
      name: '`import "pawl"`',
      start: importOf(join(root, "dist/node.js")),
      ...before((from) => importOf(join(from.root, "dist/index.js"))),
    },
    { name: '`import "pawl"` as bundlers read it, with all toolkits', start: importOf(join(root, "dist/index.js")) },
    { name: '`import "pawl/client"`', start: importOf(join(root, "dist/client.js")) },
    {
      name: "Lambda, import of the bundle",
      start: importOf(bundle, LAMBDA_ENV),
      ...before((from) => importOf(from.bundle, LAMBDA_ENV)),
    },
    {
      name: "Lambda, import and first event",
      start: firstEventOf(bundle),
      ...before((from) => firstEventOf(from.bundle)),
    },
    {
      name: "Lambda, the first event alone",
      start: firstEventOf(bundle, EVENT_ONLY),
      ...before((from) => firstEventOf(from.bundle, EVENT_ONLY)),
    },
    {
      name: "memory of a turn that waits for a model, in KB instead of ms",
      start: () => runChild([join(support, "held-turns.ts")]),
    },
  ];
}

type Samples = { readonly now: Start[]; readonly before: Start[] };

const EVENT = JSON.stringify(httpEvent("function-url", { path: "/healthz" }));
/** The environment of a new instance, which knows that it is initializing. */
const LAMBDA_ENV = {
  AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
  TABLE_NAME: "none",
  AWS_REGION: "us-east-1",
  TZ: ":UTC",
  PAWL_API_KEYS: `bench:bench:pawl_${"b".repeat(32)}`,
};

const cpuOf = (starts: readonly Start[]): number => median(starts.map((one) => one.cpu_ms));
const shown = (value: number, digits = 0): string => (Number.isNaN(value) ? "–" : value.toFixed(digits));

function rowOf([name, { now, before }]: readonly [string, Samples]): readonly string[] {
  const cpu = [cpuOf(now), before.length > 0 ? cpuOf(before) : Number.NaN] as const;
  return [name, shown(median(now.map((one) => one.ms))), ...cpu.map((one) => shown(one)), shown(cpu[0] / cpu[1], 2)];
}

function report(rows: readonly (readonly string[])[], samples: ReadonlyMap<string, Samples>, keep: boolean): string {
  const timed = [...samples].slice(1, -1);
  const rounds = Math.max(...[...samples.values()].map(({ now }) => now.length));
  const compared = [...samples.values()].some(({ before }) => before.length > 0);
  const turns = compared ? ", which take turns with those of the first release" : "";
  return writeReport(
    {
      name: "start",
      title: "Start and size",
      description: `Each figure is the median of ${rounds} new processes${turns}. The processor time includes the start of Node itself.`,
      columns: ["what", "ms", "ms of processor time", "in 0.1", "ratio"],
      rows,
      plot: {
        title: "milliseconds of processor time",
        labels: timed.map(([name]) => name.replaceAll("`", "").slice(0, 24)),
        series: [{ name: "cpu", values: timed.map(([, { now }]) => cpuOf(now) || 0) }],
      },
    },
    keep,
  );
}

/** Runs a program that prints its own figures as JSON in its last line, or measures the time until it ends. */
async function runChild(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Start> {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (part) => {
    out += String(part);
  });
  const [code] = await once(child, "close");
  const ms = performance.now() - started;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with code ${code}`);
  const last = out.trimEnd().split("\n").at(-1) ?? "";
  return last.startsWith('{"ms":') ? readTimes(last) : { ms, cpu_ms: Number.NaN };
}

function readTimes(line: string): Start {
  const { ms, cpu_ms } = JSON.parse(line) as { ms: number; cpu_ms: number | null };
  return { ms, cpu_ms: cpu_ms ?? Number.NaN };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

async function startServer(entry: string, folder: string): Promise<Start> {
  const port = await freePort();
  const data = mkdtempSync(join(folder, "data-"));
  const env = { ...process.env, PORT: String(port), PAWL_DATA: data, PAWL_BENCH_ENTRY: entry };
  const started = performance.now();
  const child = spawn(process.execPath, [join(support, "start-entry.js")], {
    env,
    cwd: data,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
      if (response?.ok) break;
      if (child.exitCode !== null) throw new Error("the server ended");
      await sleep(3);
    }
    const ms = performance.now() - started;
    child.send("cpu");
    const [cpu_ms] = (await once(child, "message")) as [number];
    return { ms, cpu_ms };
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}
