// Writes the manifest of the package for the duration of `npm pack` and then restores the manifest of the repository.
// The repository depends on Node and on a DynamoDB emulator for development; a package with these dependencies would
// download 190 MB. Usage: node scripts/packed-manifest.ts write | restore
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Fields that are useful only in a checkout. */
const REPOSITORY_FIELDS = ["scripts", "allowScripts", "devDependencies", "optionalDependencies"];

export function packedManifest(text: string): string {
  const fields = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const kept = fields.filter(([name]) => !REPOSITORY_FIELDS.includes(name));
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
}

const root = join(import.meta.dirname, "..");
const manifest = join(root, "package.json");
const saved = join(root, ".package.json.saved");
const fresh = join(root, ".package.json.fresh");

function restore(): void {
  if (existsSync(saved)) renameSync(saved, manifest);
}

function write(): void {
  // An earlier `npm pack` that was killed may have left its manifest behind.
  restore();
  const text = readFileSync(manifest, "utf8");
  writeFileSync(fresh, packedManifest(text));
  writeFileSync(saved, text);
  // The file is written atomically, so that nobody reads an incomplete manifest.
  renameSync(fresh, manifest);
}

if (import.meta.main) {
  const [step] = process.argv.slice(2);
  if (step === "write") write();
  else if (step === "restore") restore();
  else throw new Error("usage: node scripts/packed-manifest.ts write | restore");
}
