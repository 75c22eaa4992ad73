// Alarms: failing functions, throttled requests, dead letters, a throttled table.
import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Operation, type TableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

const PERIOD = Duration.minutes(5);

export type Watched = {
  readonly table: TableV2;
  readonly api: LambdaFunction;
  readonly worker: LambdaFunction;
  readonly queue: Queue;
  readonly dead: Queue;
  readonly alarm_email: string | undefined;
};

export function addAlarms(scope: Construct, watched: Watched): void {
  const topic = new Topic(scope, "Alarms", { enforceSSL: true });
  if (watched.alarm_email !== undefined) topic.addSubscription(new EmailSubscription(watched.alarm_email));
  for (const [name, { metric, above, description }] of Object.entries(alarmsOf(watched))) {
    const alarm = new Alarm(scope, `${name}Alarm`, {
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(topic));
  }
}

type Watch = { readonly metric: IMetric; readonly above: number; readonly description: string };

/** The operations that the store uses. */
const OPERATIONS = [
  Operation.GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

function alarmsOf({ table, api, worker, queue, dead }: Watched): Readonly<Record<string, Watch>> {
  const sum = { period: PERIOD, statistic: "Sum" };
  const url5xx = new Metric({
    namespace: "AWS/Lambda",
    metricName: "Url5xxCount",
    dimensionsMap: { FunctionName: api.functionName },
    ...sum,
  });
  return {
    ApiErrors: { metric: api.metricErrors(sum), above: 0, description: "The API function failed." },
    ApiThrottles: {
      metric: api.metricThrottles(sum),
      above: 0,
      description: "Requests were throttled: too many at the same time.",
    },
    ApiAnswers5xx: {
      metric: url5xx,
      above: 5,
      description: "More than five requests in five minutes failed with 5xx.",
    },
    WorkerErrors: {
      metric: worker.metricErrors(sum),
      above: 0,
      description: "The worker function for background runs failed.",
    },
    QueueAge: {
      metric: queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: "Maximum" }),
      above: Duration.minutes(10).toSeconds(),
      description: "A wake-up has been queued for more than ten minutes: the worker does not keep up.",
    },
    DeadLetters: {
      metric: dead.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: "Maximum" }),
      above: 0,
      description:
        "A wake-up was moved to the dead-letter queue. The schedule still finds the delivery; check why the worker failed.",
    },
    TableThrottles: {
      // This metric exists per operation only, not for the table as a whole.
      metric: table.metricThrottledRequestsForOperations({ ...sum, operations: [...OPERATIONS] }),
      above: 10,
      description: "DynamoDB throttles: a thread, or a tenant's list, is hotter than a partition can serve.",
    },
  };
}
