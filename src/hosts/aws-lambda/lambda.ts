// The entry point of the Lambda host. It is used by the uploaded bundle and by programs that import `pawl/lambda` to
// add their own tools.
export type { Extension } from "../shared/extension.ts";
export { createLambda, handler, type Lambda, streamHandler } from "./handlers.ts";
export type { LambdaOptions } from "./host.ts";
