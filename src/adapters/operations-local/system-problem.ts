// Converts operating system errors to problems. Any other error is a bug and is rethrown.
import { type Failed, fail } from "../../schema/problem.ts";
import { outsideWorkspace } from "../../schema/workspace-path.ts";

export function systemProblem(error: unknown, path: string): Failed {
  const code = systemCode(error);
  const shown = JSON.stringify(path.length > 120 ? `${path.slice(0, 117)}...` : path);
  switch (code) {
    case null:
      throw error;
    case "ENOENT":
      return fail("file_not_found", `${shown} does not exist.`);
    case "ENOTDIR":
      return fail("not_a_folder", `A part of ${shown} is not a folder.`);
    case "EISDIR":
    case "ENXIO":
      return fail("not_a_file", `${shown} is not a regular file.`);
    case "ELOOP":
      return outsideWorkspace(path, "link");
    case "ECLOSED":
      return outsideWorkspace(path, "closed");
    case "ENAMETOOLONG":
      return outsideWorkspace(path, "too_long");
    default:
      return fail("file_failed", `The file system refused ${shown} (${code}).`, { reason: code });
  }
}

export function systemCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : null;
}
