// Opens a regular file for reading and refuses pipes, devices, links and all other kinds of files.
import { closeSync, constants, fstatSync, openSync, read, readSync, type Stats } from "node:fs";
import { promisify } from "node:util";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { outsideWorkspace } from "../../schema/workspace-path.ts";
import { isClosedFile } from "./closed-paths.ts";
import { type FileLocation, linkRaceError, type Workspace } from "./folders.ts";

// Without O_NONBLOCK, opening a pipe that has replaced the file would wait for a writer indefinitely.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const readAsync = promisify(read);
/** Below this size, using the thread pool costs many times more than the read itself. */
const SYNC_READ_BYTES_MAX = 65_536;

/** Files with several hard links may also exist outside the workspace. They are never written. */
export type HardLinks = "refuse" | "read";

export type OpenFile = { readonly fd: number; readonly stats: Stats };

export function openRegularFile(
  workspace: Workspace,
  location: FileLocation,
  text: string,
  hardLinks: HardLinks,
): Result<OpenFile> {
  const quotedPath = JSON.stringify(text);
  if (location.name === null) return fail("not_a_file", `${quotedPath} is a folder.`);
  if (!location.stats) return fail("file_not_found", `${quotedPath} does not exist.`);
  if (!location.stats.isFile()) return fail("not_a_file", `${quotedPath} is not a regular file.`);
  const fd = openSync(`${location.folder.path}/${location.name}`, READ_FLAGS);
  const opened = checkOpened(workspace, location, text, fd, hardLinks);
  if (!opened.ok) closeSync(fd);
  return opened;
}

function checkOpened(
  workspace: Workspace,
  location: FileLocation,
  text: string,
  fd: number,
  hardLinks: HardLinks,
): Result<OpenFile> {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return fail("not_a_file", `${JSON.stringify(text)} is not a regular file.`);
  if (isClosedFile(workspace.closedPaths, stats)) return outsideWorkspace(text, "closed");
  if (stats.nlink > 1 && hardLinks === "refuse") return outsideWorkspace(text, "hard_link");
  const same = stats.ino === location.stats?.ino && stats.dev === location.stats.dev;
  if (!workspace.handles && !same) throw linkRaceError(text);
  return ok({ fd, stats });
}

/** Reads to the limit or the end, regardless of the reported size of the file. */
export async function readBytes(fd: number, offset: number, limit: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.max(0, limit));
  let filled = 0;
  while (filled < buffer.length) {
    const remaining = buffer.length - filled;
    const bytesRead =
      remaining <= SYNC_READ_BYTES_MAX
        ? readSync(fd, buffer, filled, remaining, offset + filled)
        : (await readAsync(fd, buffer, filled, remaining, offset + filled)).bytesRead;
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
