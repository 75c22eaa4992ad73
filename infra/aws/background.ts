// Background turns: the table's stream adds each new delivery to the queue, and the queue wakes the worker. Once a
// minute
// the worker also polls for work that has become due or whose message was lost.
import { Duration } from "aws-cdk-lib";
import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { CfnPipe } from "aws-cdk-lib/aws-pipes";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { DELIVERIES } from "../../src/adapters/store-dynamodb/keys.ts";

const RECEIVES_MAX = 5;
/** As AWS recommends: a message that is being processed must not be delivered to another worker. */
const VISIBLE_TIMEOUTS = 6;

export type Background = { readonly queue: Queue; readonly dead: Queue };

/** Background runs at once, unless the deployment sets another number. */
const MAX_CONCURRENCY = 10;

export function addBackground(
  scope: Construct,
  table: TableV2,
  worker: LambdaFunction,
  maxConcurrency = MAX_CONCURRENCY,
): Background {
  const sealed = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  const dead = new Queue(scope, "DeadLetters", { ...sealed, retentionPeriod: Duration.days(14) });
  const queue = new Queue(scope, "Background", {
    ...sealed,
    visibilityTimeout: Duration.seconds(VISIBLE_TIMEOUTS * (worker.timeout?.toSeconds() ?? 300)),
    retentionPeriod: Duration.days(4),
    deadLetterQueue: { queue: dead, maxReceiveCount: RECEIVES_MAX },
  });
  worker.addEventSource(new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency }));
  addPipe(scope, table, queue, dead);
  new Rule(scope, "Due", {
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaTarget(worker, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
  return { queue, dead };
}

function addPipe(scope: Construct, table: TableV2, queue: Queue, dead: Queue): void {
  const source = table.tableStreamArn;
  if (source === undefined) throw new Error("the table has no stream");
  const role = new Role(scope, "PipeRole", { assumedBy: new ServicePrincipal("pipes.amazonaws.com") });
  const reads = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"].map((name) => `dynamodb:${name}`);
  role.addToPolicy(new PolicyStatement({ actions: reads, resources: [source] }));
  role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [queue.queueArn, dead.queueArn] }));
  const pattern = { eventName: ["INSERT"], dynamodb: { Keys: { sk: { S: [{ prefix: DELIVERIES }] } } } };
  const pipe = new CfnPipe(scope, "NewDeliveries", {
    roleArn: role.roleArn,
    source,
    sourceParameters: {
      filterCriteria: { filters: [{ pattern: JSON.stringify(pattern) }] },
      dynamoDbStreamParameters: {
        startingPosition: "LATEST",
        batchSize: 10,
        maximumRetryAttempts: 3,
        deadLetterConfig: { arn: dead.queueArn },
      },
    },
    target: queue.queueArn,
  });
  pipe.node.addDependency(role);
}
