// Replaces a file atomically: writes a temporary file beside it, flushes it, then renames it over the target.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  openSync,
  rename,
  type Stats,
  unlinkSync,
  write,
} from "node:fs";
import { promisify } from "node:util";
import { type Folder, isInside, linkRaceError, type Workspace } from "./folders.ts";

const TEMPORARY_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);
const renameAsync = promisify(rename);

/** Only a crash leaves a temporary file behind; lists and searches hide it. */
export const isTemporary = (name: string): boolean => /^\.pawl-[0-9a-f]{16}\.tmp$/.test(name);

export async function replaceFile(
  workspace: Workspace,
  folder: Folder,
  name: string,
  bytes: Uint8Array,
  replaced: Stats | null,
): Promise<void> {
  const temporary = `${folder.path}/.pawl-${randomBytes(8).toString("hex")}.tmp`;
  // When a file is replaced, the temporary file is private until it gets the mode of that file. A new file has the mode
  // that the umask allows from the start.
  const fd = openSync(temporary, TEMPORARY_FLAGS, replaced ? 0o600 : 0o666);
  try {
    try {
      if (!isInside(workspace, folder)) throw linkRaceError(folder.path);
      await writeAll(fd, bytes);
      if (replaced) keepOwnerAndMode(fd, replaced);
      await fsyncAsync(fd);
    } finally {
      closeSync(fd);
    }
    if (!isInside(workspace, folder)) throw linkRaceError(folder.path);
    await renameAsync(temporary, `${folder.path}/${name}`);
  } catch (error) {
    unlinkIfExists(temporary);
    throw error;
  }
  // The rename must survive a power failure too, or the receipt would name a file that does not exist.
  if (folder.fd !== null) await fsyncAsync(folder.fd);
}

async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await writeAsync(fd, bytes, written, bytes.length - written, written);
    written += bytesWritten;
  }
}

/** Set-user and set-group bits are dropped, because new content must not inherit them. */
function keepOwnerAndMode(fd: number, replaced: Stats): void {
  try {
    fchownSync(fd, replaced.uid, replaced.gid);
  } catch {
    // Only a privileged process may change the owner. Without privileges, the server's user owns the new file.
  }
  fchmodSync(fd, replaced.mode & 0o777);
}

function unlinkIfExists(at: string): void {
  try {
    unlinkSync(at);
  } catch {
    // The rename succeeded or the folder was deleted, so nothing is left to clean up.
  }
}
