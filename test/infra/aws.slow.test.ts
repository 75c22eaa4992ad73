// Checks the template of the AWS stack: permissions, retention, alarms. Needs infra/aws's own packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleLambda } from "../../scripts/bundle-lambda.ts";
import { TTL_ATTRIBUTE, tableDefinition } from "../../src/adapters/store-dynamodb/table.ts";

const root = join(import.meta.dirname, "../..");
const infra = join(root, "infra/aws");
const out = mkdtempSync(join(tmpdir(), "pawl-cdk-"));

/**
 * Reports whether the stack can be synthesized. It needs 160 MB of packages, which the test installs in CI and
 * otherwise uses only if present.
 */
function canSynth(): boolean {
  const installed = existsSync(join(infra, "node_modules/cdk-nag"));
  if (installed || process.env.CI === "true") return true;
  console.log("The AWS template was not tested: run npm install in infra/aws first, or set CI=true.");
  return false;
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const done = spawnSync(command, args, { cwd: infra, env: { ...process.env, ...env }, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${done.stdout}${done.stderr}`);
}

type Resource = {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
  readonly DeletionPolicy?: string;
};
type Statement = { readonly Effect: string; readonly Action: string | string[]; readonly Resource: unknown };

describe.runIf(canSynth())("the AWS stack", () => {
  let resources: Resource[] = [];
  beforeAll(async () => {
    if (!existsSync(join(infra, "node_modules/cdk-nag"))) {
      run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
    }
    await bundleLambda(join(infra, "build"));
    run(process.execPath, ["app.ts"], {
      CDK_OUTDIR: out,
      CDK_CONTEXT_JSON: JSON.stringify({ alarm_email: "ops@example.com" }),
    });
    const template = JSON.parse(readFileSync(join(out, "Pawl.template.json"), "utf8"));
    resources = Object.values(template.Resources as Record<string, Resource>);
  }, 600_000);
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  const all = (type: string): Resource[] => resources.filter((resource) => resource.Type === type);
  const only = (type: string): Resource => {
    const found = all(type);
    expect(found).toHaveLength(1);
    return found[0] as Resource;
  };

  test("has one table with the store's keys and indexes, billed per request", () => {
    const { Properties } = only("AWS::DynamoDB::GlobalTable");
    const { KeySchema, GlobalSecondaryIndexes, AttributeDefinitions, BillingMode } = tableDefinition("any");
    expect(Properties).toMatchObject({ KeySchema, GlobalSecondaryIndexes, BillingMode });
    const byName = (a: { AttributeName: string }, b: { AttributeName: string }) =>
      a.AttributeName < b.AttributeName ? -1 : 1;
    const defined = Properties.AttributeDefinitions as { AttributeName: string }[];
    expect(defined.toSorted(byName)).toEqual(AttributeDefinitions.toSorted(byName));
  });

  test("retains the table: encrypted, recoverable, protected, with a TTL", () => {
    const table = only("AWS::DynamoDB::GlobalTable");
    expect(table.DeletionPolicy).toBe("Retain");
    expect(table.Properties).toMatchObject({
      SSESpecification: { SSEEnabled: true, SSEType: "KMS" },
      TimeToLiveSpecification: { AttributeName: TTL_ATTRIBUTE, Enabled: true },
      StreamSpecification: { StreamViewType: "KEYS_ONLY" },
      Replicas: [
        { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ],
    });
  });

  test("uses no wildcard in actions or resources and attaches no managed policy", () => {
    const statements = all("AWS::IAM::Policy").flatMap(
      ({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
    );
    expect(statements.length).toBeGreaterThan(8);
    for (const { Effect, Action, Resource: resource } of statements) {
      expect(Effect).toBe("Allow");
      expect(JSON.stringify([Action, resource])).not.toContain("*");
    }
    for (const { Properties } of all("AWS::IAM::Role")) {
      expect(Properties).not.toHaveProperty("ManagedPolicyArns");
      expect(Properties).not.toHaveProperty("Policies");
    }
  });

  test("grants no administration of the table", () => {
    const actions = all("AWS::IAM::Policy").flatMap(({ Properties }) =>
      (Properties.PolicyDocument as { Statement: Statement[] }).Statement.flatMap(({ Action }) => Action),
    );
    expect(actions.filter((action) => /^dynamodb:(.*Table|.*Backup|.*TimeToLive)/.test(action))).toEqual([]);
  });

  test("violates no rule of AWS Solutions without a reason", () => {
    run(process.execPath, ["check.ts"]);
  });

  describe("with options", () => {
    const synthWith = (context: Record<string, unknown>): Resource[] => {
      const folder = mkdtempSync(join(out, "options-"));
      run(process.execPath, ["app.ts"], { CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) });
      const template = JSON.parse(readFileSync(join(folder, "Pawl.template.json"), "utf8"));
      return Object.values(template.Resources as Record<string, Resource>);
    };

    test("sets concurrency, variables and a domain", () => {
      const made = synthWith({
        reserved_concurrency: "20",
        max_concurrency: 5,
        environment: '{"PAWL_CLAIMS":"off"}',
        domain: "pawl.example.com",
        certificate_arn: "arn:aws:acm:us-east-1:111122223333:certificate/example",
      });
      const propertiesOf = (type: string) => made.filter(({ Type }) => Type === type).map((one) => one.Properties);
      const functions = propertiesOf("AWS::Lambda::Function");
      expect(functions.map((one) => one.ReservedConcurrentExecutions).toSorted()).toEqual([20, undefined]);
      for (const { Environment } of functions) expect(Environment).toMatchObject({ Variables: { PAWL_CLAIMS: "off" } });
      expect(JSON.stringify(functions)).toContain('"PAWL_PUBLIC_URL":"https://pawl.example.com/"');
      expect(propertiesOf("AWS::Lambda::EventSourceMapping")).toMatchObject([
        { ScalingConfig: { MaximumConcurrency: 5 } },
      ]);
      expect(propertiesOf("AWS::CloudFront::Distribution")).toMatchObject([
        { DistributionConfig: { Aliases: ["pawl.example.com"], DefaultCacheBehavior: { Compress: false } } },
      ]);
    });

    test.each([
      [{ max_concurrency: "1" }, "max_concurrency: 1 is not a whole number from 2 to 1000"],
      [{ domain: "pawl.example.com" }, "domain and certificate_arn must be given together"],
      [{ environment: { MODEL_API_KEY: "x" } }, "MODEL_API_KEY looks like a secret"],
    ])("refuses %o", (context, message) => {
      expect(() => synthWith(context)).toThrow(message);
    });
  });

  test("allows a scan of the index of due work and of nothing else", () => {
    const statements = all("AWS::IAM::Policy").flatMap(
      ({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement,
    );
    const scans = statements.filter(({ Action }) => [Action].flat().includes("dynamodb:Scan"));
    expect(scans).toHaveLength(2);
    for (const { Action, Resource: resource } of scans) {
      expect(Action).toBe("dynamodb:Scan");
      expect(JSON.stringify(resource)).toContain("/index/by_due");
    }
  });

  test("has one function that streams responses at a URL, and one worker function", () => {
    const functions = all("AWS::Lambda::Function");
    expect(functions.map(({ Properties }) => Properties.Handler).toSorted()).toEqual([
      "lambda.handler",
      "lambda.streamHandler",
    ]);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["arm64"] });
      const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
      expect(Object.keys(Variables)).toEqual(expect.arrayContaining(["TABLE_NAME", "PAWL_SECRET_ID"]));
      expect(JSON.stringify(Variables)).not.toMatch(/pawl_|sk-|resolve:secretsmanager/);
    }
    const environmentOf = (handler: string) =>
      functions
        .filter(({ Properties }) => Properties.Handler === handler)
        .map(({ Properties }) => (Properties.Environment as { Variables: Record<string, unknown> }).Variables);
    expect(environmentOf("lambda.handler")).toMatchObject([
      { PAWL_PUBLIC_URL: { "Fn::GetAtt": [expect.anything(), "FunctionUrl"] } },
    ]);
    expect(only("AWS::Lambda::Url").Properties).toMatchObject({ AuthType: "NONE", InvokeMode: "RESPONSE_STREAM" });
    const open = all("AWS::Lambda::Permission").filter(({ Properties }) => Properties.Principal === "*");
    for (const { Properties } of open) {
      expect(Properties.FunctionUrlAuthType === "NONE" || Properties.InvokedViaFunctionUrl === true).toBe(true);
    }
  });

  test("uploads the bundle and nothing else", () => {
    const assets = readdirSync(out).filter((name) => name.startsWith("asset."));
    expect(assets).toHaveLength(1);
    const names = readdirSync(join(out, assets[0] ?? ""));
    expect(names).toEqual(expect.arrayContaining(["lambda.mjs", "package.json", "console"]));
    expect(
      names.filter((name) => !/^(console|package\.json|pawl\.config\.\w+|[\w-]+\.mjs(\.br)?)$/.test(name)),
    ).toEqual([]);
  });

  test("keeps logs for a month", () => {
    expect(all("AWS::Logs::LogGroup")).toHaveLength(2);
    for (const { Properties } of all("AWS::Logs::LogGroup")) expect(Properties.RetentionInDays).toBe(30);
  });

  test("reads its keys from a secret that outlives the stack", () => {
    expect(only("AWS::SecretsManager::Secret").DeletionPolicy).toBe("Retain");
  });

  test("has an encrypted queue for background turns with a dead-letter queue after five attempts", () => {
    const queues = all("AWS::SQS::Queue");
    for (const { Properties } of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
    const [working] = queues.filter(({ Properties }) => Properties.RedrivePolicy !== undefined);
    expect(queues).toHaveLength(2);
    expect(working?.Properties.RedrivePolicy).toMatchObject({ maxReceiveCount: 5 });
    const worker = all("AWS::Lambda::Function").find(({ Properties }) => Properties.Handler === "lambda.handler");
    expect(Number(working?.Properties.VisibilityTimeout)).toBeGreaterThanOrEqual(
      6 * Number(worker?.Properties.Timeout),
    );
    expect(only("AWS::Lambda::EventSourceMapping").Properties).toMatchObject({
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  });

  test("queues new deliveries, and polls once a minute for due ones", () => {
    const { SourceParameters } = only("AWS::Pipes::Pipe").Properties as {
      SourceParameters: { FilterCriteria: { Filters: { Pattern: string }[] } };
    };
    expect(JSON.parse(SourceParameters.FilterCriteria.Filters[0]?.Pattern ?? "")).toEqual({
      eventName: ["INSERT"],
      dynamodb: { Keys: { sk: { S: [{ prefix: "O#" }] } } },
    });
    expect(only("AWS::Events::Rule").Properties).toMatchObject({
      ScheduleExpression: "rate(1 minute)",
      State: "ENABLED",
    });
  });

  test("raises an alarm when functions fail, requests are throttled, messages are dead-lettered or the table throttles", () => {
    type Sum = { MetricStat?: { Metric: { MetricName: string; Dimensions: { Name: string }[] } } };
    const alarms = all("AWS::CloudWatch::Alarm");
    expect(alarms.flatMap(({ Properties }) => Properties.MetricName ?? []).toSorted()).toEqual([
      "ApproximateAgeOfOldestMessage",
      "ApproximateNumberOfMessagesVisible",
      "Errors",
      "Errors",
      "Throttles",
      "Url5xxCount",
    ]);
    // CloudWatch reports throttled requests by table and operation, never by table alone.
    const sums = alarms.flatMap(({ Properties }) => (Properties.Metrics ?? []) as Sum[]);
    const throttled = sums.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
    expect(new Set(throttled.map(({ MetricName }) => MetricName))).toEqual(new Set(["ThrottledRequests"]));
    for (const { Dimensions } of throttled) {
      expect(Dimensions.map(({ Name }) => Name).toSorted()).toEqual(["Operation", "TableName"]);
    }
    expect(throttled).toHaveLength(8);
    for (const { Properties } of alarms) expect(Properties.AlarmActions).toHaveLength(1);
    expect(only("AWS::SNS::Subscription").Properties).toMatchObject({ Protocol: "email", Endpoint: "ops@example.com" });
  });
});
