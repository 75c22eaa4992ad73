// The CDK app. Run `npm run bundle:lambda` in the project's root first, then `npm run deploy` here.
import { App } from "aws-cdk-lib";
import { readOptions } from "./options.ts";
import { PawlStack } from "./pawl-stack.ts";

const app = new App();
const name: unknown = app.node.tryGetContext("name");
const stack = new PawlStack(app, typeof name === "string" && name !== "" ? name : "Pawl", {
  options: readOptions(app.node),
});
const { directory, stacks } = app.synth();
for (const { templateFullPath, template } of stacks) {
  const count = Object.keys(template.Resources).length;
  console.error(`${stack.stackName}: ${count} resources in ${templateFullPath}, assets in ${directory}`);
}
