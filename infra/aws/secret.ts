// The API keys of callers and of the model provider: one JSON object whose fields become environment variables.
import { RemovalPolicy } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";

/** Created with random text that grants no access: until it contains keys, the function serves no requests. */
export const addSecret = (scope: Construct): Secret =>
  new Secret(scope, "Keys", {
    description: 'Pawl: {"PAWL_API_KEYS": "name:tenant:sha256:hash", "OPENAI_API_KEY": "…"}',
    removalPolicy: RemovalPolicy.RETAIN,
  });
