// The entry point of the uploaded bundle.
import "./compressed-files.ts";

export { handler, streamHandler } from "./lambda.ts";
