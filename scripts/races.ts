// npm run races [-- --full]: runs the races on every store, in the size of the test command or, with --full, in the
// documented one: 64 callers × 200 rounds, 32 approvals × 200, 5000 confirmations for other calls.
import { spawnSync } from "node:child_process";

const full = process.argv.includes("--full");
const files = ["test/races", "test/hosts/cloudflare/contract.slow.test.ts"];
const { status } = spawnSync(
  "vitest",
  ["run", "--project", "slow", "--testTimeout", "1800000", "-t", "races|two processes", ...files],
  {
    stdio: "inherit",
    env: { ...process.env, ...(full ? { PAWL_TEST_SIZE: "full" } : {}) },
  },
);
process.exit(status ?? 1);
