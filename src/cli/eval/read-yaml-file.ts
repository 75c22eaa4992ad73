// Reads an eval file with the strict YAML reader of workflow files, because the file may come from an untrusted author.
import { readFileSync } from "node:fs";
import { readYaml } from "../../workflow/read-yaml.ts";
import { messageOf } from "../output.ts";

/** Throws an error whose message is meant for the terminal. */
export function readYamlFile(path: string): unknown {
  const read = readYaml(readText(path));
  if (!read.ok) throw new Error(`${path} cannot be read: ${read.problem.message}`);
  return read.value;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`);
  }
}
