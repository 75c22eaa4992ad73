// A function with its own toolkit, as a user of `pawl/lambda` writes it.
import * as extend from "../../../examples/07-toolkit.ts";
import { createLambda } from "../../../src/hosts/aws-lambda/lambda.ts";

export const { handler, streamHandler } = createLambda({ extend });
