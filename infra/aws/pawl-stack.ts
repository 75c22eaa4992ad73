// One deployment in one stack: the table, the API function, the worker function and their alarms.
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { addAlarms } from "./alarms.ts";
import { addBackground } from "./background.ts";
import { addFunction, addUrl } from "./functions.ts";
import { addSecret } from "./secret.ts";
import { addTable } from "./table.ts";

export type PawlProps = StackProps & {
  /** Receives the alarms. */
  readonly alarm_email?: string | undefined;
};

export class PawlStack extends Stack {
  constructor(scope: Construct, id: string, { alarm_email, ...props }: PawlProps = {}) {
    super(scope, id, props);
    const table = addTable(this);
    const secret = addSecret(this);
    const api = addFunction(this, "Api", { handler: "lambda.streamHandler", timeout_s: 120, table, secret });
    const url = addUrl(api);
    // The worker sends webhooks, whose links must point to the API function.
    const environment = { PAWL_PUBLIC_URL: url };
    const facts = { handler: "lambda.handler", timeout_s: 300, table, secret, environment };
    const worker = addFunction(this, "Worker", facts);
    const { queue, dead } = addBackground(this, table, worker);
    addAlarms(this, { table, api, worker, queue, dead, alarm_email });
    new CfnOutput(this, "Url", { value: url });
    new CfnOutput(this, "SecretArn", { value: secret.secretArn });
    new CfnOutput(this, "TableName", { value: table.tableName });
    new CfnOutput(this, "QueueUrl", { value: queue.queueUrl });
  }
}
