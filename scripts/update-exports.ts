// Records the exported names of the package, so that a change of the public API shows up in reviews.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportedNames, parseSource, projectRoot } from "./read-source.ts";

const ENTRIES = {
  pawl: "src/index.ts",
  "pawl/client": "src/client.ts",
  "pawl/testing": "src/testing/index.ts",
  "pawl/dynamodb": "src/adapters/store-dynamodb/index.ts",
  "pawl/lambda": "src/hosts/aws-lambda/lambda.ts",
  "pawl/cloudflare": "src/hosts/cloudflare/cloudflare.ts",
};

export const EXPORTS_FILE = "test/project/exports.txt";

export function listExports(): string {
  const parts = Object.entries(ENTRIES)
    .filter(([, path]) => existsSync(join(projectRoot, path)))
    .map(
      ([entry, path]) =>
        `${entry}\n${exportedNames(parseSource(path))
          .map((name) => `  ${name}\n`)
          .join("")}`,
    );
  return parts.join("\n");
}

if (import.meta.main) {
  writeFileSync(join(projectRoot, EXPORTS_FILE), listExports());
  console.log(`wrote ${EXPORTS_FILE}`);
}
