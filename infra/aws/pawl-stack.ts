// One deployment in one stack: the table, the API function, the worker function and their alarms.
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { addAlarms } from "./alarms.ts";
import { addBackground } from "./background.ts";
import { addDomain } from "./domain.ts";
import { addFunction, addUrl } from "./functions.ts";
import type { PawlOptions } from "./options.ts";
import { addSecret } from "./secret.ts";
import { addTable } from "./table.ts";

export type PawlProps = StackProps & { readonly options?: PawlOptions };

export class PawlStack extends Stack {
  constructor(scope: Construct, id: string, { options = {}, ...props }: PawlProps = {}) {
    super(scope, id, props);
    const table = addTable(this);
    const secret = addSecret(this);
    const { environment = {}, reserved_concurrency, domain } = options;
    const shared = { table, secret, environment };
    const facts = { ...shared, handler: "lambda.streamHandler", timeout_s: 120 };
    const api = addFunction(this, "Api", reserved_concurrency ? { ...facts, reserved_concurrency } : facts);
    const functionUrl = addUrl(api);
    const url = domain ? `https://${domain.name}/` : functionUrl.url;
    // The worker sends webhooks, whose links must point to the API function.
    const worker = addFunction(this, "Worker", {
      ...shared,
      handler: "lambda.handler",
      timeout_s: 300,
      environment: { PAWL_PUBLIC_URL: url, ...environment },
    });
    const { queue, dead } = addBackground(this, table, worker, options.max_concurrency);
    addAlarms(this, { table, api, worker, queue, dead, alarm_email: options.alarm_email });
    if (domain) new CfnOutput(this, "DomainTarget", { value: addDomain(this, functionUrl, domain) });
    new CfnOutput(this, "Url", { value: url });
    new CfnOutput(this, "SecretArn", { value: secret.secretArn });
    new CfnOutput(this, "TableName", { value: table.tableName });
    new CfnOutput(this, "QueueUrl", { value: queue.queueUrl });
  }
}
