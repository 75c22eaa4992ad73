// The Lambda host, as it is uploaded and as users of `pawl/lambda` import it to add what is their own.
export { createLambda, handler, type Lambda, streamHandler } from "./lambda-handlers.ts";
export type { LambdaOptions } from "./lambda-host.ts";
