// The entry point of the Lambda host, for the uploaded bundle and for users who import `pawl/lambda` to add their own
// tools.
export type { Extension } from "../shared/extension.ts";
export { createLambda, handler, type Lambda, streamHandler } from "./handlers.ts";
export type { LambdaOptions } from "./host.ts";
