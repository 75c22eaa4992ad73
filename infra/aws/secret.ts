// The keys of callers and of the model's provider: one JSON object whose fields stand for environment variables.
import { RemovalPolicy } from "aws-cdk-lib";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";

/** Made with a random text, which opens nothing: until somebody puts keys into it the function serves nobody. */
export const addSecret = (scope: Construct): Secret =>
  new Secret(scope, "Keys", {
    description: 'Pawl: {"PAWL_API_KEYS": "name:tenant:sha256:hash", "OPENAI_API_KEY": "…"}',
    removalPolicy: RemovalPolicy.RETAIN,
  });
