// A function from the bundle, with a least-privilege role: no managed policy, no wildcard.
import { join } from "node:path";
import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  type FunctionUrl,
  FunctionUrlAuthType,
  InvokeMode,
  Function as LambdaFunction,
  LoggingFormat,
  ParamsAndSecretsLayerVersion,
  ParamsAndSecretsLogLevel,
  ParamsAndSecretsVersions,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { INDEXES } from "../../src/adapters/store-dynamodb/table.ts";

export const BUNDLE = join(import.meta.dirname, "build");

export type FunctionFacts = {
  readonly handler: string;
  readonly timeout_s: number;
  readonly table: TableV2;
  readonly secret: Secret;
  /** In addition to the names of the table and the secret. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Invocations at once; more are refused. */
  readonly reserved_concurrency?: number;
};

export function addFunction(scope: Construct, id: string, facts: FunctionFacts): LambdaFunction {
  const { handler, timeout_s, table, secret, environment, reserved_concurrency } = facts;
  const logGroup = new LogGroup(scope, `${id}Log`, {
    retention: RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  for (const statement of statements(table, secret, logGroup)) role.addToPolicy(statement);
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    code: Code.fromAsset(BUNDLE),
    handler,
    role,
    memorySize: 1024,
    ...(reserved_concurrency ? { reservedConcurrentExecutions: reserved_concurrency } : {}),
    timeout: Duration.seconds(timeout_s),
    logGroup,
    loggingFormat: LoggingFormat.TEXT,
    environment: { TABLE_NAME: table.tableName, PAWL_SECRET_ID: secret.secretArn, ...environment },
    paramsAndSecrets: ParamsAndSecretsLayerVersion.fromVersion(ParamsAndSecretsVersions.V1_0_103, {
      secretsManagerTtl: Duration.minutes(5),
      logLevel: ParamsAndSecretsLogLevel.WARN,
    }),
  });
}

/** Transactions need the permissions of their items. Reading an index is a separate permission. */
function statements(table: TableV2, secret: Secret, log: LogGroup): readonly PolicyStatement[] {
  const allow = (actions: string[], resources: string[]): PolicyStatement =>
    new PolicyStatement({ effect: Effect.ALLOW, actions, resources });
  const items = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"];
  return [
    allow(
      [...items, "ConditionCheckItem"].map((name) => `dynamodb:${name}`),
      [table.tableArn],
    ),
    allow(
      ["dynamodb:Query"],
      Object.keys(INDEXES).map((name) => `${table.tableArn}/index/${name}`),
    ),
    // A poll for due work scans this index, which is usually almost empty.
    allow(["dynamodb:Scan"], [`${table.tableArn}/index/${"by_due" satisfies keyof typeof INDEXES}`]),
    allow(["secretsmanager:GetSecretValue"], [secret.secretArn]),
    allow(["logs:CreateLogStream", "logs:PutLogEvents"], [log.logGroupArn]),
  ];
}

/** The app checks API keys itself, so the URL needs no IAM authentication. */
export const addUrl = (api: LambdaFunction): FunctionUrl =>
  api.addFunctionUrl({ authType: FunctionUrlAuthType.NONE, invokeMode: InvokeMode.RESPONSE_STREAM });
