// The Lambda host, as it is uploaded and as users of `pawl/lambda` import it to add what is their own.
export { createLambda, handler, type Lambda, streamHandler } from "./handlers.ts";
export type { LambdaOptions } from "./host.ts";
