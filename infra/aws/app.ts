// The CDK app. Run `npm run bundle:lambda` in the project's root first, then `npm run deploy` here.
import { App } from "aws-cdk-lib";
import { PawlStack } from "./pawl-stack.ts";

const app = new App();
const text = (name: string): string | undefined => {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

new PawlStack(app, text("name") ?? "Pawl", { alarm_email: text("alarm_email") });
app.synth();
