// How long starting takes and what is loaded: the server, the terminal, the package, a cold Lambda instance; and the memory of a
// waiting turn. Each is a new process, in turns, several times. Needs `npm run build` for the files of the package.
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
const ROUNDS = 7;

/** Milliseconds on the clock and of the processor. */
type Start = { readonly ms: number; readonly cpu_ms: number };

export async function run(args: readonly string[] = []): Promise<void> {
  if (!entryOf(root).includes("dist")) console.error("dist is older than the sources: run `npm run build` first.");
  const folder = mkdtempSync(join(tmpdir(), "pawl-bench-start-"));
  try {
    const files = await bundleLambda(join(folder, "lambda"));
    const bundle = join(folder, "lambda/lambda.mjs");
    const firstEvent = [join(support, "first-event.js"), bundle, EVENT];
    const measures: readonly (readonly [string, () => Promise<Start>])[] = [
      ["an empty program", () => runChild(["-e", "0"])],
      ["`npm start` to the first response, from `dist`", () => startServer(entryOf(root), folder)],
      ["the same from the sources", () => startServer(join(root, "src/hosts/node/node.ts"), folder)],
      ["`pawl --help`", () => runChild([join(root, "bin/pawl.js"), "--help"])],
      ['`import "pawl"`', () => runChild([join(support, "import-file.js"), join(root, "dist/node.js")])],
      ['`import "pawl/client"`', () => runChild([join(support, "import-file.js"), join(root, "dist/client.js")])],
      ["Lambda, import of the bundle", () => runChild([join(support, "import-file.js"), bundle], LAMBDA_ENV)],
      ["Lambda, import and first event", () => runChild(firstEvent, LAMBDA_ENV)],
      ["Lambda, the first event alone", () => runChild(firstEvent, { ...LAMBDA_ENV, PAWL_BENCH_EVENT_ONLY: "1" })],
      [
        "memory of a turn that waits for a model, in KB instead of ms",
        () => runChild([join(support, "held-turns.ts")]),
      ],
    ];
    const samples = new Map<string, Start[]>();
    const rounds = args.includes("--quick") ? 2 : ROUNDS;
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, measure] of round % 2 === 0 ? measures : measures.toReversed())
        samples.set(name, [...(samples.get(name) ?? []), await measure()]);
    }
    const bytes = (chosen: typeof files): string =>
      chosen.reduce((sum, file) => sum + file.bytes, 0).toLocaleString("en");
    const rows = measures.map(([name]) => rowOf(name, samples.get(name) ?? []));
    const sizes = [
      ["Lambda bundle, bytes loaded by a cold start", bytes(files.filter(({ at_start }) => at_start)), ""],
      ["Lambda bundle, bytes in all", bytes(files), ""],
    ];
    console.log(report([...rows, ...sizes], measures, samples, args.includes("--keep")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const EVENT = JSON.stringify(httpEvent("function-url", { path: "/healthz" }));
/** As in a new instance, which knows that it initializes. */
const LAMBDA_ENV = {
  AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
  TABLE_NAME: "none",
  AWS_REGION: "us-east-1",
  PAWL_API_KEYS: `bench:bench:pawl_${"b".repeat(32)}`,
};

function rowOf(name: string, starts: readonly Start[]): readonly string[] {
  const [ms, cpu_ms] = [median(starts.map((one) => one.ms)), median(starts.map((one) => one.cpu_ms))];
  return [name, ms.toFixed(0), Number.isNaN(cpu_ms) ? "–" : cpu_ms.toFixed(0)];
}

function report(
  rows: readonly (readonly string[])[],
  measures: readonly (readonly [string, unknown])[],
  samples: ReadonlyMap<string, readonly Start[]>,
  keep: boolean,
): string {
  const timed = measures.slice(1, -1).map(([name]) => name);
  return writeReport(
    {
      name: "start",
      title: "Start and size",
      description: `Each figure is the median of ${ROUNDS} new processes, which take turns. The processor time includes the start of Node itself.`,
      columns: ["what", "ms", "ms of processor time"],
      rows,
      plot: {
        title: "milliseconds of processor time",
        labels: timed.map((name) => name.replaceAll("`", "").slice(0, 24)),
        series: [
          {
            name: "cpu",
            values: timed.map((name) => median((samples.get(name) ?? []).map(({ cpu_ms }) => cpu_ms || 0))),
          },
        ],
      },
    },
    keep,
  );
}

/** A program that prints its own figures as JSON in the last line; otherwise the time until it ends. */
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
