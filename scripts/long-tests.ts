// Lists the slowest test files, slowest first, as measured on two cores. The list affects only the order: no test
// depends on it.
export const LONG_TESTS = [
  "test/kill/fault-points.slow.test.ts",
  "test/kill/random-instants.slow.test.ts",
  "test/console/appearance.slow.test.ts",
  "test/hosts/node/node.slow.test.ts",
  "test/console/run.slow.test.ts",
  "test/console/background.slow.test.ts",
  "test/races/races.slow.test.ts",
  "test/cli/commands.slow.test.ts",
  "test/package/pack.slow.test.ts",
  "test/console/demo.slow.test.ts",
  "test/hosts/cloudflare/contract.slow.test.ts",
  "test/console/problems.slow.test.ts",
  "test/infra/aws.slow.test.ts",
  "test/hosts/aws-lambda/lambda.slow.test.ts",
  "test/hosts/cloudflare/stories.slow.test.ts",
  "test/cli/chat.slow.test.ts",
  "test/hosts/cloudflare/jobs.slow.test.ts",
  "test/stories/crash-after-tool.slow.test.ts",
  "test/adapters/store-dynamodb-cost.slow.test.ts",
  "test/adapters/operations-process.slow.test.ts",
  "test/stories/shared-jobs.slow.test.ts",
  "test/hosts/aws-lambda/jobs.slow.test.ts",
  "test/sim/replay.slow.test.ts",
  "test/tools/long-output.slow.test.ts",
  "test/jobs/processes.slow.test.ts",
  "test/adapters/model-openai.slow.test.ts",
  "test/hosts/cloudflare/shared-stories.slow.test.ts",
] as const;

export function longRank(path: string): number {
  const found = LONG_TESTS.findIndex((long) => path.endsWith(`/${long}`));
  return found < 0 ? LONG_TESTS.length : found;
}
