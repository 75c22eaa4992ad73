// `npm run check`: the AWS Solutions rules of cdk-nag on the stack. Prints each finding; those in ACCEPTED have a reason, any other
// fails the check.
import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { PawlStack } from "./pawl-stack.ts";

const ACCEPTED: Readonly<Record<string, string>> = {
  "AwsSolutions-SMG4":
    "The secret contains keys of clients and of the model's provider, which nothing can rotate by itself.",
  "AwsSolutions-CFR1": "The API excludes no country.",
  "AwsSolutions-CFR2": "A firewall is billed by the month; whoever needs one adds it to the distribution.",
  "AwsSolutions-CFR3": "The function logs every request.",
};

const app = new App();
const certificate_arn = "arn:aws:acm:us-east-1:111122223333:certificate/example";
new PawlStack(app, "Pawl", {
  options: { alarm_email: "ops@example.com", domain: { name: "pawl.example.com", certificate_arn } },
});
const { violations } = new AwsSolutionsChecks(app).validateScope(app);
let failed = 0;
for (const { ruleName, description } of violations) {
  const rule = ruleName.replace(/.*(AwsSolutions-\w+).*/, "$1");
  const reason = ACCEPTED[rule];
  if (reason === undefined) failed += 1;
  console.log(`${reason === undefined ? "FAILED" : "accepted"} ${rule}: ${reason ?? description}`);
}
process.exit(failed > 0 ? 1 : 0);
