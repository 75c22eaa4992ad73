// Runs a separate MariaDB for one test file, with a new data folder and a free port on loopback, until the tests end.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";

export type Mariadb = {
  readonly port: number;
  /** Runs the statements as the administrator. */
  readonly run: (...statements: readonly string[]) => Promise<unknown[]>;
  readonly stop: () => Promise<void>;
};

export async function startMariadb(server: string): Promise<Mariadb> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-mariadb-"));
  const port = await freePort();
  const common = ["--no-defaults", `--datadir=${join(folder, "data")}`];
  const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];
  const installed = spawnSync("mariadb-install-db", [
    ...common,
    ...asRoot,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  if (installed.status !== 0) throw new Error(`mariadb-install-db failed: ${installed.stderr}`);
  const child = spawn(server, [
    ...common,
    ...asRoot,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    "--innodb-buffer-pool-size=16M",
    "--skip-log-bin",
    // The mode of the server must not matter, because sessions set their own.
    "--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT",
  ]);
  const run = async (...statements: readonly string[]): Promise<unknown[]> => {
    const connection = await createConnection({ host: "127.0.0.1", port, user: "root" });
    try {
      const results: unknown[] = [];
      for (const sql of statements) results.push((await connection.query(sql))[0]);
      return results;
    } finally {
      await connection.end();
    }
  };
  await waitUntilReady(run, child);
  return { port, run, stop: () => stop(child, folder) };
}

async function waitUntilReady(run: Mariadb["run"], child: ChildProcess): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await run("SELECT 1");
      return;
    } catch (error) {
      if (tries > 150 || child.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
