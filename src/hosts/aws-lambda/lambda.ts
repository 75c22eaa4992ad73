// The Lambda host, as it is uploaded, and as users of `pawl/lambda` import it to add tools of their own.
export type { Extension } from "../shared/extension.ts";
export { createLambda, handler, type Lambda, streamHandler } from "./handlers.ts";
export type { LambdaOptions } from "./host.ts";
