// Compares Pawl with other systems on the same workloads. Each system runs in a separate process, alternately and
// several times. Installs the other systems into bench/peers on demand. --quick uses small sizes, --rounds=n runs n
// rounds instead of three, and --keep writes the section of the documentation.
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { buildPawl } from "./peers/build-pawl.ts";
import { FULL, files, QUICK, type Size, type SystemName, type WorkloadName, workloads } from "./peers/workloads.ts";
import { median, withTempFolder } from "./support/bench-runtime.ts";
import { writeReport } from "./support/report.ts";

const folder = join(import.meta.dirname, "peers");
const SYSTEMS = Object.keys(files) as readonly SystemName[];
const WORKLOADS = Object.keys(workloads) as readonly WorkloadName[];

const ROUNDS = 3;

type Sample = { readonly value: number; readonly p99?: number; readonly kilobytes?: number; readonly commits?: number };
type Samples = Map<string, Sample[]>;

export async function run(args: readonly string[] = []): Promise<void> {
  await withTempFolder(async (built) => compare(args, await buildPawl(built)));
}

/** `pawl` is the built file of Pawl's side. */
async function compare(args: readonly string[], pawl: string): Promise<void> {
  const quick = args.includes("--quick");
  const only = WORKLOADS.filter((name) => args.includes(name));
  install();
  const systems = SYSTEMS.filter(canLoad);
  const samples: Samples = new Map();
  const rounds = Number(args.find((arg) => arg.startsWith("--rounds="))?.slice("--rounds=".length) ?? ROUNDS);
  for (let round = 0; round < rounds; round += 1) {
    for (const workload of only.length > 0 ? only : WORKLOADS) {
      // The order alternates, so that other load on the machine affects all systems equally.
      for (const system of round % 2 === 0 ? systems : systems.toReversed()) {
        const key = `${system} ${workload}`;
        try {
          const file = system === "Pawl" ? pawl : join(folder, files[system]);
          const sample = await measure(system, { workload, file, size: quick ? QUICK : FULL });
          samples.set(key, [...(samples.get(key) ?? []), sample]);
          console.error(`${workload}: ${system} ${JSON.stringify(sample)}`);
        } catch (error) {
          console.error(`${workload}: ${system} was not measured: ${error}`);
        }
      }
    }
  }
  console.log(report(samples, systems, args.includes("--keep")));
}

function install(): void {
  if (existsSync(join(folder, "node_modules"))) return;
  console.error("Installing the compared systems into bench/peers. This takes a few minutes.");
  const args = ["install", "--no-package-lock", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", args, {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) console.error("Not everything could be installed; what is missing is left out.");
}

/** Reports whether a system can be loaded here. If not, its name and the reason are printed and it is left out. */
function canLoad(system: SystemName): boolean {
  const file = join(folder, files[system]);
  const load = `const { open } = await import(${JSON.stringify(file)}); await open(":memory:"); process.exit(0)`;
  // Systems in TypeScript are part of this project.
  if (file.endsWith(".ts")) return true;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", load], { encoding: "utf8" });
  if (status === 0) return true;
  const reason = stderr.split("\n").find((line) => /^\w*Error\b/.test(line)) ?? `exit code ${status}`;
  console.error(`${system} is left out, because it cannot be loaded here: ${reason.trim()}`);
  return false;
}

type Task = { readonly workload: WorkloadName; readonly file: string; readonly size: Size };

const measure = (system: SystemName, { workload, file, size }: Task): Promise<Sample> =>
  withTempFolder(async (temporary) => {
    const child = fork(join(folder, "measure-process.ts"), [file, workload, temporary, JSON.stringify(size)]);
    const ended = once(child, "exit");
    const failed = ended.then(() => Promise.reject(new Error(`${system} failed at ${workload}`)));
    const [message] = await Promise.race([once(child, "message"), failed]);
    failed.catch(() => undefined);
    const sample = workload === "http" ? await sendRequests(message, size) : (message as Sample);
    child.kill("SIGKILL");
    await ended;
    return sample;
  });

type Served = { readonly port: number; readonly ids: readonly string[] };

/** Sends requests over several connections, each of which advances its own threads. The first second is a warm-up. */
async function sendRequests({ port, ids }: Served, { connections, seconds }: Size): Promise<Sample> {
  let n = 0;
  const send = (duration: number) =>
    autocannon({
      url: `http://127.0.0.1:${port}`,
      connections,
      duration,
      requests: [
        {
          method: "POST",
          setupRequest: (request) => ({ ...request, path: `/v1/threads/${ids[n++ % ids.length]}/turns` }),
        },
      ],
    });
  await send(2);
  const { requests, latency, non2xx } = await send(seconds);
  if (non2xx > requests.total / 100) throw new Error(`${non2xx} of ${requests.total} requests were refused`);
  return { value: requests.average, p99: latency.p99 };
}

const middle = (samples: Samples, system: SystemName, workload: WorkloadName, part: keyof Sample = "value"): number =>
  median((samples.get(`${system} ${workload}`) ?? []).map((sample) => sample[part] ?? Number.NaN));

const format = (value: number): string => (value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString("en"));

/** Returns the speed relative to AI SDK 7. Larger is better in every workload. */
function speedup(samples: Samples, system: SystemName, workload: WorkloadName): number {
  const [own, other] = [middle(samples, system, workload), middle(samples, "AI SDK 7", workload)];
  return workloads[workload].unit === "ms" ? other / own : own / other;
}

function figures(samples: Samples, system: SystemName, workload: WorkloadName): string {
  const value = middle(samples, system, workload);
  if (Number.isNaN(value)) return "–";
  const unit = workloads[workload].unit === "ms" ? " ms" : "";
  const ratio = `${format(speedup(samples, system, workload))} ×`;
  const p99 = workload === "http" ? `, p99 ${middle(samples, system, workload, "p99")} ms` : "";
  const kilobytes = middle(samples, system, workload, "kilobytes");
  const written =
    workload === "approval"
      ? `, ${Math.round(kilobytes)} KB in ${middle(samples, system, workload, "commits")} commits`
      : "";
  return `${format(value)}${unit}${p99}${written} (${ratio})`;
}

function report(samples: Samples, systems: readonly SystemName[], keep: boolean): string {
  const measured = WORKLOADS.filter((workload) => samples.has(`Pawl ${workload}`));
  return writeReport(
    {
      name: "peers",
      title: "Compared with other systems",
      description: `A scripted model without latency, observations of 2 KB, SQLite with \`synchronous=FULL\`, each system in a process of its own, in
turns, the median of several runs. Pawl is built as in its package, like the others. In brackets: how many times as fast as AI SDK 7 with one row per message.`,
      columns: ["workload", ...systems],
      rows: measured.map((workload) => [
        workloads[workload].unit === "ms" ? workloads[workload].title : `${workloads[workload].title}, per second`,
        ...systems.map((system) => figures(samples, system, workload)),
      ]),
      plot: {
        title: "times as fast as AI SDK 7",
        labels: measured.map((workload) => workloads[workload].title.split(",")[0] ?? ""),
        series: systems.map((name) => ({
          name,
          values: measured.map((workload) => Math.min(20, speedup(samples, name, workload) || 0)),
        })),
      },
    },
    keep,
  );
}
