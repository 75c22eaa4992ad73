// The entry point of the uploaded bundle and of programs that import `pawl/lambda` to add their own tools.
export type { Extension } from "../shared/extension.ts";
export { createLambda, handler, type Lambda, streamHandler } from "./handlers.ts";
export type { LambdaOptions } from "./host.ts";
